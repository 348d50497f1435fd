import {expect, test} from 'vitest';
import {
	beginTurn,
	type Conversation,
	createConversation,
	resumeTurn,
} from '../../src/chat/conversation.ts';
import type {ChatEvent, ChatEventBatch} from '../../src/chat/event.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {checkTurn} from '../../src/quotes/check-turn.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {eventsOf, failure, stepEnd, stepStart, textDelta, turnEnd} from '../helpers/events.ts';

const none = {isPiped: false, readPdf: async () => undefined};

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
	const sources = {...none, conversation: resumed};
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

test('an answer is checked against results of tools, and all that earlier turns were given', async () => {
	const turn = (text: string, said: string, before?: Conversation) => {
		const started = openConversation(text, before);
		return reduceAll(started, [stepStart, textDelta(said), stepEnd(), turnEnd]);
	};
	const before = turn('My dog is called Bello.', 'Hello.');
	const answer = '“the rent is 900 euros” and “My dog is called Bello” and “the rent is 800 euros”';
	const events = [
		stepStart,
		...eventsOf('call:1/read called:1/read'),
		{type: 'tool-result', callId: '1', ...textOutput('Now the rent is 900 euros.', false)},
		textDelta(answer),
		turnEnd,
	] as const;
	async function* answering(): AsyncGenerator<ChatEventBatch> {
		yield events;
	}
	const conversation = openConversation('Sum up.', before);
	const checked: ChatEvent[] = [];
	for await (const batch of checkTurn(answering(), {...none, conversation})) checked.push(...batch);
	const [found] = checked.flatMap((event) =>
		event.type === 'quotations-checked' ? [event.quotations] : [],
	);
	expect(found).toMatchObject([
		{found: 'verbatim', places: [{name: 'read', line: 1}]},
		{found: 'elsewhere', places: [{name: 'the prompt'}]},
		{found: 'absent', places: []},
	]);
});
