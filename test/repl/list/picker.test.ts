/** The state of the session picker. */
import {describe, expect, test} from 'vitest';
import {sequenceEach} from '../../../src/repl/action.ts';
import {
	createPickerState,
	type PickerSession,
	type PickerState,
	selectedSession,
} from '../../../src/repl/list/picker-state.ts';
import {type PickerAction, reducePicker} from '../../../src/repl/list/reduce-picker.ts';
import {press, type} from '../play.ts';

function session(id: string, more: Partial<PickerSession> = {}): PickerSession {
	return {
		id,
		title: id,
		updated: 0,
		turns: 1,
		isAnswered: true,
		model: 'm',
		cwd: '/here',
		prompts: '',
		...more,
	};
}

const cat = session('cat', {title: 'Namen für Kätzchen', prompts: 'namen fur katzchen'});
const bird = session('bird', {prompts: 'a pelican on a bicycle'});
const other = session('other', {cwd: '/there'});

function play(state: PickerState, ...actions: readonly PickerAction[]) {
	return sequenceEach(state, actions, reducePicker);
}

function open(...sessions: readonly PickerSession[]): PickerState {
	const empty = createPickerState({cwd: '/here', date: 0, columns: 80, rows: 24});
	return play(empty, {type: 'listed', sessions, isWhole: true}).state;
}

function idsOf({list}: PickerState): readonly string[] {
	return list.items.map(({session: {id}}) => id);
}

function selectedId(state: PickerState): string | undefined {
	return selectedSession(state)?.id;
}

describe('the scope', () => {
	test('is this folder, and Ctrl-A lists all', () => {
		const state = open(cat, other, bird);
		expect(idsOf(state)).toEqual(['cat', 'bird']);
		expect(idsOf(play(state, press('ctrl+a')).state)).toEqual(['cat', 'other', 'bird']);
	});

	test('is all folders only when the whole list has nothing of this one', () => {
		const empty = createPickerState({cwd: '/here', date: 0, columns: 80, rows: 24});
		const begun = play(empty, {type: 'listed', sessions: [other], isWhole: false}).state;
		expect(idsOf(begun)).toEqual([]);
		const listed = play(begun, {type: 'listed', sessions: [], isWhole: true}).state;
		expect(idsOf(listed)).toEqual(['other']);
	});

	test('stays as the user chose it', () => {
		const state = play(open(other), press('tab')).state;
		expect(idsOf(play(state, {type: 'listed', sessions: [], isWhole: true}).state)).toEqual([]);
	});
});

test('each text is read once a query, however many files are listed and searched at once', () => {
	let reads = 0;
	const sessions = Array.from({length: 1000}, (_, index) => ({
		...session(`s${index}`),
		get title() {
			reads += 1;
			return 'untitled';
		},
	}));
	const slices = Array.from({length: 100}, (_, index) =>
		sessions.slice(index * 10, index * 10 + 10),
	);
	const empty = createPickerState({cwd: '/here', date: 0, columns: 80, rows: 24});
	const listed = play(
		play(empty, type('pelican')).state,
		...slices.map((slice) => ({type: 'listed', sessions: slice, isWhole: false}) as const),
	).state;
	const matched = play(
		listed,
		...slices.map((slice) => {
			const matches = slice.map(({id}) => ({id, excerpt: 'a pelican'}));
			return {type: 'matched', searchNumber: 1, matches, isWhole: false} as const;
		}),
	).state;
	expect(idsOf(matched)).toHaveLength(1000);
	expect(reads).toBe(1000);
	play(matched, type('s'));
	expect(reads).toBe(2000);
});

describe('the query', () => {
	test('finds titles and prompts whatever the case and the accents', () => {
		expect(idsOf(play(open(cat, bird), type('NAMEN katz')).state)).toEqual(['cat']);
		expect(idsOf(play(open(cat, bird), type('bicycle pel')).state)).toEqual(['bird']);
	});

	test('adds full texts below, and drops those of an older query', () => {
		const {state, effects} = play(open(cat, bird, session('late')), type('pel'), type('i'));
		expect(effects.map((effect) => effect.type === 'search' && effect.words)).toEqual([
			['pel'],
			['peli'],
		]);
		const match = (searchNumber: number, id: string) =>
			({
				type: 'matched',
				searchNumber,
				matches: [{id, excerpt: 'a peli'}],
				isWhole: true,
			}) as const;
		const next = play(state, match(2, 'cat'), match(1, 'late')).state;
		expect(idsOf(next)).toEqual(['bird', 'cat']);
		expect(selectedId(next)).toBe('bird');
		expect(next.isSearching).toBe(false);
	});

	test('is cleared by Esc, which then leaves', () => {
		const {state, effects} = play(open(cat, bird), type('zzz'), press('enter', 'escape'));
		expect(idsOf(state)).toHaveLength(2);
		expect(effects).not.toContainEqual(expect.objectContaining({type: 'close'}));
		expect(play(state, press('escape')).effects).toEqual([{type: 'close', resumeId: undefined}]);
	});

	test('takes a paste on one line, and deletes words', () => {
		const paste = {type: 'keys', keys: [{type: 'paste', text: 'on\na\tbi'}]} as const;
		const pasted = play(open(cat, bird), paste).state;
		expect(pasted.query.lines).toEqual(['on a bi']);
		expect(idsOf(pasted)).toEqual(['bird']);
		expect(play(pasted, press('ctrl+w')).state.query.lines).toEqual(['on a ']);
	});
});

describe('the selection', () => {
	const many = Array.from({length: 100}, (_, index) => session(`s${index}`));

	test('moves by rows, and by pages of the rows that are shown', () => {
		const selectedAfter = (...chords: readonly string[]) =>
			selectedId(play(open(...many), press(...chords)).state);
		expect(selectedAfter('down', 'ctrl+n', 'up')).toBe('s1');
		expect(selectedAfter('page-down')).toBe('s20');
		expect(selectedAfter('page-down', 'right', 'page-down')).toBe('s28');
	});

	test('stays on its session while others are listed', () => {
		const state = play(open(cat, bird), press('down'), {
			type: 'listed',
			sessions: [session('older')],
			isWhole: true,
		}).state;
		expect(selectedId(state)).toBe('bird');
	});

	test('Enter resumes it, and does nothing without one', () => {
		expect(play(open(cat, bird), press('down', 'enter')).effects).toEqual([
			{type: 'close', resumeId: 'bird'},
		]);
		expect(play(open(), press('enter')).effects).toEqual([]);
	});

	test('is previewed when the preview is open, and after each move', () => {
		const {effects} = play(open(cat, bird), press('down', 'right'), press('up'), press('left'));
		expect(effects).toEqual([
			{type: 'preview', id: 'bird'},
			{type: 'preview', id: 'cat'},
		]);
	});
});

describe('renaming', () => {
	test('a new title has the kill ring and the undo of the prompt', () => {
		const keys = press('ctrl+r', 'ctrl+u', 'ctrl+y', 'ctrl+y', 'ctrl+_');
		const {effects} = play(open(cat), keys, type('!'), press('enter'));
		expect(effects).toEqual([{type: 'rename', id: 'cat', title: 'Namen für Kätzchen!'}]);
	});

	test('edits the title on one line, and saves it', () => {
		const {state, effects} = play(open(cat), press('ctrl+r', 'home'), type('X\n'), press('enter'));
		expect(effects).toEqual([{type: 'rename', id: 'cat', title: 'X Namen für Kätzchen'}]);
		const renamed = play(state, {type: 'renamed', id: 'cat', title: 'new'}).state;
		expect(selectedSession(renamed)?.title).toBe('new');
	});

	test.each([
		['Esc', ['escape']],
		['an empty title', ['ctrl+u', 'enter']],
		['the same title', ['enter']],
	])('changes nothing after %s', (_, chords) => {
		const {state, effects} = play(open(cat), press('ctrl+r'), press(...chords));
		expect(effects).toEqual([]);
		expect(state.renaming).toBeUndefined();
	});
});

describe('deleting', () => {
	const armed = {type: 'question-armed'} as const;

	test('needs y, after the question is armed', () => {
		const {state, effects} = play(open(cat, bird), press('ctrl+d'), type('y'));
		expect(effects).toEqual([{type: 'arm-question'}, {type: 'arm-question'}]);
		expect(play(state, armed, type('y')).effects).toEqual([{type: 'delete', id: 'cat'}]);
	});

	test.each([
		['Enter', press('enter')],
		['Esc', press('escape')],
		['n', type('n')],
	])('%s means no', (_, key) => {
		const {state, effects} = play(play(open(cat), press('delete')).state, armed, key);
		expect(effects).toEqual([]);
		expect(state.question).toBeUndefined();
	});

	test('Esc means no at once, and another key nothing', () => {
		const asked = play(open(cat), press('delete')).state;
		expect(play(asked, press('escape')).state.question).toBeUndefined();
		const {state, effects} = play(asked, armed, press('delete'), type('y'));
		expect(effects).toEqual([{type: 'arm-question'}, {type: 'arm-question'}]);
		expect(state.question?.title).toBe('Delete "Namen für Kätzchen"?');
	});

	test('takes no key that was typed for the program to which the terminal was lent', () => {
		const lent = play(open(cat), press('ctrl+d'), armed, {type: 'terminal-taken'}, type('y'));
		expect(lent.effects).toEqual(Array.from({length: 3}, () => ({type: 'arm-question'})));
		expect(play(lent.state, armed, type('y')).effects).toEqual([{type: 'delete', id: 'cat'}]);
	});

	test('selects the next session, or the last one', () => {
		const state = open(cat, bird, other, session('late'));
		expect(selectedId(play(state, {type: 'deleted', id: 'cat'}).state)).toBe('bird');
		const last = play(state, press('end'), {type: 'deleted', id: 'late'}).state;
		expect(selectedId(last)).toBe('bird');
		expect(selectedId(play(open(cat), {type: 'deleted', id: 'cat'}).state)).toBeUndefined();
	});
});

test('a failure is shown until the next key', () => {
	const failed = play(open(cat), {type: 'failed', text: 'disk full'}).state;
	expect(failed.notice).toBe('disk full');
	expect(play(failed, press('up')).state.notice).toBeUndefined();
});

test('Ctrl-C leaves from everywhere', () => {
	for (const chords of [[], ['ctrl+r'], ['ctrl+d']]) {
		expect(play(open(cat), press(...chords, 'ctrl+c')).effects.at(-1)).toEqual({
			type: 'close',
			resumeId: undefined,
		});
	}
});
