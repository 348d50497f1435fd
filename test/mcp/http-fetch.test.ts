/** The `fetch` of MCP servers, over real sockets. */
import {createServer, type IncomingMessage, type RequestListener} from 'node:http';
import type {Socket} from 'node:net';
import {hostname} from 'node:os';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createMcpFetch, type Network} from '../../src/mcp/http-fetch.ts';
import {listen} from '../helpers/listen.ts';
import {network, serve} from './connect-to.ts';

type Options = {
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly limitMs?: number;
} & Partial<Network>;

function fetchOf({url, headers = {}, limitMs = 0, ...others}: Options) {
	const access = {type: 'http', url, headers} as const;
	return createMcpFetch({access, network: {...network, ...others}, limitMs});
}

/** Starts a server, which keeps what it gets. */
async function record(answer: RequestListener): Promise<{url: string; seen: IncomingMessage[]}> {
	const seen: IncomingMessage[] = [];
	const url = await serve((message, response) => {
		seen.push(message);
		answer(message, response);
	});
	return {url, seen};
}

describe('addresses', () => {
	it('reports a redirect with its target, and does not follow it', async () => {
		const {url, seen} = await record((_, response) => {
			response.writeHead(307, {location: '/other?token=secret'}).end();
		});
		await expect(fetchOf({url})(url, {method: 'POST', body: '{}'})).rejects.toMatchObject({
			kind: 'protocol',
			message: expect.stringMatching(
				/answered 307: it redirects to http:.*\/other\?token=%5Bredacted%5D;/,
			),
			details: {hint: expect.stringContaining('use it as the url of the server')},
		});
		expect(seen).toHaveLength(1);
	});

	it('sends the headers of the entry to its origin alone, below those of the protocol', async () => {
		const other = await record((_, response) => response.end());
		const {url, seen} = await record((_, response) => response.end());
		const headers = {Authorization: 'Bearer mine', 'X-Team': 'blue', 'mcp-session-id': 'forged'};
		const fetch = fetchOf({url, headers});
		await fetch(url, {headers: {authorization: 'Bearer stored', 'mcp-session-id': 'real'}});
		await fetch(other.url, {headers: {authorization: 'Basic client'}});
		expect(seen[0]?.headers).toMatchObject({
			authorization: 'Bearer mine',
			'x-team': 'blue',
			'mcp-session-id': 'real',
		});
		expect(other.seen[0]?.headers['x-team']).toBeUndefined();
		expect(other.seen[0]?.headers.authorization).toBe('Basic client');
	});

	it('lets no server elsewhere refer to this machine, by its address or its name', async () => {
		const local = await record((_, response) => response.end());
		const fetch = fetchOf({url: 'https://mcp.example/mcp', isInsecureAllowed: true});
		await expect(fetch(local.url)).rejects.toThrow('which is on this machine');
		await expect(fetch(local.url.replace('127.0.0.1', hostname()))).rejects.toThrow();
		expect(local.seen).toEqual([]);
	});

	it('goes through the proxy of its variables, and shows no secret in its traces', async () => {
		const asked: string[] = [];
		const proxy = createServer();
		proxy.on('connect', ({url = ''}: IncomingMessage, socket: Socket) => {
			asked.push(url);
			socket.destroy();
		});
		const proxyPort = await listen(proxy);
		const url = 'https://mcp.test/mcp';
		const variables = {https_proxy: `http://user:proxy-secret@127.0.0.1:${proxyPort}`};
		const traces: string[] = [];
		const trace = (line: string) => void traces.push(line);
		const fetch = fetchOf({url, variables, headers: {'X-Key': 'entry-secret'}, trace});
		const headers = {authorization: 'Bearer token-secret'};
		await expect(fetch(`${url}?key=url-secret`, {headers})).rejects.toMatchObject({
			kind: 'unavailable',
		});
		expect(traces[0]).toContain(`> GET ${url}`);
		expect(traces[0]).toContain(` through the proxy http://127.0.0.1:${proxyPort}/`);
		expect(traces.join()).toContain('x-key');
		expect(traces.join()).not.toContain('secret');
		expect(asked).toEqual(['mcp.test:443']);
	});
});

describe('replies', () => {
	it('hides what was sent as a secret from the text of an error', async () => {
		const {url} = await record((message, response) => {
			response.writeHead(400).end(`${message.headers.authorization} ${message.headers['x-key']}`);
		});
		const fetch = fetchOf({url, headers: {'X-Key': 'entry-secret-1'}});
		const response = await fetch(url, {headers: {authorization: 'Bearer token-secret-2'}});
		expect(await response.text()).toBe('[redacted] [redacted]');
	});

	it('refuses an event of more than 10 MiB, but not after smaller ones', async () => {
		const {url} = await record((_, response) => {
			response.writeHead(200, {'content-type': 'text/event-stream'});
			for (const mebibytes of [6, 6, 11]) {
				response.write(`data: ${'x'.repeat(mebibytes * 1_048_576)}\r\n\r\n`);
			}
		});
		const response = await fetchOf({url})(url);
		let length = 0;
		const read = async () => {
			for await (const bytes of response.body ?? []) length += bytes.length;
		};
		await expect(read()).rejects.toThrow('an event is larger than 10 MiB');
		expect(length).toBeGreaterThan(12 * 1_048_576);
	});

	it('stops reading while nobody asks for more', async () => {
		let written = 0;
		const {url} = await record((_, response) => {
			const more = () => {
				written += 65_536;
				if (written < 200 * 1_048_576) response.write('x'.repeat(65_536), more);
			};
			more();
		});
		await fetchOf({url})(url);
		let before = -1;
		const isPaused = () => {
			const last = before;
			before = written;
			return written === last;
		};
		await expect.poll(isPaused, {interval: 100}).toBe(true);
		expect(written).toBeLessThan(50 * 1_048_576);
	});

	it('closes the connection when the reader cancels, and when the signal is aborted', async () => {
		let closed = 0;
		const {url} = await record((message, response) => {
			message.socket.once('close', () => closed++);
			response.writeHead(200, {'content-type': 'text/event-stream'}).write(': hello\n\n');
		});
		const first = await fetchOf({url})(url);
		await first.body?.cancel();
		await expect.poll(() => closed).toBe(1);
		const ending = new AbortController();
		const second = await fetchOf({url})(url, {signal: ending.signal});
		const reader = second.body?.getReader();
		await reader?.read();
		const next = reader?.read();
		ending.abort(new Error('enough'));
		await expect(next).rejects.toThrow('enough');
		await expect.poll(() => closed).toBe(2);
	});

	it('has room for many requests with one signal', async () => {
		const {url} = await record((_, response) => setTimeout(() => response.end(), 50));
		const warnings: Error[] = [];
		const onWarning = (warning: Error) => warnings.push(warning);
		process.on('warning', onWarning);
		onTestFinished(() => void process.off('warning', onWarning));
		const {signal} = new AbortController();
		const fetch = fetchOf({url});
		await Promise.all(Array.from({length: 12}, async () => (await fetch(url, {signal})).text()));
		expect(warnings).toEqual([]);
	});

	it('limits the time of an exchange', async () => {
		const {url} = await record((_, response) => response.write('{'));
		const text = fetchOf({url, limitMs: 100})(url).then((response) => response.text());
		await expect(text).rejects.toMatchObject({kind: 'timeout'});
	});
});
