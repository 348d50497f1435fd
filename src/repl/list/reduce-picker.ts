/** Reduces the state of the session picker. */
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {sequenceEach, type Update, update} from '../action.ts';
import {type EditorBuffer, emptyBuffer, expand, isEmpty} from '../editor/buffer.ts';
import {runFieldCommand, type TextField, textField, typeText} from '../editor/change-editor.ts';
import {editorCommands} from '../editor/commands.ts';
import {createBuffer, insertText} from '../editor/edit.ts';
import {findCommand} from '../keys/key-bindings.ts';
import {isDeletion} from '../keys/reduce-search.ts';
import {findPickerCommand, type PickerCommand} from './picker-keys.ts';
import {layoutPicker} from './picker-layout.ts';
import {
	type PickerMode,
	type PickerSession,
	type PickerState,
	type PreviewText,
	selectedPlace,
	selectedSession,
	withHits,
	withOlder,
	wordsOf,
} from './picker-state.ts';

export type PickerMatch = {readonly id: string; readonly excerpt: string};

export type PickerAction =
	/** The keys of one read. */
	| {readonly type: 'keys'; readonly keys: readonly KeyInput[]}
	/** More sessions, older than those before. */
	| {
			readonly type: 'listed';
			readonly sessions: readonly PickerSession[];
			readonly isWhole: boolean;
	  }
	/** More full texts that match the query of this number. */
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
	/** No key was pressed for a while, so `y` deletes from now on. */
	| {readonly type: 'delete-armed'}
	/** The terminal was lent to another program, and is back. */
	| {readonly type: 'terminal-taken'}
	| {readonly type: 'resize'; readonly columns: number; readonly rows: number};

export type PickerEffect =
	/** Search the full texts, and send `matched`. Replaces a search that is not finished. */
	| {readonly type: 'search'; readonly words: readonly string[]; readonly searchNumber: number}
	/** Read the session, and send `previewed`. Replaces a preview that has not started. */
	| {readonly type: 'preview'; readonly id: string}
	| {readonly type: 'rename'; readonly id: string; readonly title: string}
	| {readonly type: 'delete'; readonly id: string}
	/** Send `delete-armed` when no key was pressed for a while. */
	| {readonly type: 'arm-delete'}
	/** Stop the process, as Ctrl-Z does. */
	| {readonly type: 'suspend'}
	| {readonly type: 'close'; readonly resumeId: string | undefined};

type PickerUpdate = Update<PickerState, PickerEffect>;

export function reducePicker(before: PickerState, action: PickerAction): PickerUpdate {
	const {state, effects} = reduceAction(before, action);
	const {selectedId, isPreviewOpen} = state;
	const isNew = selectedId !== before.selectedId || isPreviewOpen !== before.isPreviewOpen;
	if (!isNew || !isPreviewOpen || selectedId === undefined) return {state, effects};
	return {state, effects: [...effects, {type: 'preview', id: selectedId}]};
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
			const rename = (session: PickerSession) =>
				session.id === action.id ? {...session, title: action.title} : session;
			return update(withHits({...state, sessions: state.sessions.map(rename)}));
		}
		case 'deleted':
			return update(withoutSession(state, action.id));
		case 'failed':
			return update({...state, notice: action.text});
		case 'delete-armed':
			return update(
				state.mode.type === 'delete' ? {...state, mode: {...state.mode, isArmed: true}} : state,
			);
		case 'terminal-taken':
			// The next keys may have been typed for another program.
			return update(state.mode.type === 'delete' ? {...state, mode: browsing} : state);
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
	const next = {...withOlder(state, added), isListed: isWhole};
	if (!isWhole || state.isScopeChosen) return next;
	const isHere = next.sessions.some(({cwd, isAnswered}) => isAnswered && cwd === state.cwd);
	return isHere ? next : withHits({...next, scope: 'all'});
}

function addMatches(
	state: PickerState,
	{searchNumber, matches, isWhole}: Extract<PickerAction, {type: 'matched'}>,
): PickerState {
	if (searchNumber !== state.searchNumber) return state;
	const added = matches.map(({id, excerpt}) => [id, excerpt] as const);
	const next = {...state, isSearching: !isWhole};
	if (added.length === 0) return next;
	return withHits({...next, excerpts: new Map([...state.excerpts, ...added])});
}

/** Selects the session below the one that is gone, or the last one. */
function withoutSession(state: PickerState, id: string): PickerState {
	const place = selectedPlace(state);
	const sessions = state.sessions.filter((session) => session.id !== id);
	const next = withHits({...state, sessions});
	return state.selectedId === id ? select(next, place) : next;
}

function select(state: PickerState, place: number): PickerState {
	const last = state.hits.length - 1;
	const hit = state.hits[Math.max(0, Math.min(place, last))];
	return {...state, selectedId: hit?.session.id};
}

function reduceKey(state: PickerState, key: KeyInput): PickerUpdate {
	const {mode} = state;
	const chord = key.type === 'key' ? chordOf(key) : '';
	const command = findPickerCommand(chord);
	if (command === 'close' || command === 'suspend') return pickerCommands[command](state);
	switch (mode.type) {
		case 'browse':
			return browse(state, key, chord);
		case 'rename':
			return reduceRename(state, mode, key, chord);
		case 'delete':
			return answerDelete(state, mode, key);
		default:
			return mode satisfies never;
	}
}

function browse(state: PickerState, key: KeyInput, chord: string): PickerUpdate {
	const command = findPickerCommand(chord);
	if (command !== undefined) return pickerCommands[command](state);
	if (key.type !== 'key') return search(state, insertText(state.query, onOneLine(key.text)));
	const deletion = findCommand(chord);
	if (deletion === undefined || !isDeletion(deletion)) return update(state);
	return search(state, editorCommands[deletion](state.query));
}

function onOneLine(text: string): string {
	return text.replace(/\s/g, ' ');
}

function search(state: PickerState, query: EditorBuffer): PickerUpdate {
	const words = wordsOf(query);
	const searchNumber = state.searchNumber + 1;
	const isSearching = words.length > 0;
	const next = {...state, query, searchNumber, isSearching, excerpts: new Map<string, string>()};
	// The first hit is the best one.
	const shown = withHits({...next, selectedId: undefined});
	return update(shown, {type: 'search', words, searchNumber});
}

const pickerCommands: Readonly<Record<PickerCommand, (state: PickerState) => PickerUpdate>> = {
	resume: (state) =>
		state.selectedId === undefined
			? update(state)
			: update(state, {type: 'close', resumeId: state.selectedId}),
	cancel: (state) =>
		isEmpty(state.query) ? pickerCommands.close(state) : search(state, emptyBuffer),
	close: (state) => update(state, {type: 'close', resumeId: undefined}),
	suspend: (state) => update(state, {type: 'suspend'}),
	up: moveBy(() => -1),
	down: moveBy(() => 1),
	'page-up': moveBy((rows) => -rows),
	'page-down': moveBy((rows) => rows),
	first: moveBy(() => Number.NEGATIVE_INFINITY),
	last: moveBy(() => Number.POSITIVE_INFINITY),
	'toggle-scope': (state) =>
		update(
			withHits({...state, scope: state.scope === 'all' ? 'folder' : 'all', isScopeChosen: true}),
		),
	'toggle-preview': (state) => update({...state, isPreviewOpen: !state.isPreviewOpen}),
	'close-preview': (state) => update({...state, isPreviewOpen: false}),
	rename: (state) => {
		const session = selectedSession(state);
		if (session === undefined) return update(state);
		const field = textField(createBuffer(onOneLine(session.title)));
		return update({...state, mode: {type: 'rename', session, field}});
	},
	delete: (state) => {
		const session = selectedSession(state);
		if (session === undefined) return update(state);
		const mode = {type: 'delete', session, isArmed: false} as const;
		return update({...state, mode}, {type: 'arm-delete'});
	},
};

function moveBy(stepOf: (pageRows: number) => number) {
	return (state: PickerState): PickerUpdate => {
		const step = stepOf(layoutPicker(state).listRows);
		return update(select(state, selectedPlace(state) + step));
	};
}

const browsing: PickerMode = {type: 'browse'};

function reduceRename(
	state: PickerState,
	mode: Extract<PickerMode, {type: 'rename'}>,
	key: KeyInput,
	chord: string,
): PickerUpdate {
	const edit = (field: TextField) => update({...state, mode: {...mode, field}});
	if (key.type !== 'key') return edit(typeText(mode.field, onOneLine(key.text)));
	if (chord === 'escape') return update({...state, mode: browsing});
	if (chord === 'enter' || chord === 'ctrl+j') {
		const title = expand(mode.field.buffer).trim();
		const next = {...state, mode: browsing};
		if (title === '' || title === mode.session.title) return update(next);
		return update(next, {type: 'rename', id: mode.session.id, title});
	}
	const command = findCommand(chord === 'ctrl+d' ? 'delete' : chord);
	if (command === undefined || command === 'insert-newline') return update(state);
	return edit(runFieldCommand(mode.field, command));
}

/** Every key but `y` means no, at once. */
function answerDelete(
	state: PickerState,
	mode: Extract<PickerMode, {type: 'delete'}>,
	key: KeyInput,
): PickerUpdate {
	const isYes = key.type === 'text' && key.text.toLowerCase() === 'y';
	if (isYes && !mode.isArmed) return update(state, {type: 'arm-delete'});
	const next = {...state, mode: browsing};
	return isYes ? update(next, {type: 'delete', id: mode.session.id}) : update(next);
}
