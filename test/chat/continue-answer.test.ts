import {describe, expect, it} from 'vitest';
import {createContinuingChat} from '../../src/chat/continue-answer.ts';
import {resumeTurn} from '../../src/chat/conversation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import type {StepRequest, StreamChat} from '../../src/chat/stream-chat.ts';
import {runTurn} from '../../src/chat/turn.ts';
import {ChatError, type ErrorKind} from '../../src/errors.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {openConversation, reduceAll} from '../helpers/conversation.ts';
import {reasoningDelta, stepStart as start, textDelta as text, turnEnd} from '../helpers/events.ts';

const usage = (count: number) => ({completionTokens: count, raw: {completion_tokens: count}});
const end = (kind: 'stop' | 'length' | 'filter', tokens = 1): readonly ChatEvent[] => [
	...(kind === 'length'
		? [{type: 'notice', notice: {code: 'length', message: 'cut'}} as const]
		: []),
	{type: 'step-end', finishReason: {kind, raw: kind}, usage: usage(tokens)},
];

type Reply = readonly (ChatEvent | ErrorKind)[];

/** A client whose requests get these replies. */
function createClient(...replies: readonly Reply[]) {
	const requests: StepRequest[] = [];
	const streamChat: StreamChat = async function* (request) {
		const reply = replies[requests.length] ?? [];
		requests.push(request);
		for (const event of reply) {
			if (typeof event === 'string') throw new ChatError(event, `failed: ${event}`);
			yield [event];
		}
	};
	return {streamChat, requests};
}

type AskOptions = {
	readonly limit?: number;
	readonly isRestWanted?: boolean;
	readonly responseFormat?: 'json_object';
};

async function ask(replies: readonly Reply[], options: AskOptions = {}) {
	const {limit = 3, isRestWanted = false, responseFormat} = options;
	const client = createClient(...replies);
	const conversation = openConversation('write');
	const collected = await collectTurn(
		runTurn({
			conversation,
			options: {model: 'm', isStreaming: true, responseFormat},
			streamChat: createContinuingChat(client.streamChat, {limit, isRestWanted}),
			signal: new AbortController().signal,
		}),
	);
	const [turn] = reduceAll(conversation, collected.events).turns;
	return {...collected, turn, requests: client.requests};
}

const numbers = Array.from({length: 60}, (_, index) => `item ${index}`).join(', ');
const tail = numbers.slice(-200);

describe('a cut answer', () => {
	it.each<[cause: string, ending: Reply]>([
		['the token limit', end('length')],
		['a broken connection', ['incomplete']],
		['a failure of the service', ['unavailable']],
	])('goes on after %s, as one message', async (cause, ending) => {
		const {content, turn, notices, error, finishReason} = await ask([
			[start, text(numbers), ...ending],
			[start, reasoningDelta('Hm.'), text(tail), text(', the end'), ...end('stop', 9)],
		]);
		expect(content).toBe(`${numbers}, the end`);
		expect(error).toBeUndefined();
		expect(finishReason).toBe('stop');
		expect(notices.map(({message}) => message)).toEqual([
			`continued after ${cause} (1 of 3); the seam was checked`,
		]);
		expect(turn).toMatchObject({
			status: 'complete',
			cut: undefined,
			messages: [{parts: [{type: 'text', text: `${numbers}, the end`}]}],
			usage: {completionTokens: ending.length === 2 ? 10 : 9},
		});
	});

	it('is sent back with its end to be repeated', async () => {
		const {requests} = await ask([[start, text('Once upon'), ...end('length')]]);
		const [{messages: before = []} = {}, {messages: after = []} = {}] = requests;
		expect(after.slice(0, before.length)).toEqual(before);
		expect(after.slice(before.length)).toMatchObject([
			{role: 'assistant', parts: [{text: 'Once upon'}]},
			{
				role: 'user',
				parts: [{text: expect.stringMatching(/^Your answer was cut off.*\n\nOnce upon$/s)}],
			},
		]);
	});

	it('goes on up to the limit, and no further after a part that adds next to nothing', async () => {
		const part = (from: string, more: string): Reply => [
			start,
			text(from + more),
			...end('length'),
		];
		const more = ', and twenty more characters of it';
		const replies = [part(numbers, ''), ...Array.from({length: 9}, () => part('', ''))];
		const first = await ask(
			[part(numbers, ''), part(tail, more), part(tail + more, more), part('', 'x')],
			{limit: 2},
		);
		expect(first).toMatchObject({content: numbers + more + more, finishReason: 'length'});
		expect(first.requests).toHaveLength(3);
		expect(first.turn?.usage?.completionTokens).toBe(3);
		const second = await ask([part(numbers, ''), part(tail, ' end'), ...replies]);
		expect(second).toMatchObject({content: `${numbers} end`, finishReason: 'length'});
		expect(second.requests).toHaveLength(2);
	});

	it.each<[name: string, second: Reply, rest: string]>([
		['without the anchor', [start, text('And so on.'), ...end('stop')], 'And so on.'],
		[
			'that is cut within the anchor',
			[start, text(tail.slice(0, 90)), 'incomplete'],
			tail.slice(0, 90),
		],
		[
			'that calls a tool first',
			[start, {type: 'tool-call-start', callId: 'a', name: 'f'}, 'incomplete'],
			'',
		],
		['that fails', ['auth'], ''],
	])('stays cut, with its own end, after a continuation %s', async (_name, second, rest) => {
		for (const ending of [end('length'), ['incomplete'] as const]) {
			const {content, error, finishReason, events, notices, turn} = await ask(
				[[start, text(numbers), ...ending], second],
				{isRestWanted: true},
			);
			expect(content).toBe(numbers);
			if (ending.length === 2) expect(finishReason).toBe('length');
			else expect(error).toMatchObject({kind: 'incomplete'});
			expect(turn?.messages).toHaveLength(1);
			expect(notices.map(({code}) => code)).toContain('not-continued');
			const rejected = events.find(
				(event) => event.type === 'continuation' && event.continuation.state === 'rejected',
			);
			expect(rejected).toMatchObject({continuation: {text: rest}});
		}
	});

	it.each<[name: string, reply: Reply, options?: AskOptions]>([
		['without text', [start, reasoningDelta('Hm.'), ...end('length')]],
		[
			'with an open call',
			[start, text('a'), {type: 'tool-call-start', callId: 'a', name: 'f'}, 'timeout'],
		],
		['filtered', [start, text('a'), ...end('filter')]],
		['that is JSON', [start, text('{'), ...end('length')], {responseFormat: 'json_object'}],
		['that repeats itself', [start, text('la '.repeat(400)), ...end('length')]],
	])('is not continued %s', async (_name, reply, options) => {
		const {requests, isComplete, finishReason, error} = await ask([reply], options);
		expect(requests).toHaveLength(1);
		expect(isComplete ? finishReason : error?.kind).not.toBe('stop');
	});

	it('keeps what was joined when it is interrupted', async () => {
		const controller = new AbortController();
		const {streamChat} = createClient(
			[start, text(numbers), ...end('length')],
			[start, text(tail), text(', joined'), 'incomplete'],
		);
		const stopping: StreamChat = async function* (request, signal) {
			for await (const batch of streamChat(request, signal)) {
				yield batch;
				const isJoined = JSON.stringify(batch).includes(', joined');
				if (isJoined) controller.abort(new ChatError('interrupted', 'stop'));
			}
		};
		const conversation = openConversation('write');
		const {events} = await collectTurn(
			runTurn({
				conversation,
				options: {model: 'm', isStreaming: true},
				streamChat: createContinuingChat(stopping, {limit: 2, isRestWanted: false}),
				signal: controller.signal,
			}),
		);
		const messages = [{parts: [{text: `${numbers}, joined`}]}];
		const [turn] = reduceAll(conversation, events).turns;
		expect(turn).toMatchObject({status: 'interrupted', messages});
	});
});

describe('a cut turn of the conversation', () => {
	const cut = reduceAll(openConversation('write'), [
		start,
		text(numbers),
		...end('length', 5),
		turnEnd,
	]);

	async function resume(reply: Reply) {
		const conversation = resumeTurn(cut, 0);
		if (conversation === undefined) throw new Error('not cut');
		const {streamChat, requests} = createClient(reply);
		const {events} = await collectTurn(
			runTurn({
				conversation,
				options: {model: 'm', isStreaming: true},
				streamChat: createContinuingChat(streamChat, {limit: 1, isRestWanted: false}),
				signal: new AbortController().signal,
			}),
		);
		expect(requests).toHaveLength(1);
		return reduceAll(conversation, events).turns;
	}

	it('grows, with its usage', async () => {
		const turns = await resume([start, text(`${tail}, the end`), ...end('stop', 7)]);
		expect(turns).toMatchObject([
			{
				id: 'turn-1',
				status: 'complete',
				cut: undefined,
				usage: {completionTokens: 12},
				messages: [{role: 'assistant', status: 'complete', parts: [{text: `${numbers}, the end`}]}],
			},
		]);
	});

	it('stays as it was if nothing can be joined', async () => {
		const turns = await resume([start, text('No.'), ...end('stop', 7)]);
		expect(turns).toMatchObject([
			{status: 'complete', cut: {kind: 'length'}, messages: cut.turns[0]?.messages},
		]);
	});

	it('is needed: a whole answer, a refusal and a filtered one have nothing to add', () => {
		const refusal = {type: 'refusal-delta', text: 'No.'} as const;
		const ends = [end('stop'), end('filter'), [refusal, ...end('length')]];
		for (const events of ends) {
			const all = [start, text('a'), ...events, turnEnd];
			expect(resumeTurn(reduceAll(openConversation('a'), all), 0)).toBeUndefined();
		}
	});
});
