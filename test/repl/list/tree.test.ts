/** The tree of a conversation, and the way to any of its turns. */
import {describe, expect, test} from 'vitest';
import {
	applyChange,
	type ConversationChange,
	createConversation,
} from '../../../src/chat/conversation.ts';
import {selectedItem} from '../../../src/repl/list/list.ts';
import {treeRows} from '../../../src/repl/list/tree-rows.ts';
import type {ReplState} from '../../../src/repl/state.ts';
import {
	answer,
	begin,
	draftOf,
	enter,
	entriesOf,
	messagesOf,
	paste,
	play,
	press,
	replyOf,
	type,
} from '../play.ts';

/** Returns a whole turn, whose prompt is its id. */
function said(id: string, startedAt: number) {
	const text = `answer to ${id}`;
	const message = {role: 'assistant', parts: [{type: 'text', text}], status: 'complete'} as const;
	const turn = {
		...{id, prompt: {text: id, attachments: []}, model: 'm', status: 'complete' as const},
		...{messages: [{...message, model: 'm'}], times: {startedAt, reasoningMs: 0, totalMs: 0}},
	};
	return {type: 'turn-ended', id, turn} as const;
}

const to = (at: string | null): ConversationChange => ({type: 'head-moved', at});

/** Changes a new conversation; each id is a turn, one later than the other. */
function converse(...steps: ReadonlyArray<string | ConversationChange>): ReplState {
	const changes = steps.map((step, index) => (typeof step === 'string' ? said(step, index) : step));
	return begin({conversation: changes.reduce(applyChange, createConversation())});
}

/** Returns the rows as text: `*` on the path, `>` selected, `<` at the head. */
function shown({conversation, tree}: ReplState): readonly string[] {
	return treeRows(conversation).map(({turn, number, lines, isOnPath, isHead}) => {
		const mark = turn === (tree && selectedItem(tree))?.turn ? '>' : ' ';
		const text = `${mark}${isOnPath ? '*' : ' '} ${lines}${number} ${turn.prompt.text}`;
		return isHead ? `${text} <` : text;
	});
}

const branched = converse('a', 'b', 'c', to('a'), 'd', 'e', to('d'), 'f');

describe('/tree', () => {
	test('shows the branch of the head in one column, and the others below it', () => {
		const {state, effects} = play(branched, enter('/tree'));
		expect(shown(state)).toEqual([
			' * 1 a',
			' * 2 d',
			'>* 3 f <',
			'   ├─ 3 e',
			'   ╰─ 2 b',
			'      3 c',
		]);
		expect(effects).toEqual([]);
	});

	test('shows several beginnings, and answers to the same prompt', () => {
		const {state} = play(converse('a', to(null), 'b', to(null), 'c'), enter('/tree'));
		expect(shown(state)).toEqual(['>* 1 c <', '   ├─ 1 a', '   ╰─ 1 b']);
		const retried = play(begin(), enter('q'), answer('1'), enter('/retry'), answer('2')).state;
		expect(shown(retried)).toEqual([' * 1 q <', '   ╰─ 1 q']);
		const nested = converse('a', 'b', to('a'), 'c', to('a'), 'd', to(null), 'e', to('d'), 'f');
		expect(
			shown(
				play(converse(...['a', 'b', to('a'), 'c', 'd', to('c'), 'e', to('b'), 'g']), enter('/tree'))
					.state,
			),
		).toEqual([' * 1 a', ' * 2 b', '>* 3 g <', '   ╰─ 2 c', '      3 e', '      ╰─ 3 d']);
		expect(shown(nested)).toEqual([
			' * 1 a',
			' * 2 d',
			' * 3 f <',
			'   ├─ 2 b',
			'   ├─ 2 c',
			'   ╰─ 1 e',
		]);
	});

	test('continues after the chosen turn, and prints it', () => {
		const chosen = play(branched, enter('/tree'), press('down', 'down', 'down', 'enter'));
		expect(chosen.state.conversation.turns.map(({id}) => id)).toEqual(['a', 'b', 'c']);
		expect(chosen.state.tree).toBeUndefined();
		expect(entriesOf(chosen.effects)).toEqual([
			{type: 'notice', text: 'back to "c"'},
			{type: 'prompt', prompt: {text: 'c', attachments: []}},
			{type: 'answer', text: 'answer to c', codeBlocksAbove: 0},
		]);
		const {state} = play(chosen.state, enter('next'));
		expect(messagesOf(state).slice(-2)).toEqual(['assistant: answer to c', 'user: next']);
		expect(shown(play(state, answer('ok')).state)).toHaveLength(7);
	});

	test('goes back to the old answer after /retry', () => {
		const {state} = play(
			begin(),
			...[enter('q'), answer('old'), enter('/retry'), answer('new')],
			...[enter('/tree'), press('down', 'enter')],
		);
		expect(messagesOf(state)).toEqual(['user: q', 'assistant: old']);
	});

	test('changes nothing if the head is chosen, or the tree is closed', () => {
		for (const key of ['enter', 'escape', 'ctrl+c', 'ctrl+g']) {
			const {state, effects} = play(branched, enter('/tree'), press(key));
			expect(state.conversation).toBe(branched.conversation);
			expect(state.tree).toBeUndefined();
			expect(effects).toEqual([]);
		}
	});

	test('moves by rows, and by pages of the rows that are shown', () => {
		const ids = Array.from({length: 100}, (_, index) => `turn ${index}`);
		const selectedAfter = (...keys: readonly string[]) => {
			const {tree} = play(converse(...ids), enter('/tree'), press(...keys)).state;
			return tree && selectedItem(tree)?.turn.id;
		};
		expect(selectedAfter()).toBe('turn 99');
		expect(selectedAfter('up')).toBe('turn 98');
		expect(selectedAfter('page-up')).toBe('turn 85');
	});

	test('is closed by a letter, which is typed', () => {
		for (const action of [type('x'), paste('x')]) {
			const {state} = play(branched, enter('/tree'), action);
			expect(state.tree).toBeUndefined();
			expect(draftOf(state)).toBe('x');
		}
	});

	test('needs a turn, and the end of the answer', () => {
		expect(replyOf(play(begin(), enter('/tree')))).toBe('there are no turns yet');
		const streaming = play(branched, enter('more')).state;
		expect(replyOf(play(streaming, enter('/tree')))).toBe('/tree is available after the answer');
	});

	test('shows the first turn where the conversation is at its start', () => {
		const undone = play(
			converse('a', 'b'),
			...[enter('/undo'), press('ctrl+c'), enter('/undo'), press('ctrl+c')],
		);
		const {state} = play(undone.state, enter('/tree'));
		expect(shown(state)).toEqual(['>  1 a', '   2 b']);
		expect(play(state, press('end', 'enter')).state.conversation.turns).toHaveLength(2);
	});

	test('shows any number of turns and branches', () => {
		const rows = (parentOf: (index: number) => number) => {
			const otherTurns = Array.from({length: 10_000}, (_, index) => {
				const {turn} = said(String(index), index);
				return {turn, parent: parentOf(index) < 0 ? null : String(parentOf(index))};
			});
			return treeRows({...createConversation(), otherTurns});
		};
		expect(rows((index) => index - 1).at(-1)).toMatchObject({number: 10_000, indent: 0});
		expect(rows(() => -1).at(-1)).toMatchObject({number: 1, indent: 1, lines: '╰─ '});
		const combed = rows((index) => index - 1 - (index % 2));
		expect(combed).toHaveLength(10_000);
		expect(combed.find(({turn}) => turn.id === '9999')).toMatchObject({number: 5000});
	});
});
