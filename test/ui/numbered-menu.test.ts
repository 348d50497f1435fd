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
		label: `no. ${index}`,
	}));
	const menu = valueMenu('Sessions', values, (id) => chosen.push(id));
	expect(speakMenu(menu).slice(-3, -1)).toEqual(['30. no. 29', '10 more.']);
	const narrowed = answerMenu(menu, 'o. 3').open;
	expect(narrowed?.list.items).toHaveLength(13);
	expect(answerMenu(menu, '31').open).toBeDefined();
	expect(answerMenu(menu, 'no. 35').open).toBeUndefined();
	expect(chosen).toEqual(['id-35']);
});
