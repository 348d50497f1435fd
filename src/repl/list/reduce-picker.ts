/** Reduces the session picker's state. */
import {chordOf, createKey, type KeyInput} from '../../terminal/keys/key-input.ts';
import {sequenceEach, type Update, update} from '../action.ts';
import {type EditorBuffer, emptyBuffer, expand, isEmpty} from '../editor/buffer.ts';
import {type TextField, textField} from '../editor/change-editor.ts';
import {createBuffer} from '../editor/edit.ts';
import {editLine, writeOnLine} from '../keys/edit-line.ts';
import {commandIn, type PickerCommand, pickerBindings} from '../keys/key-bindings.ts';
import {type QuestionUpdate, restartArming} from '../question/choose.ts';
import {createQuestion, type Question} from '../question/question.ts';
import {answerQuestion} from '../question/reduce-question.ts';
import {findListCommand, moveIn, selectAt} from './list.ts';
import {
	findHits,
	layoutPicker,
	noList,
	type PickerHit,
	type PickerSession,
	type PickerState,
	type PreviewText,
	queryWords,
	selectedSession,
	withHits,
} from './picker-state.ts';

export type PickerMatch = {readonly id: string; readonly excerpt: string};

export type PickerAction =
	/** The keys from one read. */
	| {readonly type: 'keys'; readonly keys: readonly KeyInput[]}
	/** More sessions, older than those before. */
	| {
			readonly type: 'listed';
			readonly sessions: readonly PickerSession[];
			readonly isWhole: boolean;
	  }
	/** More full-text matches for the query with this number. */
	| {
			readonly type: 'matched';
			readonly searchNumber: number;
			readonly matches: readonly PickerMatch[];
			readonly isWhole: boolean;
	  }
	| {readonly type: 'previewed'; readonly id: string; readonly texts: readonly PreviewText[]}
	| {readonly type: 'renamed'; readonly id: string; readonly title: string}
	| {readonly type: 'deleted'; readonly id: string}
	| {readonly type: 'failed'; readonly text: string}
	/** No key was pressed for a while, so the question can be answered. */
	| {readonly type: 'question-armed'}
	/** The terminal was lent to another program, and is back. */
	| {readonly type: 'terminal-taken'}
	| {readonly type: 'resize'; readonly columns: number; readonly rows: number};

export type PickerEffect =
	/** Search the full texts, and send `matched`. Replaces an unfinished search. */
	| {readonly type: 'search'; readonly words: readonly string[]; readonly searchNumber: number}
	/** Read the session, and send `previewed`. Replaces a preview not yet started. */
	| {readonly type: 'preview'; readonly id: string}
	| {readonly type: 'rename'; readonly id: string; readonly title: string}
	| {readonly type: 'delete'; readonly id: string}
	/** Send `question-armed` when no key was pressed for a while. */
	| {readonly type: 'arm-question'}
	/** Stop the process, as Ctrl-Z does. */
	| {readonly type: 'suspend'}
	| {readonly type: 'close'; readonly resumeId: string | undefined};

type PickerUpdate = Update<PickerState, PickerEffect>;

export function reducePicker(before: PickerState, action: PickerAction): PickerUpdate {
	const {state, effects} = reduceAction(before, action);
	const id = selectedSession(state)?.id;
	const isShown = id === selectedSession(before)?.id && before.isPreviewOpen;
	if (id === undefined || isShown || !state.isPreviewOpen) return {state, effects};
	return {state, effects: [...effects, {type: 'preview', id}]};
}

function reduceAction(state: PickerState, action: PickerAction): PickerUpdate {
	switch (action.type) {
		case 'keys':
			return sequenceEach(state, action.keys, (current, key) =>
				reduceKey({...current, notice: undefined}, key),
			);
		case 'listed':
			return update(addSessions(state, action.sessions, action.isWhole));
		case 'matched':
			return update(addMatches(state, action));
		case 'previewed':
			return update({...state, preview: {id: action.id, texts: action.texts}});
		case 'renamed': {
			const {id, title} = action;
			return update(
				changeSession(state, id, (hit) => [{...hit, session: {...hit.session, title}}]),
			);
		}
		case 'deleted':
			return update(changeSession(state, action.id, () => []));
		case 'failed':
			return update({...state, notice: action.text});
		case 'question-armed':
			return update({...state, question: state.question && {...state.question, isArmed: true}});
		case 'terminal-taken':
			// The next keys may have been typed for another program.
			return state.question === undefined
				? update(state)
				: withQuestion(state, restartArming(state.question));
		case 'resize':
			return update({...state, columns: action.columns, rows: action.rows});
		default:
			return action satisfies never;
	}
}

function addSessions(
	state: PickerState,
	added: readonly PickerSession[],
	isWhole: boolean,
): PickerState {
	const hits = [...state.hits, ...findHits(added, state)];
	const listed = withHits({...state, isListed: isWhole}, hits);
	if (!isWhole || state.scope !== undefined) return listed;
	const isHere = hits.some(({session}) => session.isAnswered && session.cwd === state.cwd);
	return isHere ? listed : withHits({...listed, scope: 'all'}, hits);
}

function addMatches(
	state: PickerState,
	{searchNumber, matches, isWhole}: Extract<PickerAction, {type: 'matched'}>,
): PickerState {
	if (searchNumber !== state.searchNumber) return state;
	const excerpts = new Map(matches.map(({id, excerpt}) => [id, excerpt]));
	const hits = state.hits.map((hit) => {
		const excerpt = excerpts.get(hit.session.id);
		if (excerpt === undefined || hit.foundIn === 'title') return hit;
		return {...hit, foundIn: hit.foundIn ?? ('text' as const), excerpt};
	});
	return {...withHits(state, hits), isSearching: !isWhole};
}

/** If the selected session is gone, selects the one below it, or the last one. */
function changeSession(
	state: PickerState,
	id: string,
	change: (hit: PickerHit) => readonly PickerHit[],
): PickerState {
	const next = withHits(
		state,
		state.hits.flatMap((hit) => (hit.session.id === id ? change(hit) : hit)),
	);
	const {selected = 0} = state.list;
	return selectedSession(state)?.id === id ? {...next, list: selectAt(next.list, selected)} : next;
}

function reduceKey(state: PickerState, key: KeyInput): PickerUpdate {
	const chord = key.type === 'key' ? chordOf(key) : '';
	const command = commandIn(pickerBindings, chord);
	if (command === 'close' || command === 'suspend') return pickerCommands[command](state);
	if (state.renaming !== undefined) return rename(state, state.renaming, key, chord);
	if (state.question !== undefined) {
		// An unarmed question can still be left.
		if (chord === 'escape') return update({...state, question: undefined});
		return withQuestion(state, answerQuestion(state.question, key, state));
	}
	return command === undefined ? browse(state, key, chord) : pickerCommands[command](state);
}

/** Moves in the list, or edits the query. */
function browse(state: PickerState, key: KeyInput, chord: string): PickerUpdate {
	const move = findListCommand(chord);
	if (move !== undefined) {
		const {listRows} = layoutPicker(state);
		return update({...state, list: moveIn(state.list, move, {pageRows: listRows})});
	}
	const query = editLine(state.query, key);
	return query === undefined ? update(state) : search(state, query);
}

function search(state: PickerState, query: EditorBuffer): PickerUpdate {
	const words = queryWords(query);
	const searchNumber = state.searchNumber + 1;
	const isSearching = words.length > 0;
	// The first hit is the best one.
	const next = {...state, query, searchNumber, isSearching, list: noList};
	const sessions = state.hits.map(({session}) => session);
	const shown = withHits(next, findHits(sessions, next));
	return update(shown, {type: 'search', words, searchNumber});
}

const pickerCommands: Readonly<Record<PickerCommand, (state: PickerState) => PickerUpdate>> = {
	resume(state) {
		const session = selectedSession(state);
		return session === undefined
			? update(state)
			: update(state, {type: 'close', resumeId: session.id});
	},
	cancel: (state) =>
		isEmpty(state.query) ? pickerCommands.close(state) : search(state, emptyBuffer),
	close: (state) => update(state, {type: 'close', resumeId: undefined}),
	suspend: (state) => update(state, {type: 'suspend'}),
	'toggle-scope'(state) {
		const scope = state.scope === 'all' ? 'folder' : 'all';
		return update(withHits({...state, scope}, state.hits));
	},
	'toggle-preview': (state) => update({...state, isPreviewOpen: !state.isPreviewOpen}),
	rename(state) {
		const session = selectedSession(state);
		if (session === undefined) return update(state);
		const field = textField(createBuffer(session.title.replace(/\s/g, ' ')));
		return update({...state, renaming: {session, field}});
	},
	delete(state) {
		const session = selectedSession(state);
		return session === undefined
			? update(state)
			: withQuestion(state, restartArming(askToDelete(session)));
	},
};

function rename(
	state: PickerState,
	renaming: NonNullable<PickerState['renaming']>,
	key: KeyInput,
	chord: string,
): PickerUpdate {
	const {session, field} = renaming;
	const edit = (changed: TextField) => update({...state, renaming: {session, field: changed}});
	const done = {...state, renaming: undefined};
	if (chord === 'escape') return update(done);
	if (chord === 'enter' || chord === 'ctrl+j') {
		const title = expand(field.buffer).trim();
		const isNew = title !== '' && title !== session.title;
		return isNew ? update(done, {type: 'rename', id: session.id, title}) : update(done);
	}
	// Ctrl-D exits a session with an empty prompt, but not here.
	return edit(writeOnLine(field, chord === 'ctrl+d' ? createKey('delete') : key));
}

/** Enter and every other key but `y` delete nothing. */
function askToDelete(session: PickerSession): Question<string | undefined> {
	return createQuestion({
		request: session,
		asker: '',
		title: `Delete "${session.title}"?`,
		printedTitle: '',
		lines: [],
		choices: [
			{
				key: 'y',
				brief: 'delete',
				meaning: 'delete it',
				isAgreement: true,
				does: {settle: () => ({answer: session.id})},
			},
			{
				key: 'n',
				brief: 'keep',
				meaning: 'keep it',
				isFirst: true,
				does: {settle: () => ({answer: undefined})},
			},
		],
	});
}

function withQuestion(
	state: PickerState,
	{state: question, effects}: QuestionUpdate,
): PickerUpdate {
	const own = effects.flatMap((effect): readonly PickerEffect[] => {
		if (effect.type === 'arm-question') return [effect];
		const isAnswer = effect.type === 'answer-question' && typeof effect.answer === 'string';
		return isAnswer ? [{type: 'delete', id: effect.answer}] : [];
	});
	return update({...state, question}, ...own);
}
