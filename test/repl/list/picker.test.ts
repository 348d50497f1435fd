/** The state of the session picker. */
import {describe, expect, test} from 'vitest';
import {sequenceEach} from '../../../src/repl/action.ts';
import {openPicker, type PickerServices} from '../../../src/repl/list/picker.ts';
import {
	createPickerState,
	type PickerSession,
	type PickerState,
	selectedSession,
} from '../../../src/repl/list/picker-state.ts';
import {type PickerAction, reducePicker} from '../../../src/repl/list/reduce-picker.ts';
import {paste, pressed} from '../play.ts';

function session(id: string, more: Partial<PickerSession> = {}): PickerSession {
	const plain = {id, title: id, updated: 0, turns: 1, isAnswered: true, model: 'm'};
	return {...plain, cwd: '/here', prompts: '', ...more};
}

const cat = session('cat', {title: 'Namen für Kätzchen', prompts: 'namen fur katzchen'});
const bird = session('bird', {prompts: 'a pelican on a bicycle'});
const other = session('other', {cwd: '/there'});
const empty = createPickerState({cwd: '/here', date: 0, columns: 80, rows: 24});
const armed = {type: 'question-armed'} as const;

function play(state: PickerState, ...steps: ReadonlyArray<PickerAction | string>) {
	const actions = steps.map((step) => (typeof step === 'string' ? pressed(step) : step));
	return sequenceEach(state, actions, reducePicker);
}

const listed = (isWhole: boolean, ...sessions: readonly PickerSession[]): PickerAction => ({
	...{type: 'listed', sessions, isWhole},
});
const open = (...sessions: readonly PickerSession[]) =>
	play(empty, listed(true, ...sessions)).state;
const matched = (searchNumber: number, ...ids: readonly string[]): PickerAction => ({
	...{type: 'matched', searchNumber, isWhole: true},
	matches: ids.map((id) => ({id, excerpt: 'a pelican'})),
});
const idsOf = ({list}: PickerState) => list.items.map(({session: {id}}) => id);
const idsAfter = (state: PickerState, ...steps: ReadonlyArray<PickerAction | string>) =>
	idsOf(play(state, ...steps).state);
const selectedId = (state: PickerState) => selectedSession(state)?.id;
const effectsOf = (...given: Parameters<typeof play>) => play(...given).effects;
const left = {type: 'close', resumeId: undefined};

test('the scope is this folder if it has any, or that which the user chose', () => {
	expect(idsAfter(open(cat, other, bird))).toEqual(['cat', 'bird']);
	expect(idsAfter(open(cat, other, bird), '<ctrl+a>')).toEqual(['cat', 'other', 'bird']);
	expect(idsAfter(empty, listed(false, other))).toEqual([]);
	expect(idsAfter(empty, listed(false, other), listed(true))).toEqual(['other']);
	expect(idsAfter(open(other), '<tab>', listed(true))).toEqual([]);
});

describe('the query', () => {
	test('finds titles and prompts whatever the case and the accents, and full texts below', () => {
		expect(idsAfter(open(cat, bird), 'NAMEN katz')).toEqual(['cat']);
		expect(idsAfter(open(cat, bird), 'bicycle pel')).toEqual(['bird']);
		const {state, effects} = play(open(cat, bird, session('late')), 'pel', 'i');
		expect(effects).toMatchObject([{words: ['pel']}, {words: ['peli']}]);
		const next = play(state, matched(2, 'cat'), matched(1, 'late')).state;
		expect(idsOf(next)).toEqual(['bird', 'cat']);
		expect([selectedId(next), next.isSearching]).toEqual(['bird', false]);
	});

	test('takes a paste on one line, deletes words, and is cleared by Esc, which then leaves', () => {
		const {state} = play(open(cat, bird), paste('on\na\tbi'));
		expect(state.query.lines).toEqual(['on a bi']);
		expect(idsOf(state)).toEqual(['bird']);
		expect(play(state, '<ctrl+w>').state.query.lines).toEqual(['on a ']);
		const cleared = play(open(cat, bird), 'zzz', '⏎<escape>');
		expect(idsOf(cleared.state)).toHaveLength(2);
		expect(cleared.effects).not.toContainEqual(left);
		expect(effectsOf(cleared.state, '<escape>')).toEqual([left]);
	});
});

test('the selection moves by rows and pages, stays on its session, and Enter resumes it', () => {
	const many = open(...Array.from({length: 100}, (_, index) => session(`s${index}`)));
	const selectedAfter = (keys: string) => selectedId(play(many, keys).state);
	expect(selectedAfter('<down ctrl+n up>')).toBe('s1');
	expect(selectedAfter('<page-down>')).toBe('s20');
	expect(selectedAfter('<page-down right page-down>')).toBe('s28');
	const older = listed(true, session('older'));
	expect(selectedId(play(open(cat, bird), '<down>', older).state)).toBe('bird');
	expect(effectsOf(open(cat, bird), '<down>⏎')).toEqual([{type: 'close', resumeId: 'bird'}]);
	expect(effectsOf(open(), '⏎')).toEqual([]);
	const previews = ['bird', 'cat'].map((id) => ({type: 'preview', id}));
	expect(effectsOf(open(cat, bird), '<down right>', '<up>', '<left>')).toEqual(previews);
});

test('a new title is edited like the prompt, on one line; Esc or no other title change nothing', () => {
	const renamed = (title: string) => [{type: 'rename', id: 'cat', title}];
	const keys = '<ctrl+r ctrl+u ctrl+y ctrl+y ctrl+_>';
	expect(effectsOf(open(cat), keys, '!', '⏎')).toEqual(renamed('Namen für Kätzchen!'));
	const {state, effects} = play(open(cat), '<ctrl+r home>', 'X\n', '⏎');
	expect(effects).toEqual(renamed('X Namen für Kätzchen'));
	const after = play(state, {type: 'renamed', id: 'cat', title: 'new'}).state;
	expect(selectedSession(after)?.title).toBe('new');
	for (const end of ['<escape>', '<ctrl+u>⏎', '⏎']) {
		const kept = play(open(cat), '<ctrl+r>', end);
		expect([kept.effects, kept.state.renaming]).toEqual([[], undefined]);
	}
});

describe('deleting', () => {
	const asks = (count: number) => Array(count).fill({type: 'arm-question'});
	const deleted = [{type: 'delete', id: 'cat'}];

	test('needs y after the question is armed, also again after the terminal was lent', () => {
		const {state, effects} = play(open(cat, bird), '<ctrl+d>', 'y');
		expect(effects).toEqual(asks(2));
		expect(effectsOf(state, armed, 'y')).toEqual(deleted);
		const lent = play(open(cat), '<ctrl+d>', armed, {type: 'terminal-taken'}, 'y');
		expect(lent.effects).toEqual(asks(3));
		expect(effectsOf(lent.state, armed, 'y')).toEqual(deleted);
		const kept = play(open(cat), '<delete>', armed, '<delete>', 'y');
		expect(kept.effects).toEqual(asks(3));
		expect(kept.state.question?.title).toBe('Delete "Namen für Kätzchen"?');
	});

	test('is refused by Enter, n, and Esc, which is heard at once', () => {
		for (const steps of [[armed, '⏎'], [armed, '<escape>'], [armed, 'n'], ['<escape>']] as const) {
			const {state, effects} = play(open(cat), '<delete>', ...steps);
			expect([state.question, effects]).toEqual([undefined, asks(1)]);
		}
	});

	test('selects the next session, or the last one', () => {
		const state = open(cat, bird, other, session('late'));
		const gone = (id: string): PickerAction => ({type: 'deleted', id});
		expect(selectedId(play(state, gone('cat')).state)).toBe('bird');
		expect(selectedId(play(state, '<end>', gone('late')).state)).toBe('bird');
		expect(selectedId(play(open(cat), gone('cat')).state)).toBeUndefined();
	});
});

test('a failure is shown until the next key, and Ctrl-C leaves from everywhere', () => {
	const failed = play(open(cat), {type: 'failed', text: 'disk full'}).state;
	expect(failed.notice).toBe('disk full');
	expect(play(failed, '<up>').state.notice).toBeUndefined();
	for (const before of ['<up>', '<ctrl+r>', '<ctrl+d>']) {
		expect(effectsOf(open(cat), before, '<ctrl+c>').at(-1)).toEqual(left);
	}
});

describe('with its files', () => {
	const files: PickerServices = {
		async *list() {
			yield [cat];
		},
		async *search() {},
		preview: async () => [],
		rename: () => Promise.reject(new Error('disk full')),
		async delete() {},
		suspend() {},
	};

	test('a failure is shown, and the picker stays open', async () => {
		const picker = openPicker(empty, files);
		await expect.poll(() => picker.getState().isListed).toBe(true);
		for (const keys of ['<ctrl+r>', '!⏎']) picker.dispatch(pressed(keys));
		await expect.poll(() => picker.getState().notice).toContain('disk full');
		picker.dispatch(pressed('<escape>'));
		expect(await picker.closed).toBeUndefined();
	});

	test('a session is deleted after the keys that were pressed meanwhile', async () => {
		const deleted: string[] = [];
		const picker = openPicker(empty, {...files, delete: async (id) => void deleted.push(id)});
		await expect.poll(() => picker.getState().isListed).toBe(true);
		for (const action of [pressed('<ctrl+d>'), armed, pressed('y')]) picker.dispatch(action);
		expect(deleted).toEqual([]);
		await expect.poll(() => picker.getState().list.items).toEqual([]);
		expect(deleted).toEqual(['cat']);
	});

	test('full texts are searched after all sessions are listed', async () => {
		let isListed: boolean | undefined;
		async function* search() {
			isListed = picker.getState().isListed;
			yield [];
		}
		const picker = openPicker(empty, {...files, search});
		picker.dispatch(pressed('pelican'));
		await expect.poll(() => isListed).toBe(true);
	});
});
