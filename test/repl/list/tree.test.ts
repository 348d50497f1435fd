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
import {begin, expectRows, paste, play} from '../play.ts';

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

/** Makes a conversation: `a b >a c` are turns, one after the other, the last one in place of `b`. */
function converse(steps: string): ReplState {
	const changes = steps.split(' ').map((step, index): ConversationChange => {
		if (!step.startsWith('>')) return said(step, index);
		return {type: 'head-moved', at: step.slice(1) || null};
	});
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

const branched = converse('a b c >a d e >d f');

describe('/tree', () => {
	test.each([
		['a b c >a d e >d f', ' * 1 a| * 2 d|>* 3 f <|   ├─ 3 e|   ╰─ 2 b|      3 c'],
		['a > b > c', '>* 1 c <|   ├─ 1 a|   ╰─ 1 b'],
		['a b >a c >a d > e >d f', ' * 1 a| * 2 d|>* 3 f <|   ├─ 2 b|   ├─ 2 c|   ╰─ 1 e'],
	])('shows the branch of the head of %j in one column, the others below it', (steps, rows) => {
		expect(shown(play(converse(steps), '/tree⏎').state)).toEqual(rows.split('|'));
	});

	test('continues after the chosen turn, and prints it', () => {
		const chosen = ['/tree⏎', '<down down down>⏎'];
		const prints = [
			{type: 'notice', text: 'back to "c"'},
			{type: 'prompt', prompt: {text: 'c', attachments: []}},
			{type: 'answer', text: 'answer to c', codeBlocksAbove: 0},
		];
		const path = ['a', 'b', 'c'].flatMap((id) => [`user: ${id}`, `assistant: answer to ${id}`]);
		expectRows(branched, [chosen, {prints, messages: path}]);
		const {state} = play(branched, ...chosen, 'next⏎', '<< ok');
		expect(shown(state)).toHaveLength(7);
		const retried = ['q⏎', '<< old', '/retry⏎', '<< new', '/tree⏎', '<down>⏎'];
		expectRows(begin(), [retried, {messages: ['user: q', 'assistant: old']}]);
		expectRows(converse('a b >'), [
			['/tree⏎', '<end>⏎'],
			{messages: expect.objectContaining({length: 4})},
		]);
	});

	test('changes nothing if the head is chosen or the tree is closed, as by a letter', () => {
		for (const key of ['⏎', '<escape>', '<ctrl+c>', '<ctrl+g>']) {
			const {state} = play(branched, '/tree⏎', key);
			expect([state.conversation, state.tree]).toEqual([branched.conversation, undefined]);
			expectRows(branched, [['/tree⏎', key], {does: [], draft: ''}]);
		}
		for (const step of ['x', paste('x')]) expectRows(branched, [['/tree⏎', step], {draft: 'x'}]);
		expectRows(begin(), ['/tree⏎', {reply: 'there are no turns yet'}]);
	});

	test('shows any number of turns and branches', () => {
		const rows = (length: number, parentOf: (index: number) => number) => {
			const otherTurns = Array.from({length}, (_, index) => {
				const {turn} = said(String(index), index);
				return {turn, parent: parentOf(index) < 0 ? null : String(parentOf(index))};
			});
			return treeRows({...createConversation(), otherTurns});
		};
		const deep = rows(10_000, (index) => index - 1);
		expect(deep.at(-1)).toMatchObject({number: 10_000, indent: 0});
		expect(rows(500, () => -1).at(-1)).toMatchObject({number: 1, indent: 1, lines: '╰─ '});
	});
});
