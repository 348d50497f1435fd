/**
 * A raw socket server that answers with scripted replies, even broken ones, byte for byte. It only
 * listens on the loopback address, and closing it ends every connection and timer.
 */
import {createServer, type Server, type Socket} from 'node:net';
import {setTimeout as delay, setImmediate as nextTurn} from 'node:timers/promises';
import {
	encodeHead,
	encodeHttpChunk,
	encodeOwnSegments,
	framingOf,
	isConnectionKept,
	type ReplayReply,
} from './replay-reply.ts';
import {createRequestReader, type RecordedRequest} from './request-reader.ts';

export type ReplayServer = {
	/** The endpoint for chat completions; all other paths get the same answers. */
	readonly url: URL;
	/** The requests so far, in order; the list grows. */
	readonly requests: readonly RecordedRequest[];
	/** The connections that are open. */
	readonly sockets: ReadonlySet<Socket>;
	/** Ends every connection. May be called again. */
	close(): Promise<void>;
};

export type ReplayOptions = {
	/** False: a GET gets 404, and is not recorded, unless its reply is a list of models. */
	readonly hasList?: false;
};

const noList: ReplayReply = {status: 404, headers: {'content-length': '0'}};

function isList(reply: ReplayReply | undefined): boolean {
	return String(reply?.bodyChunks?.[0] ?? '').startsWith('{"data"');
}

/**
 * Starts a server whose i-th request, over all connections, gets the i-th reply; the last one
 * repeats. A reply starts when the request is complete.
 */
export async function startReplayServer(
	replies: readonly ReplayReply[],
	options: ReplayOptions = {},
): Promise<ReplayServer> {
	const lastReply = replies.at(-1);
	if (lastReply === undefined) throw new Error('a replay server needs at least one reply');
	const requests: RecordedRequest[] = [];
	const sockets = new Set<Socket>();
	const server = createServer({noDelay: true}, (socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		answerRequests(socket, (request) => {
			if (
				options.hasList === false &&
				request.method === 'GET' &&
				!isList(replies[requests.length])
			) {
				return {reply: noList, segments: encodeOwnSegments(noList), pauseMs: 0};
			}
			const turn = requests.push(request) - 1;
			const reply = replies[turn] ?? lastReply;
			return {reply, segments: encodeOwnSegments(reply), pauseMs: reply.chunkDelayMs ?? 4};
		});
	});
	const port = await listen(server);
	let closing: Promise<void> | undefined;
	return {
		url: new URL(`http://127.0.0.1:${port}/v1/chat/completions`),
		requests,
		sockets,
		close() {
			closing ??= new Promise((resolve) => server.close(() => resolve()));
			for (const socket of sockets) socket.destroy();
			return closing;
		},
	};
}

/** A reply with the writes of its body, and the pause before each. */
type Delivery = {
	readonly reply: ReplayReply;
	readonly segments: readonly Buffer[];
	readonly pauseMs: number;
};

function answerRequests(socket: Socket, choose: (request: RecordedRequest) => Delivery): void {
	const gone = new AbortController();
	socket.on('close', () => gone.abort());
	// Some tests hang up in the middle of a reply.
	socket.on('error', () => gone.abort());
	let answering = Promise.resolve();
	const read = createRequestReader((request) => {
		const delivery = choose(request);
		answering = answering.then(() => deliver(socket, delivery, gone.signal));
	});
	socket.on('data', read);
}

async function deliver(
	socket: Socket,
	{reply, segments, pauseMs}: Delivery,
	gone: AbortSignal,
): Promise<void> {
	if (reply.status === 0) {
		socket.resetAndDestroy();
		return;
	}
	await write(socket, encodeHead(reply, Date.now()));
	for (const segment of segments) {
		await pause(pauseMs, gone);
		if (gone.aborted) return;
		await write(socket, segment);
	}
	await pause(pauseMs, gone);
	if (!gone.aborted) endReply(socket, reply);
}

function endReply(socket: Socket, reply: ReplayReply): void {
	const end = reply.end ?? 'clean';
	if (end === 'reset') socket.resetAndDestroy();
	else if (end === 'stall') keepAlive(socket, reply);
	else if (end === 'fin' || !isConnectionKept(reply)) socket.end();
}

function keepAlive(socket: Socket, reply: ReplayReply): void {
	if (reply.keepalive === undefined) return;
	const bytes = Buffer.from(reply.keepalive.chunk);
	const segment = framingOf(reply) === 'chunked' ? encodeHttpChunk(bytes) : bytes;
	const timer = setInterval(() => socket.write(segment), reply.keepalive.everyMs);
	socket.on('close', () => clearInterval(timer));
}

/** Resolves when the kernel has the bytes or the connection is gone: a reset drops the queue. */
function write(socket: Socket, bytes: Buffer): Promise<void> {
	return new Promise((resolve) => {
		socket.write(bytes, () => resolve());
	});
}

/** Waits at least one turn of the event loop, or a client here would read everything at once. */
async function pause(milliseconds: number, gone: AbortSignal): Promise<void> {
	if (milliseconds === 0) await nextTurn();
	else await delay(milliseconds, undefined, {signal: gone}).catch(() => undefined);
}

async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no TCP address');
	return address.port;
}
