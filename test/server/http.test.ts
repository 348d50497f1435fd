import {once} from 'node:events';
import {Agent, type IncomingMessage, request} from 'node:http';
import {connect} from 'node:net';
import {describe, expect, test} from 'vitest';
import {type RequestLogLine, startServer} from '../../src/server/server.ts';
import {bodyOf, countReplies, post, type Reply, serve, serveAll, until} from './helpers/service.ts';

/** Returns what the service answers to raw bytes until it closes the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
	const socket = connect(port, '127.0.0.1');
	socket.write(bytes);
	let text = '';
	for await (const piece of socket) text += piece;
	return text;
}

const jsonHead = [
	...['POST /v1/chat/completions HTTP/1.1', 'host: localhost', 'content-type: application/json'],
].join('\r\n');

test('a client that closes its side after the request gets its whole reply', async () => {
	const {port} = await serve({tokensPerSecond: 400});
	const body = JSON.stringify(bodyOf('write 20 words', {stream: true}));
	const socket = connect({port, host: '127.0.0.1', allowHalfOpen: true});
	socket.end(`${jsonHead}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
	let text = '';
	for await (const piece of socket) text += piece;
	expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*data: \[DONE\]\n\n\r\n0\r\n\r\n$/);
});

const service = serveAll();

const key = 'sk-secret-key';

describe('a web page of another origin', () => {
	const origin = 'http://localhost:5173';
	const preflight = {
		method: 'OPTIONS',
		headers: {
			origin,
			'access-control-request-method': 'POST',
			'access-control-request-headers': 'x-a',
		},
	};

	test('is allowed with its own headers, before its key is checked, if the service names it', async () => {
		const {url} = await serve({apiKey: key, corsOrigin: origin});
		const asked = await fetch(`${url}/v1/chat/completions`, preflight);
		expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
		expect(asked.headers.get('access-control-allow-headers')).toBe('x-a');
		expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
		const refused = await post(url, bodyOf('hello'), {origin});
		expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
			401,
			origin,
		]);
	});

	test('is not allowed otherwise', async () => {
		const {url} = await serve();
		const asked = await fetch(`${url}/v1/chat/completions`, preflight);
		expect(asked.status).toBe(405);
		const answered = await post(url, bodyOf('hello'), {origin});
		expect(answered.headers.has('access-control-allow-origin')).toBe(false);
	});
});

describe('the key', () => {
	test('opens everything but health, and is never repeated', async () => {
		const {url} = await serve({apiKey: key});
		for (const authorization of ['Bearer sk-other', `Basic ${key}`]) {
			const response = await post(url, bodyOf('hello'), {authorization});
			const text = await response.text();
			expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
			const error = {type: 'authentication_error', code: 'invalid_api_key'};
			expect(JSON.parse(text).error).toMatchObject(error);
			expect(text).not.toContain('sk-');
		}
		const headers = {authorization: `bearer ${key}`};
		expect((await post(url, bodyOf('hello'), headers)).status).toBe(200);
		expect((await fetch(`${url}/v1/models`)).status).toBe(401);
		expect((await fetch(`${url}/nowhere`)).status).toBe(401);
		expect((await fetch(`${url}/health`)).status).toBe(200);
	});
});

describe('the host', () => {
	const statusFor = async (port: number, host: string) => {
		const head = `GET /requests HTTP/1.1\r\n${host}connection: close\r\n\r\n`;
		return Number((await exchange(port, head)).slice(9, 12));
	};

	test.each([
		['chat.localhost', 200],
		['127.1.2.3:80', 200],
		['[::1]:8080', 200],
		['localhost.evil.example', 421],
		['127.0.0.1.evil.example', 421],
		['evillocalhost', 421],
	])('%s gets %i from a service of this machine', async (host, status) => {
		expect(await statusFor(Number(new URL(service.url).port), `host: ${host}\r\n`)).toBe(status);
	});

	test('may be any on an address that others can reach', async () => {
		const {port} = await serve({host: '0.0.0.0'});
		expect(await statusFor(port, 'host: evil.example\r\n')).toBe(200);
	});
});

describe('paths', () => {
	test('models are listed, and found by name', async () => {
		const {url} = service;
		const list = (await (await fetch(`${url}/v1/models?limit=1`)).json()) as Reply;
		expect(list.object).toBe('list');
		const ids = list.data.map(({id}: {id: string}) => id);
		expect(ids).toEqual(['MODEL-5.6-sol', 'MODEL-5.6-terra', 'MODEL-5.6-luna']);
		const model = await (await fetch(`${url}/v1/models/acme%2Fx-5.6-luna`)).json();
		expect(model).toMatchObject({id: 'acme/x-5.6-luna', object: 'model'});
		expect((await fetch(`${url}/v1/models/%E0%A4%A`)).status).toBe(404);
		const head = await fetch(`${url}/v1/models`, {method: 'HEAD'});
		expect([head.status, await head.text()]).toEqual([200, '']);
		expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
	});
});

describe('the body', () => {
	test('must be JSON by its type', async () => {
		const {url} = service;
		const statusOf = async (type: string) =>
			(await post(url, bodyOf('hello'), {'content-type': type})).status;
		expect(await statusOf('Application/JSON; charset=utf-8')).toBe(200);
		expect(await statusOf('text/plain')).toBe(415);
		const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n';
		const reply = await exchange(Number(new URL(url).port), `${head}content-length: 2\r\n\r\n{}`);
		expect(reply).toContain('HTTP/1.1 415');
	});

	test('over the limit gets 413 before it is sent, and the connection closes', async () => {
		const {port} = await serve({}, {maxBodyBytes: 1_000});
		const announced = await exchange(port, `${jsonHead}\r\ncontent-length: 100000000\r\n\r\n{`);
		expect(announced).toMatch(/^HTTP\/1\.1 413[\s\S]*connection: close/i);
		const chunks = `1000\r\n${'x'.repeat(4096)}\r\n0\r\n\r\n`;
		const chunked = `${jsonHead}\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`;
		expect(await exchange(port, chunked)).toContain('HTTP/1.1 413');
	});

	test('of exactly the limit is read', async () => {
		const body = JSON.stringify(bodyOf('hello'));
		const {url} = await serve({}, {maxBodyBytes: body.length});
		expect((await post(url, body)).status).toBe(200);
		expect((await post(url, `${body} `)).status).toBe(413);
	});
});

describe('connections', () => {
	test('over the limit of replies get 429 with a time to come back', async () => {
		const {url} = await serve({latencyMs: 5_000}, {maxReplies: 2, closeGraceMs: 10});
		const running = [1, 2].map(() => post(url, bodyOf('x')).catch(() => undefined));
		await until(async () => (await countReplies(url)) === 2);
		const response = await post(url, bodyOf('x'));
		expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
		expect(((await response.json()) as Reply).error.type).toBe('rate_limit_error');
		void Promise.all(running);
	});
});

describe('closing', () => {
	test('waits for no connection that carries nothing', async () => {
		const server = await serve({}, {closeGraceMs: 60_000});
		const agent = new Agent({keepAlive: true});
		const client = request({port: server.port, agent, path: '/health'});
		client.end();
		const [response] = (await once(client, 'response')) as [IncomingMessage];
		response.resume();
		await once(response, 'end');
		const start = performance.now();
		await server.close();
		// Nothing else would end the connection before 30 s.
		expect(performance.now() - start).toBeLessThan(25_000);
		agent.destroy();
	});

	test('lets a running stream end, refuses new connections, and cuts after its grace', async () => {
		const server = await serve({tokensPerSecond: 100});
		const response = await post(server.url, bodyOf('write 20 words', {stream: true}));
		const [text] = await Promise.all([response.text(), server.close(), server.close()]);
		expect(text).toContain('data: [DONE]');
		await expect(fetch(`${server.url}/health`)).rejects.toThrow();
		const slow = await serve({tokensPerSecond: 5}, {closeGraceMs: 50});
		const cut = await post(slow.url, bodyOf('write 900 words', {stream: true}));
		const failed = expect(cut.text()).rejects.toThrow();
		await slow.close();
		await failed;
	});
});

describe('starting', () => {
	test('on a port that is used or out of range fails as unavailable', async () => {
		const {port} = new URL(service.url);
		const start = (number: number) => startServer({host: '127.0.0.1', port: number});
		await expect(start(Number(port))).rejects.toMatchObject({
			kind: 'unavailable',
			message: expect.stringContaining(`127.0.0.1:${port}: the port is in use`),
			details: {code: 'EADDRINUSE'},
		});
		await expect(start(70_000)).rejects.toMatchObject({kind: 'unavailable'});
	});

	test('with a log gets one line a request, without body, key or query', async () => {
		const lines: RequestLogLine[] = [];
		const {url} = await serve({apiKey: key, onRequest: (line) => lines.push(line)});
		await post(url, bodyOf('a secret'), {authorization: `Bearer ${key}`});
		await fetch(`${url}/v1/models?key=${key}`);
		await until(() => lines.length === 2);
		expect(lines).toMatchObject([
			{method: 'POST', path: '/v1/chat/completions', status: 200},
			{method: 'GET', path: '/v1/models', status: 401},
		]);
		expect(JSON.stringify(lines)).not.toContain('secret');
	});
});
