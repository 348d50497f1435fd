/** Lists of numbered lines in a session without a screen. */
import {expect, test} from 'vitest';
import {createConversation} from '../../src/chat/conversation.ts';
import {type TreeRow, treeRows} from '../../src/repl/list/tree-rows.ts';
import {answerMenu, speakMenu, treeMenu, valueMenu} from '../../src/ui/lines/menu.ts';

function rows(length: number): readonly TreeRow[] {
	const times = {startedAt: 0, reasoningMs: 0, totalMs: 0};
	const turns = Array.from({length}, (_, index) => ({
		...{id: `id ${index}`, prompt: {text: `prompt ${index}`, attachments: []}, times},
		...{messages: [], model: 'm', status: 'complete' as const, usage: undefined},
	}));
	return treeRows({...createConversation(), turns});
}

test('the turns of a long conversation are all read, and each can be chosen', () => {
	const chosen: Array<string | undefined> = [];
	const menu = treeMenu({items: rows(50), selected: undefined}, (id) => chosen.push(id));
	expect(speakMenu(menu)).toHaveLength(52);
	expect(answerMenu(menu, '50').open).toBeUndefined();
	expect(chosen).toEqual(['id 49']);
});

test('of many sessions the newest are read, and a part of a name finds the others', () => {
	const chosen: Array<string | undefined> = [];
	const values = Array.from({length: 40}, (_, index) => ({
		text: `id-${index}`,
		label: `No. ${index}`,
	}));
	const menu = valueMenu('Sessions', values, (id) => chosen.push(id));
	expect(speakMenu(menu).slice(-3, -1)).toEqual(['30. No. 29', '10 more.']);
	const narrowed = answerMenu(menu, 'o. 3').open;
	expect(narrowed?.list.items).toHaveLength(13);
	expect(answerMenu(menu, '31').open).toBeDefined();
	expect(answerMenu(menu, 'no. 35').open).toBeUndefined();
	// A whole name is one, although others begin with it.
	expect(answerMenu(menu, 'NO. 3').open).toBeUndefined();
	expect(chosen).toEqual(['id-35', 'id-3']);
});

test('a name that is not listed is entered twice, and a number that is not one says so', () => {
	const chosen: Array<string | undefined> = [];
	const values = [{text: 'qwen3:4b', meaning: 'current'}];
	const menu = valueMenu('Models', values, (id) => chosen.push(id), {isFree: true});
	const said = ({said: lines}: ReturnType<typeof answerMenu>) => lines.join();
	const doubted = answerMenu(menu, 'llama9');
	const again = 'llama9 is not in the list; enter it again to use it anyway.';
	expect(said(doubted)).toBe(`Note: ${again}`);
	const mistaken = answerMenu(doubted.open ?? menu, '7');
	expect(said(mistaken)).toMatch(/^Error: the answer is 1, a part of a name/);
	const asked = answerMenu(mistaken.open ?? menu, 'llama9').open ?? menu;
	expect(chosen).toEqual([]);
	expect(answerMenu(asked, 'llama9').open).toBeUndefined();
	expect(chosen).toEqual(['llama9']);
});
