/** Each request begins with the bytes of the one before, so that a service's cache counts. */
import fc from 'fast-check';
import {expect} from 'vitest';
import {
	type AnswerMessage,
	applyChange,
	beginTurn,
	type Conversation,
	createConversation,
	messagesOf,
	type Turn,
} from '../../src/chat/conversation.ts';
import type {Message} from '../../src/chat/message.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import {createMessages} from '../../src/protocol/messages/messages.ts';
import {createResponses} from '../../src/protocol/responses/responses.ts';
import type {Wire} from '../../src/protocol/wire.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

const url = new URL('https://api.example.com/v1');
const options = {model: 'm', isStreaming: true};
const wires: readonly Wire[] = [
	createChatCompletions(url),
	createResponses(url),
	createMessages(url),
];

const text = fc.constantFrom('a', 'b c', '日本 "\\ \n', '# Title\n');
const image = {type: 'image', url: 'data:image/png;base64,AAAA'} as const;
const attachments = fc.constantFrom([], [{type: 'image', name: 'a.png', part: image} as const]);
const status = fc.constantFrom('complete' as const, 'interrupted' as const);

/** A step with one or two calls. */
function messagesOfStep(said: string, index: number): readonly AnswerMessage[] {
	const ids = Array.from({length: 1 + (said.length % 2)}, (_, at) => `call_${index}_${at}`);
	const asked = ids.map((callId) => ({
		type: 'tool-call' as const,
		call: {callId, name: 'look', arguments: '{"at":1}', isRunnable: true},
	}));
	const parts = [{type: 'reasoning', text: 'Hm.'}, {type: 'text', text: said}, ...asked] as const;
	const seen = {parts: [{type: 'text' as const, text: 'seen'}], isError: false};
	return [
		{role: 'assistant', status: 'complete', model: 'm', parts},
		...ids.map((callId) => ({role: 'tool' as const, callId, ...seen})),
	];
}

const turn: fc.Arbitrary<Omit<Turn, 'id'>> = fc
	.record({text, attachments, steps: fc.array(text, {maxLength: 2}), last: text, status})
	.map(({steps, last, status: ended, ...prompt}) => {
		const end = {role: 'assistant', status: ended, model: 'm'} as const;
		const messages = [
			...steps.flatMap(messagesOfStep),
			{...end, parts: [{type: 'text', text: last} as const]},
		];
		const times = {startedAt: 0, reasoningMs: 0, totalMs: 0};
		return {prompt, model: 'm', messages, status: ended, times};
	});

/** Yields the messages of each request, one for each step of each turn. */
function* requestsOf(turns: readonly Turn[], before: Conversation) {
	let conversation = before;
	for (const one of turns) {
		const {id, prompt, model, messages} = one;
		const {open, ...rest} = beginTurn(conversation, {id, prompt, model, startedAt: 0}, 0);
		for (const [index, message] of messages.entries()) {
			const isStep = message.role === 'assistant';
			if (isStep) yield messagesOf({...rest, open: {...open, messages: messages.slice(0, index)}});
		}
		conversation = {...conversation, turns: [...conversation.turns, one]};
	}
}

/** Returns the messages' bytes as the body has them, without the end of their array. */
function bytesOf(wire: Wire, messages: readonly Message[]): string {
	const {body} = wire.encode({messages, options});
	const {messages: list, input = list} = JSON.parse(body);
	const bytes = JSON.stringify(input);
	expect(body).toContain(bytes);
	return bytes.slice(0, -1);
}

function expectPrefixes(requests: Iterable<readonly Message[]>): void {
	for (const wire of wires) {
		let before = '[';
		for (const messages of requests) {
			const bytes = bytesOf(wire, messages);
			expect(bytes.slice(0, before.length)).toBe(before);
			before = bytes;
		}
	}
}

fuzzProperty(
	'over every wire, but for the step that compacts',
	100,
	fc.property(fc.array(turn, {minLength: 2, maxLength: 5}), fc.nat(), (list, place) => {
		const turns = list.map((one, index): Turn => ({...one, id: `turn-${index + 1}`}));
		const system = createConversation('Be brief.');
		expectPrefixes([...requestsOf(turns, system)]);
		const done = turns.slice(0, 1 + (place % (turns.length - 1)));
		const [first, last] = [done[0]?.id ?? '', done.at(-1)?.id ?? ''];
		const range = {id: 'c', parent: last, from: first, to: last};
		for (const compaction of [
			{...range, kind: 'summary', text: 'It was short.'},
			{...range, kind: 'omission', text: ''},
			{...range, kind: 'results', text: ''},
		] as const) {
			const compacted = applyChange({...system, turns: done}, {type: 'compacted', compaction});
			expectPrefixes([...requestsOf(turns.slice(done.length), compacted)]);
		}
	}),
);
