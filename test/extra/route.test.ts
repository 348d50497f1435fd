/** The way to a service: proxies and certificates, over real sockets. */
import {readFileSync} from 'node:fs';
import {
	createServer as createHttpServer,
	type IncomingMessage,
	request,
	type Server,
} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import {type AddressInfo, connect, createServer as createTcpServer, type Socket} from 'node:net';
import {setTimeout as sleep} from 'node:timers/promises';
import {checkServerIdentity, createServer as createTlsServer, type PeerCertificate} from 'node:tls';
import {afterEach, describe, expect, it, onTestFinished, vi} from 'vitest';
import type {ServiceRoute} from '../../src/protocol/http/route.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {ask as askService, streamHead, toEvent, toHttpChunk} from '../protocol/raw-server.ts';

const readTls = (name: string) =>
	readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');

const tls = {key: readTls('server-key.pem'), cert: readTls('server.pem')};

const reply =
	'data: {"choices":[{"index":0,"delta":{"content":"through"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	});
	return (server.address() as AddressInfo).port;
}

const loopbackCertificate = {subjectaltname: 'IP Address:::1'} as PeerCertificate;

/** Node 22.23 refuses each of these addresses, because `domainToASCII` knows none. */
const knowsIPv6 = checkServerIdentity('::1', loopbackCertificate) === undefined;

/** The certificate names the addresses only. */
const addressTls = {key: tls.key, cert: readTls('addresses.pem')};

async function startService(
	isTls: boolean,
	pair = tls,
): Promise<{port: number; seen: IncomingMessage[]}> {
	const seen: IncomingMessage[] = [];
	const answer: Parameters<typeof createHttpServer>[1] = (message, response) => {
		seen.push(message);
		message.resume().on('end', () => {
			response.writeHead(200, {'content-type': 'text/event-stream'}).end(reply);
		});
	};
	const server = isTls ? createHttpsServer(pair, answer) : createHttpServer(answer);
	return {port: await listen(server), seen};
}

/** A proxy that knows one host, whatever it is called. */
async function startProxy(
	servicePort: number,
	{refusal, isTls = false}: {readonly refusal?: string; readonly isTls?: boolean} = {},
): Promise<{url: URL; asked: string[]; authorizations: Array<string | undefined>}> {
	const asked: string[] = [];
	const authorizations: Array<string | undefined> = [];
	const forward: Parameters<typeof createHttpServer>[1] = (message, response) => {
		asked.push(`${message.method} ${message.url}`);
		authorizations.push(message.headers['proxy-authorization']);
		const target = new URL(message.url ?? '');
		const onward = request(
			{
				host: '127.0.0.1',
				port: servicePort,
				method: message.method,
				path: target.pathname,
				headers: message.headers,
			},
			(answer) => {
				response.writeHead(answer.statusCode ?? 500, answer.headers);
				answer.pipe(response);
			},
		);
		message.pipe(onward);
	};
	const proxy = isTls ? createHttpsServer(tls, forward) : createHttpServer(forward);
	proxy.on('connect', (message: IncomingMessage, socket: Socket) => {
		asked.push(`CONNECT ${message.url}`);
		authorizations.push(message.headers['proxy-authorization']);
		if (refusal !== undefined) {
			socket.end(refusal);
			return;
		}
		const onward = connect(servicePort, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connected\r\n\r\n');
			onward.pipe(socket).pipe(onward);
		});
		onward.on('error', () => socket.destroy());
	});
	const url = new URL(`${isTls ? 'https' : 'http'}://127.0.0.1:${await listen(proxy)}`);
	return {url, asked, authorizations};
}

const certificates = readTls('ca.pem');
const secureUrl = 'https://service.test/v1/chat/completions';
const plainUrl = 'http://service.test/v1/chat/completions';

const ask = (
	url: string,
	proxy: URL | undefined,
	authorities?: string,
	limits: {connectMs?: number} = {},
) => {
	const route: ServiceRoute = {proxy, certificates: authorities};
	const connection = {apiKey: 'key-for-the-service', route};
	return collectTurn(askService(new URL(url), {limits, connection}));
};

afterEach(() => {
	vi.unstubAllEnvs();
});

describe('a certificate of a private authority', () => {
	const askAt = async (host: string, authorities?: string) => {
		const {port} = await startService(true);
		return await ask(`https://${host}:${port}/v1/chat/completions`, undefined, authorities);
	};

	it('is not trusted, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
		vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
		const {error} = await askAt('localhost');
		expect(error?.kind).toBe('unavailable');
		expect(error?.details.hint).toContain('--ca-file');
	});

	it('is trusted when the authority is named, but not for another host', async () => {
		expect(await askAt('localhost', certificates)).toMatchObject({content: 'through'});
		const {error} = await askAt('[::ffff:127.0.0.1]', certificates);
		expect(error?.details.code).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
		expect(error?.details.hint).toContain('Check the host name');
	});
});

describe('a proxy', () => {
	it('passes TLS through CONNECT, and the service does not get its user and password', async () => {
		const service = await startService(true);
		const proxy = await startProxy(service.port);
		const url = new URL(proxy.url);
		url.username = 'user';
		url.password = 'pass';
		const turn = await ask(secureUrl, url, certificates);
		expect(turn).toMatchObject({content: 'through', error: undefined});
		expect(proxy.asked).toEqual(['CONNECT service.test:443']);
		expect(proxy.authorizations).toEqual([`Basic ${btoa('user:pass')}`]);
		expect(service.seen[0]?.headers).toMatchObject({authorization: 'Bearer key-for-the-service'});
		expect(service.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
	});

	it.each(['203.0.113.7', ...(knowsIPv6 ? ['[2001:db8::7]'] : [])])(
		'passes TLS to the IP address %s if the certificate names it',
		async (host) => {
			const service = await startService(true, addressTls);
			const proxy = await startProxy(service.port);
			const turn = await ask(`https://${host}/v1/chat/completions`, proxy.url, addressTls.cert);
			expect(turn).toMatchObject({content: 'through', error: undefined});
		},
	);

	it.each(['203.0.113.7', '[2001:db8::7]'])(
		'sends nothing to https://%s if the certificate names only localhost and another host',
		async (host) => {
			const service = await startService(true);
			const proxy = await startProxy(service.port);
			const {error} = await ask(`https://${host}/v1/chat/completions`, proxy.url, certificates);
			expect(error?.details).toMatchObject({
				code: 'ERR_TLS_CERT_ALTNAME_INVALID',
				hint: expect.stringContaining('Check the host name'),
			});
			expect(proxy.asked).toEqual([`CONNECT ${host}:443`]);
			expect(service.seen).toEqual([]);
		},
	);

	it('forwards plain http', async () => {
		const service = await startService(false);
		const proxy = await startProxy(service.port);
		const turn = await ask(plainUrl, proxy.url);
		expect(turn).toMatchObject({content: 'through', error: undefined});
		expect(proxy.asked).toEqual(['POST http://service.test/v1/chat/completions']);
	});

	it.each(['https', 'http'])('with TLS of a private authority passes %s', async (protocol) => {
		const service = await startService(protocol === 'https');
		const proxy = await startProxy(service.port, {isTls: true});
		const url = `${protocol}://service.test/v1/chat/completions`;
		const trusted = await ask(url, proxy.url, certificates);
		expect(trusted).toMatchObject({content: 'through', error: undefined});
		expect(proxy.asked).toHaveLength(1);
		vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
		const unknown = await ask(url, proxy.url);
		expect(unknown.error?.kind).toBe('unavailable');
		expect(proxy.asked).toHaveLength(1);
	});

	it.each([
		['403 Forbidden', 'unavailable', 'add the host to NO_PROXY'],
		['407 Proxy Authentication Required', 'auth', 'requires a user name'],
	])(
		'that answers CONNECT with %s is named, and cannot answer for the service',
		async (line, kind, hint) => {
			const refusal = `HTTP/1.1 ${line}\r\nlocation: https://other.test/\r\ncontent-type: text/event-stream\r\n\r\n${reply}`;
			const proxy = await startProxy(1, {refusal});
			const {content, error} = await ask(secureUrl, proxy.url, certificates);
			expect(content).toBe('');
			expect(error?.message).toBe(
				`the proxy ${proxy.url} refused to connect to service.test: it answered ${line.slice(0, 3)}`,
			);
			expect(error).toMatchObject({kind, details: {hint: expect.stringContaining(hint)}});
		},
	);

	it.each(['http:', 'https:'])(
		'that is only a web server is suspected if its URL begins with %s',
		async (protocol) => {
			const port = await listen(createHttpServer());
			const {error} = await ask(secureUrl, new URL(`${protocol}//127.0.0.1:${port}`));
			expect(error?.message).toContain(`through the proxy ${protocol}//127.0.0.1:${port}/`);
			expect(error?.details.hint).toContain('Is it the right proxy?');
		},
	);

	it('that never answers times out, and leaves nothing open', async () => {
		const countSockets = () =>
			process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
		const before = countSockets();
		const port = await listen(createTcpServer());
		const turn = await ask(secureUrl, new URL(`http://127.0.0.1:${port}`), undefined, {
			connectMs: 100,
		});
		expect(turn.error?.kind).toBe('timeout');
		// The server keeps its end.
		await expect.poll(countSockets).toBeLessThanOrEqual(before + 1);
	});
});

it('a reply to a slow reader comes whole through TLS, up to its cut', async () => {
	const words = Array.from({length: 60}, (_, index) => `${index} `);
	const server = createTlsServer(tls, (socket) => {
		socket.on('error', () => undefined);
		socket.once('data', async () => {
			socket.write(streamHead);
			for (const word of words) socket.write(toHttpChunk(toEvent(word)));
			await sleep(5);
			socket.destroySoon();
		});
	});
	const url = new URL(`https://localhost:${await listen(server)}/v1/chat/completions`);
	const connection = {route: {proxy: undefined, certificates}};
	async function* readSlowly() {
		for await (const batch of askService(url, {connection})) {
			yield batch;
			await sleep(40);
		}
	}
	const {content, error} = await collectTurn(readSlowly());
	expect([content, error?.kind]).toEqual([words.join(''), 'incomplete']);
});
