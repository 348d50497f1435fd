/** The `fetch` of MCP servers, over real sockets. */
import {readFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type RequestListener} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import {connect, type Socket} from 'node:net';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createMcpFetch, type Network} from '../../src/mcp/http-fetch.ts';
import {listen} from '../helpers/listen.ts';
import {startEverything} from '../helpers/mcp-servers.ts';

const readTls = (name: string) =>
	readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');

const tls = {key: readTls('server-key.pem'), cert: readTls('server.pem')};

const network: Network = {
	variables: {},
	loadCertificates: async () => undefined,
	isInsecureAllowed: false,
	connectMs: 60_000,
};

type Options = {
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly limitMs?: number;
} & Partial<Network>;

function fetchOf({url, headers = {}, limitMs = 0, ...others}: Options) {
	const access = {type: 'http', url, headers} as const;
	return createMcpFetch({access, network: {...network, ...others}, limitMs});
}

async function serve(answer: RequestListener): Promise<{url: string; seen: IncomingMessage[]}> {
	const seen: IncomingMessage[] = [];
	const server = createServer((message, response) => {
		seen.push(message);
		answer(message, response);
	});
	return {url: `http://127.0.0.1:${await listen(server)}/mcp`, seen};
}

describe('with the SDK', () => {
	it('calls tools of a real server, and ends its session', async () => {
		const url = String((await startEverything())['url']);
		const traces: string[] = [];
		const fetch = fetchOf({url, trace: (line) => traces.push(line)});
		const client = new Client({name: 'test', version: '1'});
		const transport = new StreamableHTTPClientTransport(new URL(url), {fetch});
		await client.connect(transport);
		const {tools} = await client.listTools();
		expect(tools.map(({name}) => name)).toContain('echo');
		const progress: number[] = [];
		const result = await client.callTool(
			{name: 'trigger-long-running-operation', arguments: {duration: 0.3, steps: 3}},
			{onprogress: ({progress: step}) => progress.push(step)},
		);
		expect(JSON.stringify(result)).toContain('completed');
		expect(progress).toEqual([1, 2, 3]);
		await transport.terminateSession();
		await client.close();
		expect(traces).toContain(`> DELETE ${url}`);
	});
});

describe('addresses', () => {
	it('reports a redirect with its target, and does not follow it', async () => {
		const {url, seen} = await serve((_, response) => {
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

	it('sends the headers of the entry to its origin alone', async () => {
		const other = await serve((_, response) => response.end());
		const {url, seen} = await serve((_, response) => response.end());
		const fetch = fetchOf({url, headers: {Authorization: 'Bearer mine', 'X-Team': 'blue'}});
		await fetch(url, {headers: {authorization: 'Bearer stored', accept: 'text/event-stream'}});
		await fetch(other.url, {headers: {authorization: 'Basic client'}});
		expect(seen[0]?.headers).toMatchObject({
			authorization: 'Bearer mine',
			'x-team': 'blue',
			accept: 'text/event-stream',
		});
		expect(other.seen[0]?.headers['x-team']).toBeUndefined();
		expect(other.seen[0]?.headers.authorization).toBe('Basic client');
	});

	it('does not let an entry replace the headers of the protocol', async () => {
		const {url, seen} = await serve((_, response) => response.end());
		await fetchOf({url, headers: {'mcp-session-id': 'forged'}})(url, {
			headers: {'mcp-session-id': 'real'},
		});
		expect(seen[0]?.headers['mcp-session-id']).toBe('real');
	});

	it('sends nothing unencrypted to another machine, unless that is allowed', async () => {
		const url = 'http://192.0.2.1/mcp';
		await expect(fetchOf({url})(url)).rejects.toMatchObject({
			kind: 'config',
			details: {hint: expect.stringContaining('--insecure-http')},
		});
		const allowed = fetchOf({url, isInsecureAllowed: true, connectMs: 1});
		await expect(allowed(url)).rejects.toMatchObject({kind: /timeout|unavailable/});
	});

	it('lets no other server refer to this machine, or to a file', async () => {
		const local = await serve((_, response) => response.end());
		const fetch = fetchOf({url: 'https://mcp.example/mcp'});
		await expect(fetch(local.url)).rejects.toThrow('which is on this machine');
		await expect(fetch('file:///etc/passwd')).rejects.toThrow('not an http or https address');
		expect(local.seen).toHaveLength(0);
	});
});

describe('the way', () => {
	async function serveTls(): Promise<{port: number; url: string}> {
		const port = await listen(createHttpsServer(tls, (_, response) => response.end('safe')));
		return {port, url: `https://127.0.0.1:${port}/mcp`};
	}

	it('trusts the named certificates, and no others', async () => {
		const {url} = await serveTls();
		const loadCertificates = async () => readTls('ca.pem');
		const response = await fetchOf({url, loadCertificates})(url);
		expect(await response.text()).toBe('safe');
		await expect(fetchOf({url})(url)).rejects.toMatchObject({
			details: {hint: expect.stringContaining('--ca-file')},
		});
	});

	it('goes through the proxy of its variables', async () => {
		const {port} = await serveTls();
		const asked: string[] = [];
		const proxy = createServer();
		proxy.on('connect', (message: IncomingMessage, socket: Socket) => {
			asked.push(message.url ?? '');
			const onward = connect(port, '127.0.0.1', () => {
				socket.write('HTTP/1.1 200 OK\r\n\r\n');
				onward.pipe(socket).pipe(onward);
			});
			onward.on('error', () => socket.destroy());
		});
		const proxyPort = await listen(proxy);
		const url = `https://localhost.test:${port}/mcp`;
		const variables = {https_proxy: `http://user:proxy-secret@127.0.0.1:${proxyPort}`};
		const loadCertificates = async () => readTls('ca.pem');
		const traces: string[] = [];
		const trace = (line: string) => traces.push(line);
		await expect(fetchOf({url, variables, loadCertificates, trace})(url)).rejects.toMatchObject({
			details: {hint: expect.stringContaining('Check the host name')},
		});
		expect(traces[0]).toBe(`> GET ${url} through the proxy http://127.0.0.1:${proxyPort}/`);
		expect(asked).toEqual([`localhost.test:${port}`]);
	});
});

describe('replies', () => {
	it('passes 401 on with its headers', async () => {
		const challenge = 'Bearer resource_metadata="https://a.example/m"';
		const {url} = await serve((_, response) => {
			response.writeHead(401, {'www-authenticate': challenge}).end('no');
		});
		const response = await fetchOf({url})(url);
		expect(response.status).toBe(401);
		expect(response.headers.get('www-authenticate')).toBe(challenge);
	});

	it('hides what was sent as a secret from the text of an error', async () => {
		const {url} = await serve((message, response) => {
			response.writeHead(400).end(`${message.headers.authorization} ${message.headers['x-key']}`);
		});
		const fetch = fetchOf({url, headers: {'X-Key': 'entry-secret-1'}});
		const response = await fetch(url, {headers: {authorization: 'Bearer token-secret-2'}});
		expect(await response.text()).toBe('[redacted] [redacted]');
	});

	it('ends an error that never ends, and one that is huge', async () => {
		const {url} = await serve((_, response) => {
			response.writeHead(500);
			const more = () => response.write('x'.repeat(65_536), () => setImmediate(more));
			more();
		});
		const response = await fetchOf({url})(url);
		expect((await response.text()).length).toBeLessThan(3 * 1_048_576);
	});

	it('fails when the server closes in the middle of a stream, after what has come', async () => {
		const {url} = await serve((_, response) => {
			response.writeHead(200, {'content-type': 'text/event-stream'});
			response.write('data: 1\n\n', () => response.destroy());
		});
		const response = await fetchOf({url})(url);
		const reader = response.body?.getReader();
		expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('data: 1\n\n');
		await expect(reader?.read()).rejects.toMatchObject({kind: 'unavailable'});
	});

	it('refuses an event of more than 10 MiB, and takes many small ones', async () => {
		const events = (size: number, count: number): RequestListener => {
			return (_, response) => {
				response.writeHead(200, {'content-type': 'text/event-stream'});
				for (let sent = 0; sent < count; sent++)
					response.write(`data: ${'x'.repeat(size)}\r\n\r\n`);
				response.end();
			};
		};
		const small = await serve(events(1_048_576, 12));
		const text = await (await fetchOf(small)(small.url)).text();
		expect(text.length).toBeGreaterThan(12 * 1_048_576);
		const large = await serve(events(11 * 1_048_576, 1));
		const response = await fetchOf(large)(large.url);
		await expect(response.text()).rejects.toThrow('an event is larger than 10 MiB');
	});

	it('stops reading while nobody asks for more', async () => {
		let written = 0;
		const {url} = await serve((_, response) => {
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
		const {url} = await serve((message, response) => {
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
		const {url} = await serve((_, response) => setTimeout(() => response.end(), 50));
		const warnings: Error[] = [];
		const onWarning = (warning: Error) => warnings.push(warning);
		process.on('warning', onWarning);
		onTestFinished(() => void process.off('warning', onWarning));
		const {signal} = new AbortController();
		const fetch = fetchOf({url});
		await Promise.all(Array.from({length: 20}, async () => (await fetch(url, {signal})).text()));
		expect(warnings).toEqual([]);
	});

	it('limits the time of an exchange', async () => {
		const {url} = await serve((_, response) => response.write('{'));
		const text = fetchOf({url, limitMs: 100})(url).then((response) => response.text());
		await expect(text).rejects.toMatchObject({kind: 'timeout'});
	});
});

it('names no value of a header in its traces', async () => {
	const {url} = await serve((_, response) => response.end());
	const traces: string[] = [];
	const headers = {'X-Key': 'entry-secret-1'};
	await fetchOf({url, headers, trace: (line) => traces.push(line)})(`${url}?key=url-secret`, {
		headers: {authorization: 'Bearer token-secret'},
	});
	expect(traces.join('\n')).not.toContain('secret');
	expect(traces.join('\n')).toContain('x-key');
});
