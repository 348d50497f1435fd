import {expect, test} from 'vitest';
import {beginTurn, createConversation, resumeTurn} from '../../src/chat/conversation.ts';
import type {ChatEvent, ChatEventBatch} from '../../src/chat/event.ts';
import {checkTurn} from '../../src/quotes/check-turn.ts';
import {reduceAll} from '../helpers/conversation.ts';
import {failure, stepStart, textDelta, turnEnd} from '../helpers/events.ts';

test('a continued answer is checked as a whole, across its seam', async () => {
	const prompt = {
		text: 'When?',
		attachments: [{type: 'file', name: 'a.txt', text: 'The rent is due today.'} as const],
	};
	const started = beginTurn(createConversation(), {id: 't', prompt, model: 'm', startedAt: 0}, 0);
	const resumed = resumeTurn(
		reduceAll(started, [stepStart, textDelta('“The rent is '), failure('incomplete')]),
		0,
	);
	if (resumed === undefined) throw new Error('the answer is whole');
	async function* rest(): AsyncGenerator<ChatEventBatch> {
		yield [textDelta('due today” (a.txt)'), turnEnd];
	}
	const sources = {conversation: resumed, isPiped: false, readPdf: async () => undefined};
	const events: ChatEvent[] = [];
	for await (const batch of checkTurn(rest(), sources)) events.push(...batch);
	expect(events).toContainEqual({
		type: 'quotations-checked',
		quotations: [
			{
				text: 'The rent is due today',
				found: 'verbatim',
				places: [{name: 'a.txt', line: 1}],
				named: 'a.txt',
			},
		],
	});
});
