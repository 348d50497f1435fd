/** Logins to servers, and what becomes of them, against an issuer over real sockets. */
import {readdirSync} from 'node:fs';
import {createServer} from 'node:http';
import {dirname} from 'node:path';
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {createHttpMeans} from '../../src/mcp/auth-provider.ts';
import {type LoginOptions, logIn} from '../../src/mcp/login.ts';
import type {HttpAccess, LoginSettings} from '../../src/mcp/server-entry.ts';
import {
	type McpLogin,
	readMcpLogin,
	removeMcpLogin,
	storeMcpLogin,
} from '../../src/settings/service/credentials.ts';
import {listen} from '../helpers/listen.ts';
import {type Describe, type OAuthOptions, startOAuthServer} from '../helpers/oauth-server.ts';
import {createHome} from '../helpers/settings-home.ts';
import {network, serve} from './connect-to.ts';

const noAuth = {clientId: undefined, clientSecret: undefined, scopes: [], callbackPort: undefined};

type Given = {readonly headers?: HttpAccess['headers']; readonly auth?: Partial<LoginSettings>};

function accessOf(url: string, {headers = {}, auth}: Given = {}): HttpAccess {
	return {type: 'http', url, headers, auth: auth && {...noAuth, ...auth}};
}

/** A browser that goes where it is sent. */
const browse: LoginOptions['visit'] = async (page, {reply}) => {
	await fetch(page);
	return await reply;
};

function optionsOf(url: string, changes: Partial<LoginOptions> = {}): LoginOptions {
	return {
		server: 'vault',
		access: accessOf(url),
		network,
		earlier: undefined,
		confirm: async () => true,
		visit: browse,
		onRefused: () => {},
		signal: AbortSignal.timeout(10_000),
		date: () => 1000,
		...changes,
	};
}

const change =
	(place: string, changes: object): Describe =>
	(path, document) =>
		path.includes(place) ? {...document, ...changes} : document;

/** Logs in to a server that is not as it should be. */
async function failToLogIn(options: OAuthOptions, changes: Partial<LoginOptions> = {}) {
	const server = await startOAuthServer(options);
	const error = await logIn(optionsOf(server.url, changes)).catch((reason: unknown) => reason);
	return {server, error};
}

describe('a login', () => {
	it('registers, exchanges the code with its proof, and names resource and scope', async () => {
		const server = await startOAuthServer({expiresIn: 60});
		const asked: Array<readonly string[]> = [];
		const confirm = async (hosts: readonly string[]) => {
			asked.push(hosts);
			expect(server.requests.filter((line) => line.includes('register'))).toEqual([]);
			return true;
		};
		const login = await logIn(optionsOf(server.url, {confirm}));
		expect(asked).toEqual([[new URL(server.url).host]]);
		expect(login).toEqual({
			issuer: server.origin,
			tokenEndpoint: `${server.origin}/token`,
			resource: server.url,
			clientId: 'client-1',
			clientSecret: undefined,
			clientAuthMethod: 'none',
			scope: 'read',
			accessToken: 'access-secret-2',
			refreshToken: 'refresh-secret-3',
			expiresAt: 61_000,
		});
		expect(server.exchanges[0]).toMatchObject({resource: server.url, client_id: 'client-1'});
		expect(server.clients[0]).toMatchObject({client_name: 'chat', scope: 'read'});
		await logIn(optionsOf(server.url, {earlier: login}));
		expect(server.clients[1]).toMatchObject({scope: 'read write'});
	});

	it('names each host that gets something, before it does', async () => {
		const other = await startOAuthServer();
		const server = await startOAuthServer({
			describe: change('server', {token_endpoint: `${other.origin}/token`}),
		});
		const asked: Array<readonly string[]> = [];
		const confirm = async (hosts: readonly string[]) => asked.push(hosts) > 1;
		expect(await logIn(optionsOf(server.url, {confirm}))).toBeUndefined();
		expect(asked).toEqual([[new URL(server.origin).host, new URL(other.origin).host]]);
		expect([...server.requests, ...other.requests].join()).not.toMatch(/register|token/);
	});

	it('uses a registered client, stores none of its secret, and prints nothing', async () => {
		const warn = vi.spyOn(console, 'warn');
		onTestFinished(() => warn.mockRestore());
		const methods = {token_endpoint_auth_methods_supported: ['client_secret_post']};
		const server = await startOAuthServer({
			describe: change('server', {...methods, registration_endpoint: undefined}),
		});
		const given = {clientId: 'mine', clientSecret: 'client-secret-1', scopes: ['admin']};
		const access = accessOf(server.url, {auth: given});
		const login = await logIn(optionsOf(server.url, {access}));
		expect(login).toMatchObject({
			clientId: 'mine',
			clientAuthMethod: 'client_secret_post',
			scope: 'admin',
		});
		expect(JSON.stringify(login)).not.toContain('client-secret-1');
		expect(warn).not.toHaveBeenCalled();
		expect(server.exchanges).toMatchObject([{client_id: 'mine', client_secret: 'client-secret-1'}]);
		expect(server.clients).toEqual([]);
	});

	it.each([true, false])(
		'uses a document about the client if the issuer reads it: %s',
		async (isRead) => {
			const server = await startOAuthServer({
				describe: change('server', {client_id_metadata_document_supported: isRead}),
			});
			const clientId = 'https://me.example/client.json';
			const access = accessOf(server.url, {auth: {clientId}});
			const login = await logIn(optionsOf(server.url, {access}));
			expect(login?.clientId).toBe(isRead ? clientId : 'client-1');
			expect(server.clients).toHaveLength(isRead ? 0 : 1);
		},
	);

	it('waits on the port that a client is registered with', async () => {
		const server = await startOAuthServer();
		const taken = createServer();
		const callbackPort = await listen(taken);
		const access = accessOf(server.url, {auth: {callbackPort}});
		await expect(logIn(optionsOf(server.url, {access}))).rejects.toThrow('EADDRINUSE');
		await new Promise((resolve) => taken.close(resolve));
		await logIn(optionsOf(server.url, {access}));
		expect(server.exchanges).toMatchObject([
			{redirect_uri: `http://127.0.0.1:${callbackPort}/callback`},
		]);
	});

	it('takes no reply with another state, and waits on', async () => {
		const server = await startOAuthServer();
		const refused: string[] = [];
		const statuses: number[] = [];
		const visit: LoginOptions['visit'] = async (page, listener) => {
			const ask = async (parameters: string, init = {}) => {
				const response = await fetch(`${listener.redirectUrl.href}${parameters}`, init);
				statuses.push(response.status);
			};
			const {state} = listener;
			await ask('?code=forged&state=forged');
			await ask(`?code=forged&state=${state.slice(1)}`);
			await ask(`?code=forged&state=${state}&state=${state}`);
			await ask('?code=forged');
			await ask('?error=access_denied');
			await ask(`?state=${state}`);
			await ask('/more');
			await ask(`?code=forged&state=${state}`, {method: 'POST'});
			return await browse(page, listener);
		};
		const onRefused = (reason: string) => refused.push(reason);
		const login = await logIn(optionsOf(server.url, {visit, onRefused}));
		expect(login?.accessToken).toBe('access-secret-2');
		expect(statuses).toEqual(Array(8).fill(400));
		expect(refused).toEqual([
			'a reply to another login was refused',
			"a reply without this login's state was refused",
			'a reply without a code was refused',
			expect.stringMatching(/^the address must begin with http:.*callback$/),
			'a request other than GET was refused',
		]);
	});

	it('takes one reply, on an address that ends with it, or its pasted address', async () => {
		const server = await startOAuthServer();
		let address = '';
		const visit: LoginOptions['visit'] = async (page, {take, reply, redirectUrl}) => {
			const {headers} = await fetch(page, {redirect: 'manual'});
			address = headers.get('location') ?? '';
			expect(take('nonsense')).toBe(`the address must begin with ${redirectUrl.href}`);
			expect(take('http://127.0.0.1:1/callback?code=1')).toContain('must begin with');
			if (server.clients.length === 1) expect(take(address)).toBeUndefined();
			else expect(await (await fetch(address)).text()).toContain('Go back to the terminal');
			await expect(fetch(address)).rejects.toThrow();
			return await reply;
		};
		for (let logins = 0; logins < 2; logins++) {
			expect(await logIn(optionsOf(server.url, {visit}))).toBeDefined();
			expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?/);
			await expect(fetch(address)).rejects.toThrow();
		}
	});

	it.each([
		['another issuer', (reply: URLSearchParams) => reply.set('iss', 'https://evil.example')],
		['no issuer where one is promised', (reply: URLSearchParams) => reply.delete('iss')],
	])('sends no code to the issuer after a reply from %s', async (_, reply) => {
		const {server, error} = await failToLogIn({reply});
		expect(error).toMatchObject({kind: 'auth', message: expect.stringContaining('another issuer')});
		expect(server.exchanges).toEqual([]);
	});

	it('reports a refusal only if it comes from the issuer', async () => {
		const refusedBy = async (iss?: string) => {
			const {error} = await failToLogIn({
				reply(reply) {
					reply.delete('code');
					reply.set('error', 'access_denied');
					reply.set('error_description', 'call 0900-1234');
					if (iss !== undefined) reply.set('iss', iss);
				},
			});
			return error;
		};
		const message = 'the login to the MCP server vault was refused: call 0900-1234';
		expect(await refusedBy()).toMatchObject({kind: 'auth', message});
		expect(String(await refusedBy('https://evil.example'))).not.toContain('0900');
	});

	it.each([
		[
			'resource',
			{resource: 'https://bank.example/mcp'},
			'another server, https://bank.example/mcp',
		],
		['resource', {authorization_servers: ['http://192.0.2.1']}, 'unencrypted'],
		['server', {issuer: 'https://evil.example'}, 'Issuer mismatch'],
		['server', {authorization_endpoint: 'http://192.0.2.1/a'}, 'unencrypted'],
		['server', {authorization_endpoint: 'javascript:alert(1)'}, 'not valid'],
		['server', {token_endpoint: 'http://192.0.2.1/token'}, '192.0.2.1'],
		['server', {registration_endpoint: undefined}, 'Register a client there'],
	])('refuses metadata of the %s with %j', async (place, changes, reason) => {
		const {server, error} = await failToLogIn({describe: change(place, changes)});
		const {message, details} = error as ChatError;
		expect(`${message} ${details.hint}`).toContain(reason);
		expect([...server.exchanges, ...server.clients]).toEqual([]);
	});

	it.each([
		[200, 'sent metadata that is not valid'],
		[404, 'does not offer a login'],
	])('reports a server that answers everything with a page, and %i', async (status, reason) => {
		const url = await serve((_, response) => response.writeHead(status).end('<html>'));
		await expect(logIn(optionsOf(url))).rejects.toThrow(reason);
	});

	it('finds the issuer of a server that redirects unknown paths to its website', async () => {
		const issuer = await startOAuthServer();
		const url = await serve((request, response) => {
			if (request.url === '/mcp') return void response.writeHead(401).end();
			const isRoot = request.url === '/.well-known/oauth-protected-resource';
			if (!isRoot) return void response.writeHead(302, {location: 'https://www.example'}).end();
			const resource = `http://${request.headers.host}/mcp`;
			response.end(JSON.stringify({resource, authorization_servers: [issuer.origin]}));
		});
		expect(await logIn(optionsOf(url))).toMatchObject({issuer: issuer.origin, resource: url});
	});

	it('shows no secret when the exchange fails, prints nothing, and does not try again', async () => {
		const warn = vi.spyOn(console, 'warn');
		onTestFinished(() => warn.mockRestore());
		const {server, error} = await failToLogIn({
			reply: (parameters) => {
				parameters.set('code', `${parameters.get('code')}x`);
			},
		});
		expect(error).toMatchObject({
			kind: 'auth',
			message: `${server.origin}/token answered 400: invalid_grant, not [redacted]`,
		});
		expect(server.exchanges).toHaveLength(1);
		expect(warn).not.toHaveBeenCalled();
		for (const secret of server.secrets) expect(String(error)).not.toContain(secret);
	});

	it('refuses a token that is not one, and does not show it', async () => {
		const {server, error} = await failToLogIn({spoil: (token) => `${token}\r\nx-evil: 1`});
		expect(error).toMatchObject({
			kind: 'protocol',
			message: `${server.origin} sent a token that is not valid`,
		});
	});

	it('is not for a server whose entry has a header for it', async () => {
		const access = accessOf('http://127.0.0.1:1/mcp', {headers: {authorization: 'Bearer mine'}});
		await expect(logIn(optionsOf(access.url, {access}))).rejects.toMatchObject({kind: 'config'});
	});
});

describe('a run', () => {
	it.each([
		[401, 'does not accept the Authorization header of its entry'],
		[403, 'denies access with the Authorization header of its entry'],
	])(
		'advises no login where the header of the entry is answered with %i',
		async (status, words) => {
			const url = await serve((_, response) => response.writeHead(status).end());
			const access = accessOf(url, {headers: {Authorization: 'Bearer weak-secret'}});
			const error = await connectTo(access, createHome().credentialsPath).catch(findOwn);
			expect(error).toMatchObject({message: `the MCP server vault ${words}`});
			expect(error).not.toHaveProperty('details.hint');
		},
	);

	type Use = {readonly now?: number; readonly connectMs?: number};

	async function connectTo(access: HttpAccess, path: string, {now = 1000, ...limits}: Use = {}) {
		const means = createHttpMeans({
			server: 'vault',
			access,
			network: {...network, ...limits},
			credentialsPath: path,
			date: () => now,
		});
		const client = new Client({name: 'test', version: '1'});
		const transport = new StreamableHTTPClientTransport(new URL(access.url), {
			...means,
			onInsufficientScope: 'throw',
		});
		await client.connect(transport);
		return client;
	}

	async function setUp(options: OAuthOptions, use: Use = {}) {
		const server = await startOAuthServer(options);
		const {credentialsPath} = createHome();
		const url = new URL(server.url);
		const logInAgain = async () => {
			const earlier = readMcpLogin(credentialsPath, url);
			const login = (await logIn(optionsOf(server.url, {earlier}))) as McpLogin;
			await storeMcpLogin(credentialsPath, url, login);
		};
		await logInAgain();
		const connect = () => connectTo(accessOf(server.url), credentialsPath, use);
		const read = () => readMcpLogin(credentialsPath, url);
		const tokenOf = () => read()?.accessToken;
		const logOut = () => removeMcpLogin(credentialsPath, url);
		return {server, connect, read, tokenOf, logInAgain, logOut, credentialsPath};
	}

	it('renews a token that has expired, before it is sent', async () => {
		const {connect, server, tokenOf} = await setUp({expiresIn: 3600}, {now: 1000 + 3_590_000});
		await (await connect()).close();
		expect(tokenOf()).toBe('access-secret-4');
		const {url: resource} = server;
		const renewal = {grant_type: 'refresh_token', refresh_token: 'refresh-secret-3', resource};
		expect(server.exchanges).toMatchObject([{grant_type: 'authorization_code'}, renewal]);
	});

	it('asks for a login when the tokens are revoked, and shows none of them', async () => {
		const {connect, server} = await setUp({});
		server.revoke(true);
		const error = await connect().catch((reason: unknown) => reason);
		const text = JSON.stringify(error, Object.getOwnPropertyNames(error));
		expect(text).toContain('the login to the MCP server vault has expired');
		for (const secret of server.secrets) expect(text).not.toContain(secret);
		expect(server.clients).toHaveLength(1);
	});

	it('renews a token that is refused, once for two runs, and leaves no lock behind', async () => {
		const options = {isReusable: false, delayMs: 150};
		const {connect, server, tokenOf, credentialsPath} = await setUp(options);
		server.revoke(false);
		const clients = await Promise.all([connect(), connect()]);
		expect(server.exchanges).toHaveLength(2);
		expect(tokenOf()).toBe('access-secret-4');
		await Promise.all(clients.map((client) => client.close()));
		expect(readdirSync(dirname(credentialsPath))).toEqual(['credentials.json']);
	});

	const unavailable = () => [503, '<html>access-secret-2 refresh-secret-3'] as const;

	it('uses a token that is still valid when it cannot be renewed', async () => {
		const use = {now: 1000 + 3_590_000};
		const {connect, tokenOf} = await setUp({expiresIn: 3600, failRenewal: unavailable}, use);
		await (await connect()).close();
		expect(tokenOf()).toBe('access-secret-2');
	});

	it.each([
		[
			'a failing issuer',
			unavailable,
			{kind: 'unavailable', details: {retryable: true, status: 503}},
		],
		['a web page', () => [404, '<html>'] as const, {kind: 'protocol', details: {status: 404}}],
		['a busy issuer', () => [429, '{"error": "slow_down"}'] as const, {kind: 'unavailable'}],
		['another refusal', () => [400, '{"error": "invalid_scope"}'] as const, {kind: 'auth'}],
	])('says what failed in place of a renewal: %s', async (_, failRenewal, expected) => {
		const use = {now: 1000 + 3_600_000};
		const {connect, tokenOf, server} = await setUp({expiresIn: 3600, failRenewal}, use);
		const error: unknown = await connect().catch((reason: unknown) => reason);
		expect(findOwn(error)).toMatchObject({
			...expected,
			message: expect.stringContaining('the login to the MCP server vault could not be renewed: '),
		});
		for (const secret of server.secrets) expect(String(error)).not.toContain(secret);
		expect(tokenOf()).toBe('access-secret-2');
	});

	it('gives a renewal up before the server is blamed for it', async () => {
		const use = {now: 1000 + 3_600_000, connectMs: 200};
		const {connect} = await setUp({expiresIn: 3600, delayMs: 500}, use);
		expect(findOwn(await connect().catch((reason: unknown) => reason))).toMatchObject({
			kind: 'timeout',
			message: expect.stringContaining('no answer within 0.2 s'),
			details: {retryable: true},
		});
	});

	it('does not store a login again that was removed during its renewal', async () => {
		const {connect, server, tokenOf, logOut} = await setUp({delayMs: 100});
		server.revoke(false);
		const connecting = connect();
		await expect.poll(() => server.exchanges.length).toBe(2);
		await logOut();
		await expect(connecting).rejects.toThrow('401');
		expect(tokenOf()).toBeUndefined();
	});

	it('sends the token, and remembers the rights that a call needs for the next login', async () => {
		const {connect, read, server, logInAgain} = await setUp({callScope: 'vault:open'});
		const client = await connect();
		await expect(client.callTool({name: 'open'})).rejects.toThrow();
		expect(read()).toMatchObject({scope: 'read', wantedScope: 'vault:open'});
		expect(server.exchanges).toHaveLength(1);
		await logInAgain();
		expect(server.clients[1]).toMatchObject({scope: 'read vault:open'});
		const again = await connect();
		expect(JSON.stringify(await again.callTool({name: 'open'}))).toContain('the vault is open');
		await Promise.all([client.close(), again.close()]);
	});
});

/** The SDK wraps errors of ours. */
function findOwn(error: unknown): unknown {
	return error instanceof ChatError || !(error instanceof Error) ? error : findOwn(error.cause);
}
