/** The waits that each time limit bounds, those that it allows, and the end of all timers. */
import type {Socket} from 'node:net';
import {setTimeout as delay, setImmediate as nextTurn} from 'node:timers/promises';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import type {ChatEventBatch} from '../../src/chat/event.ts';
import {createDeadline} from '../../src/protocol/http/deadline.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {
	ask,
	lastHttpChunk,
	type RawServer,
	startRawServer,
	startRequestServer,
	streamHead,
	toEvent,
	toHttpChunk,
} from './raw-server.ts';

/** Sends these once the request has come; the connection stays open. */
async function serve(...pieces: readonly string[]): Promise<RawServer> {
	return await startRequestServer((socket) => {
		for (const piece of pieces) socket.write(piece);
	});
}

/** Goes on sending a piece until the connection is gone. */
function repeat(socket: Socket, piece: string, everyMs: number): void {
	const timer = setInterval(() => socket.write(piece), everyMs);
	socket.on('close', () => clearInterval(timer));
}

/** The turn that began with this batch. */
function collectRest(stream: AsyncGenerator<ChatEventBatch>, first: ChatEventBatch) {
	return collectTurn(
		(async function* joined() {
			yield first;
			yield* stream;
		})(),
	);
}

/** Counts timers that run, of the client and of vitest. */
const countTimers = () =>
	process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

/** Timers run only when the test moves their clock. */
function stopClock(): void {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	onTestFinished(() => void vi.useRealTimers());
}

/** Waits until this many timers run on the stopped clock. */
const timersAre = (count: number) => expect.poll(() => vi.getTimerCount()).toBe(count);

async function timed<Value>(run: Promise<Value>): Promise<Value & {elapsedMs: number}> {
	const startMs = performance.now();
	return {...(await run), elapsedMs: performance.now() - startMs};
}

describe('the connect limit', () => {
	it('ends a handshake without an answer, once on this machine', async () => {
		const server = await startRawServer(() => undefined);
		const url = new URL(server.url);
		url.protocol = 'https:';
		const turn = await timed(collectTurn(ask(url, {limits: {connectMs: 60, maxRetries: 2}})));
		expect(turn.error).toMatchObject({
			kind: 'timeout',
			details: {
				code: 'ETIMEDOUT',
				attempts: 1,
				hint: expect.stringContaining('Does the service speak https'),
			},
		});
		expect(turn.error?.message).toContain('no answer to TLS within 60 ms');
		expect(turn.elapsedMs).toBeGreaterThan(50);
	});

	it('does not limit the wait for an answer', async () => {
		stopClock();
		let isAsked = false;
		const {url} = await startRequestServer(() => {
			isAsked = true;
		});
		const turn = collectTurn(ask(url, {limits: {connectMs: 500, payloadMs: 700}}));
		await expect.poll(() => isAsked).toBe(true);
		await timersAre(1);
		vi.advanceTimersByTime(700);
		expect((await turn).error?.message).toContain('no answer within 0.7 s');
	});
});

describe('the payload limit', () => {
	it('limits the wait for a head', async () => {
		const {url} = await serve();
		const {error} = await collectTurn(ask(url, {limits: {payloadMs: 60, maxRetries: 2}}));
		expect(error).toMatchObject({kind: 'timeout', details: {retryable: true, attempts: 1}});
		expect(error?.message).toContain('no answer within 60 ms');
	});

	it('limits a whole reply that is not streamed, even with blanks', async () => {
		const server = await startRequestServer((socket) => {
			socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
			repeat(socket, toHttpChunk('\n'), 10);
		});
		const turn = await collectTurn(
			ask(server.url, {limits: {payloadMs: 80, idleMs: 20}, options: {isStreaming: false}}),
		);
		expect(turn.error?.kind).toBe('timeout');
		expect(turn.error?.message).toContain('no answer within 80 ms');
	});
});

describe('the idle limit', () => {
	it('does not end a stream that continued while the process was stopped', async () => {
		const {url, sockets} = await serve(streamHead, toHttpChunk(toEvent('Hel')));
		const stream = ask(url, {limits: {idleMs: 60}});
		const first = await stream.next();
		for (const socket of sockets) socket.end(toHttpChunk(toEvent('lo', 'stop')) + lastHttpChunk);
		stopProcess(120);
		expect(await collectRest(stream, first.value ?? [])).toMatchObject({
			content: 'Hello',
			isComplete: true,
		});
	});

	it('runs from the first byte of the body, not before', async () => {
		const {url} = await serve(streamHead);
		const turn = await collectTurn(ask(url, {limits: {idleMs: 20, payloadMs: 100}}));
		expect(turn.error?.message).toContain('no answer within 0.1 s');
	});

	it.each(['idleMs', 'payloadMs'] as const)('%s of 0 sets no limit', async (name) => {
		const {url} = await serve(streamHead, toHttpChunk(toEvent('Hi')));
		const other = name === 'idleMs' ? 'payloadMs' : 'idleMs';
		const turn = await timed(collectTurn(ask(url, {limits: {[name]: 0, [other]: 80}})));
		expect(turn.error?.kind).toBe('timeout');
		expect(turn.elapsedMs).toBeGreaterThan(70);
	});
});

describe('the grace time after a finished answer', () => {
	it('ends a stream that continues with empty events, with a complete answer', async () => {
		const server = await startRequestServer((socket) => {
			socket.write(streamHead + toHttpChunk(toEvent('Hi', 'stop')));
			repeat(socket, toHttpChunk('data: {"choices":[]}\n\n'), 10);
		});
		const limits = {finishGraceMs: 300, idleMs: 200, payloadMs: 200};
		const turn = await collectTurn(ask(server.url, {limits}));
		expect(turn).toMatchObject({content: 'Hi', isComplete: true, finishReason: 'stop'});
		await expect.poll(() => server.sockets.size).toBe(0);
	});

	it('is the only limit after the finish', async () => {
		stopClock();
		const {url, sockets} = await serve(streamHead, toHttpChunk(toEvent('Hi', 'stop')));
		const limits = {finishGraceMs: 900, idleMs: 500, payloadMs: 500};
		const stream = ask(url, {limits});
		const first = await stream.next();
		expect(first.value).toMatchObject([{type: 'step-start'}, {text: 'Hi'}]);
		const turn = collectRest(stream, first.value ?? []);
		await timersAre(1);
		for (const socket of sockets) socket.write(toHttpChunk(': x\n\ndata: {"choices":[]}\n\n'));
		// The client reads this meanwhile.
		await delay(50);
		vi.advanceTimersByTime(899);
		await nextTurn();
		expect(vi.getTimerCount()).toBe(1);
		vi.advanceTimersByTime(1);
		expect(await turn).toMatchObject({content: 'Hi', isComplete: true, notices: []});
	});
});

it('what comes restarts a limit: comments that of bytes, even empty events both', async () => {
	let left = 9;
	const withEvents = await startRequestServer((socket) => {
		socket.write(streamHead);
		const timer = setInterval(() => {
			if (left-- > 0) return socket.write(toHttpChunk('data: {"choices":[]}\n\n'));
			socket.end(toHttpChunk(toEvent('Hi', 'stop')) + lastHttpChunk);
			return clearInterval(timer);
		}, 80);
	});
	const withComments = await startRequestServer((socket) => {
		socket.write(streamHead);
		repeat(socket, toHttpChunk(':\n\n'), 10);
	});
	const limits = {idleMs: 500, payloadMs: 600};
	const [turn, {error}] = await Promise.all([
		timed(collectTurn(ask(withEvents.url, {limits}))),
		collectTurn(ask(withComments.url, {limits})),
	]);
	expect(turn).toMatchObject({content: 'Hi', isComplete: true});
	expect(turn.elapsedMs).toBeGreaterThan(650);
	expect(error?.message).toContain('no answer within 0.6 s');
});

/** Nothing runs meanwhile, as after Ctrl-Z. */
const stopProcess = (milliseconds: number) =>
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

describe('a slow reader', () => {
	it('does not time out while unread data waits, and more comes', async () => {
		const server = await startRequestServer((socket) => {
			socket.write(streamHead + toHttpChunk(toEvent('a')));
			repeat(socket, toHttpChunk(toEvent('b')), 10);
		});
		let last = '';
		let batches = 0;
		for await (const batch of ask(server.url, {limits: {idleMs: 500, payloadMs: 500}})) {
			last = batch.at(-1)?.type ?? '';
			// Longer than every limit.
			if (batches++ === 0) await delay(700);
			if (batches === 6) break;
		}
		expect(last).toBe('text-delta');
	});
});

describe('no timer is left', () => {
	const finished = [
		streamHead,
		toHttpChunk(toEvent('Hi', 'stop')),
		toHttpChunk('data: [DONE]\n\n'),
	];

	it.each([
		['a finished answer', finished],
		['an error status', ['HTTP/1.1 400 Oh\r\ncontent-length: 2\r\n\r\n{}']],
	])('after %s', async (_, pieces) => {
		const {url} = await serve(...pieces);
		const before = countTimers();
		await collectTurn(ask(url, {limits: {finishGraceMs: 30}}));
		expect(countTimers()).toBeLessThanOrEqual(before);
	});

	it('after an abort, and after leaving early', async () => {
		const {url} = await serve(streamHead, toHttpChunk(toEvent('Hi')));
		const before = countTimers();
		const controller = new AbortController();
		const stream = ask(url, {signal: controller.signal});
		await stream.next();
		expect(countTimers()).toBeGreaterThan(before);
		controller.abort(new Error('stop'));
		await stream.next();
		expect(countTimers()).toBeLessThanOrEqual(before);
		const other = ask(url);
		await other.next();
		await other.return();
		expect(countTimers()).toBeLessThanOrEqual(before);
	});
});

describe('a deadline', () => {
	it('expires later after a restart, but not after a second start', async () => {
		const expired: string[] = [];
		await new Promise<void>((resolve) => {
			const kept = createDeadline(60, () => expired.push('started again'));
			const moved = createDeadline(60, () => {
				expired.push('started over');
				resolve();
			});
			kept.start();
			moved.start();
			createDeadline(40, () => {
				kept.start();
				moved.restart();
			}).start();
		});
		expect(expired).toEqual(['started again', 'started over']);
	});

	it.each([0, -1, 2 ** 31, Number.POSITIVE_INFINITY, Number.NaN])(
		'of %s has no timer',
		(limitMs) => {
			const before = countTimers();
			const deadline = createDeadline(limitMs, () => expect.unreachable());
			deadline.start();
			deadline.restart();
			expect(countTimers()).toBe(before);
		},
	);
});
