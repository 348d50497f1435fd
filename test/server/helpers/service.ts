/**
 * The boundary to the built-in service: a running one for each test, and a client over real sockets
 * that reads JSON, errors and event streams.
 */
import {afterAll, afterEach, beforeAll} from 'vitest';
import type {ServiceLimits} from '../../../src/server/http/service.ts';
import {type RunningServer, type ServerOptions, startServer} from '../../../src/server/server.ts';

const running = new Set<RunningServer>();

afterEach(async () => {
	const servers = [...running];
	running.clear();
	await Promise.all(servers.map((server) => server.close()));
});

/** Starts a service that is closed after the test. */
export async function serve(
	options: Partial<ServerOptions> = {},
	limits: Partial<ServiceLimits> = {},
): Promise<RunningServer> {
	const server = await startServer({host: '127.0.0.1', port: 0, ...options}, limits);
	running.add(server);
	return server;
}

/** A service for all tests of a file, which leave nothing in it that another one sees. */
export function serveAll(): {readonly url: string} {
	const shared = {url: ''};
	let server: RunningServer | undefined;
	beforeAll(async () => {
		server = await startServer({host: '127.0.0.1', port: 0});
		shared.url = server.url;
	});
	afterAll(() => server?.close());
	return shared;
}

export type Body = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs.
export type Reply = any;

/** A body with one user message; `extra` overrides its fields. */
export function bodyOf(content: unknown, extra: Body = {}): Body {
	return {model: 'MODEL-5.6-luna', messages: [{role: 'user', content}], ...extra};
}

export async function post(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
	operation = 'chat/completions',
): Promise<Response> {
	return await fetch(`${url}/v1/${operation}`, {
		method: 'POST',
		headers: {'content-type': 'application/json', ...headers},
		body: encodeBody(body),
	});
}

function encodeBody(body: unknown): string | Uint8Array<ArrayBuffer> {
	if (typeof body === 'string') return body;
	return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

/** The JSON of a reply, which must be a 200. */
export async function complete(url: string, body: Body): Promise<Reply> {
	const response = await post(url, body);
	const reply = (await response.json()) as Reply;
	if (response.status !== 200) throw new Error(`${response.status}: ${JSON.stringify(reply)}`);
	return reply;
}

/** The answer to one prompt. */
export async function ask(url: string, content: unknown, extra: Body = {}): Promise<string> {
	return (await complete(url, bodyOf(content, extra))).choices[0].message.content;
}

/** The payloads of a streamed reply, the end marker last. */
export async function readEvents(response: Response): Promise<readonly string[]> {
	const text = await response.text();
	const events = text.split('\n\n');
	if (events.pop() !== '') throw new Error('the stream does not end with a blank line');
	return events.map((event) => {
		if (!event.startsWith('data: ')) throw new Error(`not a data event: ${event}`);
		return event.slice('data: '.length);
	});
}

/** The chunks of a streamed reply. */
export async function streamChunks(url: string, body: Body): Promise<readonly Reply[]> {
	const response = await post(url, {...body, stream: true});
	const events = await readEvents(response);
	if (events.at(-1) !== '[DONE]') throw new Error('the stream has no end marker');
	return events.slice(0, -1).map((event) => JSON.parse(event));
}

/** The message that the deltas of a stream add up to. */
export function joinDeltas(chunks: readonly Reply[]): Reply {
	let content = '';
	let reasoning = '';
	const calls: Array<{name: string; arguments: string}> = [];
	for (const chunk of chunks) {
		const delta = chunk.choices[0]?.delta ?? {};
		content += delta.content ?? '';
		reasoning += delta.reasoning_content ?? '';
		for (const call of delta.tool_calls ?? []) {
			calls[call.index] ??= {name: '', arguments: ''};
			const known = calls[call.index] as {name: string; arguments: string};
			known.name += call.function.name ?? '';
			known.arguments += call.function.arguments;
		}
	}
	return {content, reasoning, calls};
}

/** Waits until a condition holds; the test's own time limit ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Replies under way, as the service reports them. */
export async function countReplies(url: string): Promise<number> {
	const response = await fetch(`${url}/health`);
	return ((await response.json()) as {replies: number}).replies;
}
