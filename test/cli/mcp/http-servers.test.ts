/** Servers on the network, as a command meets them. */
import {readFileSync} from 'node:fs';
import {createServer, request as httpRequest} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {storeMcpLogin} from '../../../src/settings/service/credentials.ts';
import {listen} from '../../helpers/listen.ts';
import {startEverything, writeServers} from '../../helpers/mcp-servers.ts';
import {startOAuthServer} from '../../helpers/oauth-server.ts';
import {runChat} from '../../helpers/run-chat.ts';
import {createHome} from '../../helpers/settings-home.ts';

const pathOf = (name: string) =>
	fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

/** Reads what a server offers, for the first time. */
async function runWith(entry: object, flags: readonly string[] = [], home = createHome().home) {
	writeServers(home, {vault: {...entry}});
	return await runChat(['mcp', 'refresh', 'vault', '--yes', ...flags], {home});
}

test('a server that needs a login is reported with the command that logs in', async () => {
	const {url, requests} = await startOAuthServer();
	const run = await runWith({url});
	expect(run).toMatchObject({exitCode: 77, stdout: ''});
	expect(run.stderr).toContain(
		'chat: the MCP server vault needs a login\n      Log in with: chat mcp login vault\n',
	);
	expect(requests).not.toContain('POST /register');
});

test('the reason for which a server cannot be reached is printed once', async () => {
	const {home} = createHome();
	writeServers(home, {vault: {url: (await startOAuthServer()).url}});
	const run = await runChat(['mcp', 'test', 'vault'], {home});
	expect(run).toMatchObject({exitCode: 77});
	expect(run.stderr).toBe(
		'chat: the MCP server vault needs a login\n      Log in with: chat mcp login vault\n',
	);
});

test('a login with too few rights is reported', async () => {
	const server = createServer((_, response) => {
		const challenge = 'Bearer error="insufficient_scope", scope="write"';
		response.writeHead(403, {'www-authenticate': challenge}).end();
	});
	const run = await runWith({url: `http://127.0.0.1:${await listen(server)}/mcp`});
	expect(run).toMatchObject({exitCode: 77});
	expect(run.stderr).toContain('chat: the MCP server vault denies access\n');
	expect(run.stderr).toContain('Log in with: chat mcp login vault\n');
});

test('a secret in the address of a server is in no error and no trace', async () => {
	const server = createServer((_, response) => response.writeHead(307, {location: '/'}).end());
	const {home} = createHome();
	writeServers(home, {
		vault: {url: `http://127.0.0.1:${await listen(server)}/\${VAULT_TOKEN}/mcp`},
	});
	const variables = {VAULT_TOKEN: 'path-secret-1234'};
	const options = {home, variables, secrets: ['path-secret-1234']};
	const run = await runChat(['mcp', 'test', 'vault', '-v'], options);
	expect(run).toMatchObject({exitCode: 76});
	expect(run.stderr).toContain('it redirects');
	expect(run.stderr).toContain('> POST http://127.0.0.1');
	expect(run.stderr).not.toContain('path-secret');
});

test('a login that has ended is not shown', async () => {
	const {url, origin} = await startOAuthServer();
	const {home, credentialsPath} = createHome();
	const tokens = {accessToken: 'access-secret-1', refreshToken: 'refresh-secret-2'};
	const login = {issuer: origin, clientId: 'client-1', ...tokens};
	await storeMcpLogin(credentialsPath, new URL(url), login);
	const run = await runWith({url}, ['-v'], home);
	expect(run).toMatchObject({exitCode: 77});
	expect(run.stderr).toContain('the login to the MCP server vault has expired');
	expect(run.stderr).not.toMatch(/(access|refresh)-secret/);
});

test('a redirect is an error, and is not followed', async () => {
	const {url: target, requests} = await startOAuthServer();
	const server = createServer((_, response) => response.writeHead(308, {location: target}).end());
	const run = await runWith({url: `http://127.0.0.1:${await listen(server)}/mcp`});
	expect(run).toMatchObject({exitCode: 76});
	expect(run.stderr).toContain(`it redirects to ${target}; redirects are not followed`);
	expect(run.stderr).toContain('use it as the url of the server');
	expect(requests).toEqual([]);
});

test('nothing goes unencrypted to another machine', async () => {
	const run = await runWith({url: 'http://192.0.2.1/mcp'});
	expect(run).toMatchObject({exitCode: 78});
	expect(run.stderr).toContain('would go unencrypted over the network to http://192.0.2.1/mcp');
});

test('--ca-file counts for servers too', async () => {
	const {port} = new URL(String((await startEverything())['url']));
	const pair = {
		key: readFileSync(pathOf('server-key.pem')),
		cert: readFileSync(pathOf('server.pem')),
	};
	const server = createHttpsServer(pair, (message, response) => {
		const {method, url: path, headers} = message;
		const onward = httpRequest({port, method, path, headers, agent: false}, (reply) => {
			response.writeHead(reply.statusCode ?? 500, reply.headers);
			reply.pipe(response);
		});
		onward.on('error', () => response.destroy());
		message.pipe(onward);
	});
	const entry = {url: `https://localhost:${await listen(server)}/mcp`};
	const trusting = await runWith(entry, ['--ca-file', pathOf('ca.pem')]);
	expect(trusting).toMatchObject({exitCode: 0});
	const alone = await runWith(entry);
	expect(alone).toMatchObject({exitCode: 69});
	expect(alone.stderr).toContain('the certificate is not trusted');
});
