/** Between turns a conversation can be sent as it is, whatever became of the turns before. */
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
	applyChange,
	type Conversation,
	createConversation,
	messagesOf,
	reasoningOf,
	reduceConversation,
} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {Message} from '../../src/chat/message.ts';
import {outputText, textOutput} from '../../src/chat/tool-output.ts';
import {ChatError} from '../../src/errors.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {expectLinearCost} from '../helpers/cost.ts';
import {checkEventGrammar} from '../helpers/event-grammar.ts';
import {
	eventsOf,
	failure,
	reasoningDelta,
	retryNotice,
	stepEnd,
	stepStart,
	textDelta,
	turnEnd,
} from '../helpers/events.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

const prompt = 'Hello?';

const [start, text, reasoning] = [stepStart, textDelta, reasoningDelta];
const interrupted = failure('interrupted');
const cut = failure('incomplete');
const refused = failure('rejected');

/** A message as `role status: parts`. */
function show(message: Message): string {
	if (message.role === 'tool') {
		return `tool ${message.callId}${message.isError ? ' failed' : ''}: ${outputText(message)}`;
	}
	const parts = message.parts.map((part) => {
		if (part.type === 'tool-call') return `call ${part.call.callId}`;
		if (!('text' in part)) return part.type;
		const data = 'providerData' in part ? ` ${JSON.stringify(part.providerData)}` : '';
		return `${part.type} ${part.text}${data}`;
	});
	const status = message.role === 'assistant' ? ` ${message.status}` : '';
	return `${message.role}${status}: ${parts.join(', ')}`;
}

/** The messages after the prompt; none if it goes too. */
const rows: ReadonlyArray<readonly [name: string, events: string, messages: string]> = [
	[
		'a complete turn keeps both messages',
		'notice start text:He text:llo end done',
		'assistant complete: text Hello',
	],
	[
		'reasoning and text are parts of their own, in the order in which they came',
		'start text:a think:r text:b think:s end done',
		'assistant complete: text a, reasoning r, text b, reasoning s',
	],
	[
		'reasoning ends with the data of the service, also if none of it was shown',
		'start think:r think:s thought:1 think:t text:a thought:2 think:u end done',
		'assistant complete: reasoning rs {"key":"1"}, reasoning t, text a, reasoning  {"key":"2"}, reasoning u',
	],
	[
		'a call has its place where it started',
		'start think:r call:1 args:1:{} text:a call:2 called:2 called:1 end:tool-calls done',
		[
			'assistant complete: reasoning r, call 1, text a, call 2',
			'tool 1 failed: cancelled | tool 2 failed: cancelled',
		].join(' | '),
	],
	['a failure without text takes the prompt away', 'start error:incomplete', ''],
	[
		'an interrupt during a tool call drops the call and the prompt',
		'start call:1 args:1:{ error:interrupted',
		'',
	],
	[
		'a cut during a tool call drops the call and keeps the text',
		'start text:He call:1 args:1:{ error:incomplete',
		'assistant incomplete: text He',
	],
	[
		'calls of a finished step get results if the turn fails after it',
		'start text:He call:1 called:1 end:tool-calls error:interrupted',
		'assistant complete: text He, call 1 | tool 1 failed: cancelled',
	],
	[
		'an answer cut at its length keeps its text and drops its calls',
		'start text:He call:1 called:1 end:length done',
		'assistant complete: text He',
	],
	[
		'calls without a name are dropped',
		'start text:He call:1 call:2 called:1/ called:2 end done',
		'assistant complete: text He, call 2 | tool 2 failed: cancelled',
	],
];

describe('an empty answer', () => {
	const asked = openConversation(prompt);

	it('leaves the conversation with its prompt, or stays unsent with its reasoning', () => {
		expect(reduceAll(asked, eventsOf('start end done'))).toEqual(createConversation());
		const after = reduceAll(asked, eventsOf('start think:hm end:length done'));
		expect(messagesOf(after)).toEqual([]);
		expect(after.turns.map(reasoningOf)).toEqual(['hm']);
	});

	it('after a tool leaves the result of the tool', () => {
		const result: ChatEvent = {type: 'tool-result', callId: 'a', ...textOutput('ran', false)};
		const called = [...eventsOf('start call:a called:a end:tool-calls'), result];
		const messages = messagesOf(reduceAll(asked, [...called, ...eventsOf('start end done')]));
		expect(messages.map(({role}) => role)).toEqual(['user', 'assistant', 'tool']);
	});
});

describe('a turn', () => {
	it.each(rows)('%s', (_, events, messages) => {
		const after = reduceAll(openConversation(prompt), eventsOf(events));
		const expected = messages === '' ? [] : ['user: text Hello?', ...messages.split(' | ')];
		expect(messagesOf(after).map(show)).toEqual(expected);
		expect(after.open).toBeUndefined();
	});

	it('shares the turns before it, also for each event', () => {
		const first = reduceAll(openConversation(prompt), eventsOf('start text:Hi end done'));
		const before = openConversation(prompt, first);
		expect(reduceConversation(before, retryNotice, 0)).toBe(before);
		expect(reduceAll(before, eventsOf('start text:Hi')).turns).toBe(first.turns);
		expect(reduceAll(before, eventsOf('start text:Hi end done')).turns[0]).toBe(first.turns[0]);
	});

	it('costs the same for a late delta as for an early one, after any number of turns', {
		tags: ['cost'],
	}, () => {
		const once = reduceAll(openConversation(prompt), eventsOf('start text:Hi end done'));
		expectLinearCost((size) => {
			const turns = Array.from({length: size}, () => once.turns).flat();
			const before = reduceAll(openConversation(prompt, {...once, turns}), eventsOf('start'));
			const deltas = Array.from({length: size}, () => text('word '));
			expect(reduceAll(before, deltas).turns).toBe(turns);
		}, 4000);
	});

	it('measures its reasoning up to the answer, and the whole, in whole milliseconds of a clock of its own', () => {
		const timed = eventsOf('start think:hm text:Hi end done');
		const {turns} = timed.reduce<Conversation>(
			(conversation, event, index) => reduceConversation(conversation, event, 10.3 * index),
			openConversation(prompt),
		);
		expect(turns.map(({times}) => times)).toEqual([{startedAt: 0, reasoningMs: 10, totalMs: 41}]);
	});

	it('counts neither calls nor questions about them as reasoning', () => {
		const result: ChatEvent = {type: 'tool-result', callId: 'c1', ...textOutput('sun', false)};
		const called = eventsOf('start think:Hm. called:c1 end:tool-calls');
		const timed = [...called, result, ...eventsOf('start think:So. text:Sunny. end done')];
		const times = [0, 10, 20, 20, 5000, 5000, 5010, 5025, 5030, 5030];
		const {turns} = timed.reduce<Conversation>(
			(conversation, event, index) => reduceConversation(conversation, event, times[index] ?? 0),
			openConversation(prompt),
		);
		expect(turns.map(({times}) => times.reasoningMs)).toEqual([25]);
	});

	it('adds up the tokens of its steps and of its failure', () => {
		const usage = {promptTokens: 1, completionTokens: 2, raw: {}};
		const failed: ChatEvent = {type: 'error', error: new ChatError('incomplete', 'cut', {usage})};
		const events = [start, text('Hi'), {...stepEnd(), usage} as const, start, failed];
		const {turns} = reduceAll(openConversation(prompt), events as readonly ChatEvent[]);
		expect(turns[0]?.usage).toMatchObject({promptTokens: 2, completionTokens: 4});
		expect(turns[0]?.status).toBe('incomplete');
	});
});

it('the system message comes first, and there is only one', () => {
	const systems = ['Be brief.', 'Be long.'];
	const change = (conversation: Conversation, system: string) =>
		applyChange(conversation, {type: 'system-changed', system});
	const messages = messagesOf(systems.reduce(change, openConversation(prompt)));
	expect(messages.map(show)).toEqual(['system: text Be long.', 'user: text Hello?']);
});

/** The roles that may follow each role, and the start and the end. */
const followers: Readonly<Record<string, readonly string[]>> = {
	start: ['system', 'user', 'end'],
	system: ['user', 'end'],
	user: ['assistant'],
	assistant: ['tool', 'user', 'end'],
	tool: ['tool', 'assistant', 'user', 'end'],
};

/** Faults for which services refuse a list of messages. */
function findFault(messages: readonly Message[]): string | undefined {
	const roles = ['start', ...messages.map(({role}) => role), 'end'];
	for (const [i, role] of roles.slice(0, -1).entries()) {
		const next = roles[i + 1] ?? '';
		if (!followers[role]?.includes(next)) return `${next} behind ${role}, message ${i}`;
	}
	const broken = messages.findIndex((_, i) => !hasResults(messages, i));
	return broken === -1 ? undefined : `calls and results differ, message ${broken}`;
}

/** Whether each call of this message has a name and, at once, one result, in order. */
function hasResults(messages: readonly Message[], i: number): boolean {
	const message = messages[i];
	if (message?.role !== 'assistant') return true;
	const calls = message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
	const rest = messages.slice(i + 1);
	const end = rest.findIndex(({role}) => role !== 'tool');
	const results = rest.slice(0, end === -1 ? rest.length : end);
	const ids = results.map((result) => (result.role === 'tool' ? result.callId : ''));
	return (
		calls.every(({name}) => name !== '') &&
		ids.join() === calls.map(({callId}) => callId).join() &&
		new Set(ids).size === ids.length
	);
}

const piece = fc.constantFrom('a', 'bc', ' ');
const stepBody = fc.array(
	fc.oneof(piece.map(text), piece.map(reasoning), fc.constant(retryNotice)),
	{maxLength: 5},
);
const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3'), {maxLength: 3});
const step = fc
	.record({
		body: stepBody,
		ids,
		name: fc.constantFrom('f', 'f', ''),
		reason: fc.constantFrom('stop', 'tool-calls', 'length', 'filter', 'unknown'),
	})
	.map(({body, ids: callIds, name, reason}) => [
		start,
		...body,
		...callIds.map((callId): ChatEvent => ({type: 'tool-call-start', callId, name})),
		...callIds.flatMap((callId) => eventsOf(`called:${callId}/${name}`)),
		stepEnd(reason),
	]);

/** The events of a turn of one step, whole or broken off anywhere. */
const turn = fc
	.record({
		events: step,
		cutAt: fc.option(fc.nat(12), {nil: undefined}),
		failure: fc.constantFrom(interrupted, cut, refused),
	})
	.map(({events, cutAt, failure}) =>
		cutAt === undefined ? [...events, turnEnd] : [...events.slice(0, cutAt), failure],
	);

describe('any turns, one after another', () => {
	fuzzProperty(
		'leave a conversation that can be sent',
		300,
		fc.property(fc.array(turn, {maxLength: 6}), fc.boolean(), (turns, hasSystem) => {
			let conversation = createConversation(hasSystem ? 'Be brief.' : '');
			for (const events of turns) {
				checkEventGrammar(events);
				conversation = reduceAll(openConversation(prompt, conversation), events);
				expect(findFault(messagesOf(conversation))).toBeUndefined();
				expect(conversation.open).toBeUndefined();
			}
		}),
	);

	fuzzProperty(
		'lose no text of an answer, and change no order',
		200,
		fc.property(turn, (events) => {
			const messages = messagesOf(reduceAll(openConversation(prompt), events));
			const shown = events.map((event) => {
				if (event.type === 'reasoning-delta') return event.text.toUpperCase();
				return event.type === 'text-delta' ? event.text : '';
			});
			const kept = messages
				.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
				.map((part) => {
					if (part.type === 'reasoning') return part.text.toUpperCase();
					return part.type === 'text' ? part.text : '';
				});
			if (kept.length > 0) expect(kept.join('')).toBe(shown.join(''));
			else expect(shown.join('')).toMatch(/^[A-Z ]*$/);
		}),
	);
});
