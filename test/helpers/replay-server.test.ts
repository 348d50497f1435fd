import {get, request as httpRequest, type IncomingMessage} from 'node:http';
import {connect, Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {afterEach, describe, expect, it, onTestFinished, vi} from 'vitest';
import type {ReplayReply} from './replay-reply.ts';
import {type ReplayOptions, type ReplayServer, startReplayServer} from './replay-server.ts';

const servers: ReplayServer[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(replies: readonly ReplayReply[], options?: ReplayOptions) {
	const server = await startReplayServer(replies, options);
	servers.push(server);
	return server;
}

type SocketStory = {
	/** The text of each read from the socket. */
	readonly reads: readonly string[];
	/** `end` for an orderly close, else the code of the error. */
	readonly end: string;
};

/** Sends one request on a raw socket and reads until it ends, or until `isEnough` says so. */
function requestRaw(
	url: URL,
	isEnough: (read: string) => boolean = () => false,
): Promise<SocketStory> {
	return new Promise((resolve) => {
		const reads: string[] = [];
		const socket = connect(Number(url.port), url.hostname);
		const finish = (end: string) => {
			socket.destroy();
			resolve({reads, end});
		};
		socket.setNoDelay(true);
		socket.on('data', (bytes: Buffer) => {
			reads.push(bytes.toString('latin1'));
			if (isEnough(reads.join(''))) finish('open');
		});
		socket.on('end', () => finish('end'));
		socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
		socket.write(`POST ${url.pathname} HTTP/1.1\r\nhost: test\r\ncontent-length: 2\r\n\r\n{}`);
	});
}

/** Returns a function for the texts that the server has written: the system may join them. */
function watchWrites({port}: URL): () => readonly string[] {
	const write = vi.spyOn(Socket.prototype, 'write');
	onTestFinished(() => write.mockRestore());
	return () =>
		write.mock.calls.flatMap(([bytes], call) => {
			const socket: unknown = write.mock.contexts[call];
			const isServer = socket instanceof Socket && socket.localPort === Number(port);
			return isServer ? [String(bytes)] : [];
		});
}

function fetchReply(url: URL): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		get(url, {agent: false}, resolve).on('error', reject);
	});
}

/** Returns the error of reading a body that does not end cleanly. */
async function readBroken(url: URL): Promise<{code: unknown; isComplete: boolean}> {
	const response = await fetchReply(url);
	const error = await text(response).catch((cause: unknown) => cause);
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return {code, isComplete: response.complete};
}

const hello: ReplayReply = {status: 200, bodyChunks: ['Hel', 'lo'], chunkDelayMs: 0};

describe('the writes of a reply', () => {
	it('are one per chunk, with separate ones for the head and the terminator', async () => {
		const {url} = await start([hello]);
		const writes = watchWrites(url);
		await requestRaw(url, (read) => read.endsWith('0\r\n\r\n'));
		expect(writes()).toEqual([
			'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
			'3\r\nHel\r\n',
			'2\r\nlo\r\n',
			'0\r\n\r\n',
		]);
	});

	it('are raw bytes for a chunk in base64', async () => {
		const {url} = await start([{status: 200, framing: 'close', bodyChunks: ['base64:/w==', 'x']}]);
		const {reads, end} = await requestRaw(url);
		// The system may join writes without a delay between them.
		expect(reads.join('').split('\r\n\r\n')[1]).toBe('\xffx');
		expect(end).toBe('end');
	});

	it('never contain an empty chunk, which would end the body', async () => {
		const {url} = await start([{...hello, bodyChunks: ['', 'a', '', 'b']}]);
		expect(await text(await fetchReply(url))).toBe('ab');
	});
});

describe('the ends of a reply', () => {
	it.each(['chunked', 'length'] as const)('clean: a %s body is complete', async (framing) => {
		const {url} = await start([{...hello, framing}]);
		const response = await fetchReply(url);
		expect(await text(response)).toBe('Hello');
		expect(response.complete).toBe(true);
	});

	it('clean: headers alone are a complete reply', async () => {
		const {url} = await start([{status: 301, framing: 'none', headers: {location: '/there'}}]);
		const response = await fetchReply(url);
		expect(response.statusCode).toBe(301);
		expect(response.headers.location).toBe('/there');
		expect(await text(response)).toBe('');
	});

	it.each(['chunked', 'length'] as const)('fin: a %s body is aborted', async (framing) => {
		const {url} = await start([{...hello, framing, end: 'fin'}]);
		expect(await readBroken(url)).toEqual({code: 'ECONNRESET', isComplete: false});
		expect((await requestRaw(url)).end).toBe('end');
	});

	it('fin: a given length is sent unchanged', async () => {
		const {url} = await start([{...hello, headers: {'content-length': '400'}, end: 'fin'}]);
		const {reads, end} = await requestRaw(url);
		expect(reads.join('')).toBe('HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\nHello');
		expect(end).toBe('end');
	});

	it('reset: every byte arrives before the reset does', async () => {
		const {url} = await start([{...hello, end: 'reset'}]);
		const {reads, end} = await requestRaw(url);
		expect(reads.join('')).toMatch(/3\r\nHel\r\n2\r\nlo\r\n$/);
		expect(end).toBe('ECONNRESET');
	});

	it('status 0: the connection is reset before any byte', async () => {
		const {url, requests} = await start([{status: 0}]);
		expect(await requestRaw(url)).toEqual({reads: [], end: 'ECONNRESET'});
		expect(requests).toHaveLength(1);
	});

	it('stall: the connection stays open, and keep-alives continue', async () => {
		const keepalive = {chunk: ':\n\n', everyMs: 1};
		const {url} = await start([{...hello, end: 'stall', keepalive}]);
		const {end} = await requestRaw(url, (read) => read.split('3\r\n:\n\n\r\n').length > 3);
		expect(end).toBe('open');
	});
});

describe('a replay server', () => {
	it('records each request when it is complete', async () => {
		const {url, requests} = await start([hello]);
		const before = performance.now();
		const socket = connect(Number(url.port), url.hostname);
		const reads = socket.setEncoding('utf8')[Symbol.asyncIterator]();
		socket.write('POST /v1/x HTTP/1.1\r\nX-Key: a:b\r\nContent-Length: 4\r\n\r\n{"');
		await new Promise((resolve) => setImmediate(resolve));
		expect(requests).toEqual([]);
		socket.write('é');
		await reads.next();
		socket.destroy();
		expect(requests).toEqual([
			{
				method: 'POST',
				path: '/v1/x',
				headers: {'x-key': 'a:b', 'content-length': '4'},
				body: '{"é',
				atMs: expect.any(Number),
			},
		]);
		expect(requests[0]?.atMs).toBeGreaterThanOrEqual(before);
	});

	it('gives each request the next reply, even on one connection, and repeats the last', async () => {
		const replies = ['one', 'two'].map((body) => ({...hello, bodyChunks: [body]}));
		const {url, requests} = await start(replies);
		const socket = connect(Number(url.port), url.hostname);
		const post = 'POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n';
		socket.setEncoding('utf8').write(post + post + post);
		let read = '';
		for await (const piece of socket) {
			read += piece;
			if (read.split('0\r\n\r\n').length > 3) break;
		}
		expect(read.match(/one|two/g)).toEqual(['one', 'two', 'two']);
		expect(requests).toHaveLength(3);
	});

	it('fills in dates', async () => {
		const {url} = await start([{status: 429, headers: {'retry-after': '{{httpdate+5s}}'}}]);
		const before = Date.now();
		const {headers} = await fetchReply(url);
		const date = Date.parse(headers['retry-after'] ?? '');
		// Such a date has whole seconds.
		expect(date).toBeGreaterThan(before + 4000);
		expect(date).toBeLessThanOrEqual(Date.now() + 5000);
	});

	it('ends open connections when it closes, and can be closed twice', async () => {
		const server = await startReplayServer([{...hello, end: 'stall'}]);
		const broken = readBroken(server.url);
		while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
		await Promise.all([server.close(), server.close()]);
		expect((await broken.catch((error: NodeJS.ErrnoException) => error)).code).toBe('ECONNRESET');
		const refused = await fetchReply(server.url).catch((error: unknown) => error);
		expect(refused).toMatchObject({code: 'ECONNREFUSED'});
	});

	it('continues when a client hangs up in the middle of a reply', async () => {
		const {url} = await start([{...hello, bodyChunks: Array(50).fill('x'), chunkDelayMs: 1}]);
		await requestRaw(url, (read) => read.includes('x'));
		expect(await text(await fetchReply(url))).toBe('x'.repeat(50));
	});
});

describe('a reply with random boundaries', () => {
	const reply: ReplayReply = {status: 200, bodyChunks: ['data: 日本語\n\n', 'data: [DONE]\n\n']};
	const seeds = Array.from({length: 12}, (_, index) => index);

	it.each(['chunked', 'length', 'close'] as const)('has the same %s body', async (framing) => {
		for (const seed of seeds) {
			const {url} = await start([{...reply, framing}], {recut: {seed}});
			const body = await text(await fetchReply(url));
			expect(body, `seed ${seed}`).toBe('data: 日本語\n\ndata: [DONE]\n\n');
		}
	});

	it('is the same for the same seed, and differs for others', async () => {
		const stories = new Set<string>();
		for (const seed of seeds) {
			const bodies = [];
			for (let run = 0; run < 2; run += 1) {
				const {url} = await start([reply], {recut: {seed}});
				const {reads} = await requestRaw(url, (read) => read.endsWith('0\r\n\r\n'));
				bodies.push(reads.join(''));
			}
			expect(bodies[0], `seed ${seed}`).toBe(bodies[1]);
			stories.add(bodies[0] ?? '');
		}
		expect(stories.size).toBeGreaterThan(6);
	});

	it('is sent in many writes', async () => {
		const {url} = await start([{...reply, framing: 'close'}], {recut: {seed: 1}});
		const writes = watchWrites(url);
		await requestRaw(url);
		expect(writes().length).toBeGreaterThan(3);
	});

	it('still ends in a reset if the reply does', async () => {
		const {url} = await start([{...reply, end: 'reset'}], {recut: {seed: 3}});
		expect(await readBroken(url)).toEqual({code: 'ECONNRESET', isComplete: false});
	});

	it('answers a request that was posted with a body', async () => {
		const {url, requests} = await start([reply], {recut: {seed: 4}});
		const response = await new Promise<IncomingMessage>((resolve, reject) => {
			httpRequest(url, {method: 'POST', agent: false}, resolve).on('error', reject).end('{}');
		});
		await text(response);
		expect(requests).toMatchObject([{method: 'POST', path: '/v1/chat/completions', body: '{}'}]);
	});
});
