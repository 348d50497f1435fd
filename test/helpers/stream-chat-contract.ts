/** Behaviour that a turn relies on in every `StreamChat`, whatever convention it speaks. */
import {afterEach, describe, expect, it} from 'vitest';
import {messagesOf} from '../../src/chat/conversation.ts';
import type {ChatEvent, ChatEventBatch} from '../../src/chat/event.ts';
import type {StepRequest, StreamChat} from '../../src/chat/stream-chat.ts';
import {ChatError, toChatError} from '../../src/errors.ts';
import {openConversation, reduceAll} from './conversation.ts';
import {checkEventBatches} from './event-grammar.ts';
import type {ReplayReply} from './replay-reply.ts';
import {type ReplayServer, startReplayServer} from './replay-server.ts';

export type Convention = {
	/** Without retries. */
	createStreamChat(serviceUrl: URL): StreamChat;
	/** One reply: the reasoning `Hm. 🤔`, the text `Hello, world 🌍.`, the call `f({"a":1})`. */
	readonly reply: {
		readonly reasoning: string;
		/** The events of `Hello, `, then those of `world 🌍.` */
		readonly text: readonly [string, string];
		/** The call and the end. */
		readonly end: string;
		/** The same reply when it is not streamed. */
		readonly whole: string;
	};
	/** An event that reports an error with the words `too busy`. */
	readonly errorEvent: string;
	/** The body of a refusal with the words `too busy`. */
	readonly refusal: string;
};

const options = {model: 'm-test', isStreaming: true};
const prompt = {role: 'user', parts: [{type: 'text', text: 'Hello?'}]} as const;

export function describeStreamChat(
	name: string,
	{createStreamChat, reply, errorEvent, refusal}: Convention,
): void {
	const {reasoning, text, end, whole} = reply;
	let server: ReplayServer;

	const answer: ReplayReply = {
		status: 200,
		headers: {'content-type': 'text/event-stream'},
		bodyChunks: [reasoning, ...text, end],
	};
	const partial: ReplayReply = {...answer, bodyChunks: [reasoning, text[0]]};

	async function start(...replies: ReplayReply[]): Promise<StreamChat> {
		server = await startReplayServer(replies);
		return createStreamChat(server.url);
	}

	const run = (
		streamChat: StreamChat,
		signal = new AbortController().signal,
		request: Partial<StepRequest> = {},
	) => streamChat({messages: [prompt], options, ...request}, signal);

	describe(`the client for ${name}`, () => {
		afterEach(() => server.close());

		it('yields one step with reasoning, text and calls', async () => {
			const {events, failure} = await read(run(await start(answer)));
			expect(failure).toBeUndefined();
			checkAnswer(events);
		});

		it.each([1, 2, 3, 4])('does not depend on how bytes are cut (seed %i)', async (seed) => {
			server = await startReplayServer([answer], {recut: {seed}});
			const {events, failure} = await read(run(createStreamChat(server.url)));
			expect(failure).toBeUndefined();
			checkAnswer(events);
		});

		it('reads a reply that is not streamed', async () => {
			const headers = {'content-type': 'application/json'};
			const streamChat = await start({status: 200, headers, bodyChunks: [whole]});
			const request = {options: {...options, isStreaming: false}};
			const {events, failure} = await read(run(streamChat, undefined, request));
			expect(failure).toBeUndefined();
			checkAnswer(events);
		});

		it('sends fields that it does not know as they are', async () => {
			const extraFields = {top_k: 40, provider: {order: ['a']}};
			await read(run(await start(answer), undefined, {options: {...options, extraFields}}));
			expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject(extraFields);
		});

		it('can be asked again, with its answer in the conversation', async () => {
			const streamChat = await start(answer);
			const first = await read(run(streamChat));
			const ended = reduceAll(openConversation('Go.'), [...first.events, {type: 'turn-end'}]);
			const messages = messagesOf(ended);
			const second = await read(run(streamChat, undefined, {messages: [...messages, prompt]}));
			checkAnswer(second.events);
			expect(server.requests[1]?.body).toContain('world 🌍.');
		});

		it.each(['clean', 'fin', 'reset'] as const)(
			'keeps the text of a reply that is cut off by %s',
			async (cut) => {
				const {events, failure} = await read(run(await start({...partial, end: cut})));
				checkPartial(events);
				expect(failure).toBeInstanceOf(ChatError);
				expect(failure).toMatchObject({kind: 'incomplete'});
			},
		);

		it('never takes a part of a reply for all of it', async () => {
			const body = Buffer.from([reasoning, ...text, end].join(''));
			const cuts = Array.from({length: 30}, (_, i) => Math.floor((body.length * i) / 30));
			const replies = cuts.map((cut) => ({...answer, bodyChunks: [body.subarray(0, cut)]}));
			const streamChat = await start(...replies.map((cut) => ({...cut, chunkDelayMs: 0})));
			for (const cut of cuts) {
				const {events, failure} = await read(run(streamChat));
				if (failure === undefined) checkAnswer(events);
				else expect(failure, `cut at ${cut}`).toBeInstanceOf(ChatError);
			}
		});

		it('keeps the text before an error', async () => {
			const failing = {...answer, bodyChunks: [reasoning, text[0], errorEvent, text[1], end]};
			const {events, failure} = await read(run(await start(failing)));
			checkPartial(events);
			expect(failure).toBeInstanceOf(ChatError);
			expect(failure).toMatchObject({message: expect.stringContaining('too busy')});
		});

		it('throws for a refusal, without a step', async () => {
			const {events, failure} = await read(run(await start({status: 503, bodyChunks: [refusal]})));
			expect(events).toEqual([]);
			expect(failure).toMatchObject({
				details: {status: 503, serviceMessage: 'too busy'},
			});
		});

		it('ends with the reply, whatever follows it', async () => {
			const endless = {...answer, bodyChunks: [reasoning, ...text, end, text[0], '{"error":1}\n']};
			const {events, failure} = await read(run(await start({...endless, end: 'stall'})));
			expect(failure).toBeUndefined();
			checkAnswer(events);
			await expect.poll(() => server.sockets.size).toBe(0);
		});

		it('stops with the reason of the signal, keeps the text and closes the connection', async () => {
			const controller = new AbortController();
			const stop = new Error('stop');
			const stream = run(await start({...partial, end: 'stall'}), controller.signal);
			const {events, failure} = await read(stream, (event) => {
				if (event.type === 'text-delta') controller.abort(stop);
			});
			checkPartial(events);
			expect(failure).toBe(stop);
			await expect.poll(() => server.sockets.size).toBe(0);
		});

		it('closes the connection when the loop is left', async () => {
			const stream = run(await start({...partial, end: 'stall'}));
			for await (const batch of stream) if (batch.some(isText)) break;
			await expect.poll(() => server.sockets.size).toBe(0);
			expect(await stream.next()).toEqual({value: undefined, done: true});
		});

		it('sends nothing after an abort', async () => {
			const stop = new Error('stop');
			const {events, failure} = await read(run(await start(answer), AbortSignal.abort(stop)));
			expect(events).toEqual([]);
			expect(failure).toBe(stop);
			await server.close();
			expect(server.requests).toEqual([]);
		});
	});
}

type Reading = {readonly events: readonly ChatEvent[]; readonly failure: unknown};

/** Reads to the end, and checks that the events keep their grammar and that nothing follows. */
async function read(
	stream: AsyncGenerator<ChatEventBatch, void, undefined>,
	onEvent: (event: ChatEvent) => void = () => undefined,
): Promise<Reading> {
	const batches: ChatEventBatch[] = [];
	let failure: unknown;
	try {
		for await (const batch of stream) {
			batches.push(batch);
			for (const event of batch) onEvent(event);
		}
	} catch (error) {
		failure = error;
	}
	expect(await stream.next()).toEqual({value: undefined, done: true});
	const last: ChatEvent =
		failure === undefined ? {type: 'turn-end'} : {type: 'error', error: toChatError(failure)};
	checkEventBatches([...batches, [last]]);
	return {events: batches.flat(), failure};
}

function checkAnswer(events: readonly ChatEvent[]): void {
	expect(joinTexts(events, 'reasoning-delta')).toBe('Hm. 🤔');
	expect(joinTexts(events, 'text-delta')).toBe('Hello, world 🌍.');
	const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
	expect(calls).toMatchObject([{name: 'f', arguments: '{"a":1}', isRunnable: true}]);
	expect(events.filter(({type}) => type === 'step-start')).toHaveLength(1);
	expect(events.at(-1)).toMatchObject({type: 'step-end', finishReason: {kind: 'tool-calls'}});
}

function checkPartial(events: readonly ChatEvent[]): void {
	expect(joinTexts(events, 'reasoning-delta')).toBe('Hm. 🤔');
	expect(joinTexts(events, 'text-delta')).toBe('Hello, ');
	expect(events.filter(({type}) => type === 'tool-call' || type === 'step-end')).toEqual([]);
}

const isText = ({type}: ChatEvent) => type === 'text-delta';

function joinTexts(events: readonly ChatEvent[], type: 'text-delta' | 'reasoning-delta'): string {
	return events.map((event) => (event.type === type ? event.text : '')).join('');
}
