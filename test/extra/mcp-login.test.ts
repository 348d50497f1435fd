/** `chat mcp login` and `logout` in a terminal. */
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {storeMcpLogin} from '../../src/settings/service/credentials.ts';
import {writeServers} from '../helpers/mcp-servers.ts';
import {type OAuthOptions, type OAuthServer, startOAuthServer} from '../helpers/oauth-server.ts';
import {runProcess} from '../helpers/run-process.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {openTerminal} from '../helpers/terminal.ts';
import type {TestTerminal} from '../helpers/terminal-screen.ts';

/** Follows every page, as a browser does, and notes what it was started with. */
const opener = `#!/usr/bin/env node
require('node:fs').writeFileSync(process.env.HOME + '/opened', JSON.stringify(process.argv.slice(2)));
fetch(process.argv[2]).then((reply) => reply.text());
`;

async function setUp(options: OAuthOptions = {}) {
	const server = await startOAuthServer(options);
	const home = createHome();
	writeServers(home.home, {vault: {url: server.url}});
	return {server, home};
}

type Stage = Awaited<ReturnType<typeof setUp>>;

/** Opens `chat mcp login vault`, or another command, followed by its exit code. */
async function openLogin(
	{home}: Stage,
	env: Record<string, string> = {},
	command = 'chat mcp login vault',
) {
	const bin = join(home.home, 'bin');
	mkdirSync(bin);
	writeFileSync(join(bin, 'xdg-open'), opener);
	chmodSync(join(bin, 'xdg-open'), 0o755);
	const shell = `PATH="$HOME/bin:$PATH"; ${command}; echo "code $?"`;
	const terminal = await openTerminal({
		shell,
		columns: 100,
		env: {XDG_CONFIG_HOME: join(home.home, '.config'), HOME: home.home, ...env},
	});
	if (command.includes('add'))
		await answer(terminal, 'Connect to vault to see what it offers?', 'up');
	await terminal.untilText('Log in there?');
	return terminal;
}

async function answer(terminal: TestTerminal, question: string, ...chords: readonly string[]) {
	await terminal.untilText(question);
	terminal.press(...chords, 'enter');
}

function expectNoSecret(text: string, {secrets}: OAuthServer): void {
	for (const secret of secrets) expect(text).not.toContain(secret);
}

test('a login in the browser is stored, used, and deleted', async () => {
	const stage = await setUp();
	const {server, home} = stage;
	const {host} = new URL(server.url);
	const terminal = await openLogin(stage, {DISPLAY: ':9'}, 'chat mcp login vault -v');
	expect(terminal.screen().join('\n')).toContain(
		`The MCP server vault is ${host}. Its login is at ${host}.`,
	);
	expect(server.requests).not.toContain('POST /register');
	terminal.press('up', 'enter');
	await terminal.untilText('code 0');
	expect(terminal.raw()).toContain(`> POST ${server.origin}/token`);
	expectNoSecret(terminal.raw(), server);
	expect(modeOf(home.credentialsPath)).toBe('600');
	const opened: unknown = JSON.parse(readFileSync(join(home.home, 'opened'), 'utf8'));
	expect(opened).toEqual([
		expect.stringMatching(`^http://${host}/authorize\\?response_type=code&`),
	]);

	const variables = {HOME: home.home};
	const run = await runProcess(['mcp', 'refresh', 'vault', '-v', '--yes'], {variables});
	expect(run).toMatchObject({code: 0});
	expectNoSecret(run.stderr, server);
	const logout = await runProcess(['mcp', 'logout', 'vault'], {variables});
	expect(logout).toMatchObject({code: 0});
	expect(home.credentials()).toEqual({});
	const again = await runProcess(['mcp', 'logout', 'vault'], {variables});
	expect(again.stderr).toContain('there is no login to vault');
});

test('a server that needs a login is added with one', async () => {
	const server = await startOAuthServer();
	const home = createHome();
	const command = `chat mcp add vault --url ${server.url}`;
	const terminal = await openLogin({server, home}, {DISPLAY: ':9'}, command);
	terminal.press('up', 'enter');
	await answer(terminal, 'Add vault?', 'up');
	await terminal.untilText('code 0');
	expect(terminal.screen().join('\n')).toContain('new tool open\n    Opens the vault.');
	expect(home.credentials()).toHaveProperty(['mcp', server.url]);
	expect(existsSync(join(home.directory, 'mcp.json'))).toBe(true);
});

test('a server whose first login has ended is added after a second one', async () => {
	const server = await startOAuthServer({
		spoil: (token) => (server.exchanges.length === 1 ? `${token}x` : token),
		failRenewal: () => [400, '{"error": "invalid_grant"}'],
	});
	const home = createHome();
	const command = `chat mcp add vault --url ${server.url}`;
	const terminal = await openLogin({server, home}, {DISPLAY: ':9'}, command);
	terminal.press('up', 'enter');
	await terminal.until(() => terminal.screen().join().split('Log in there?').length === 3);
	terminal.press('up', 'enter');
	await answer(terminal, 'Add vault?', 'up');
	await terminal.untilText('code 0');
	expect(home.credentials()).toHaveProperty(['mcp', server.url]);
});

test('adding a server that needs a login needs a terminal', async () => {
	const server = await startOAuthServer();
	const argv = ['mcp', 'add', 'vault', '--url', server.url, '--yes'];
	const run = await runProcess(argv, {variables: {HOME: createHome().home}});
	expect(run.code).toBe(77);
	expect(run.stderr).toContain('the MCP server vault needs a login');
	expect(run.stderr).toContain('Add it on a terminal, without --yes.');
	expect(server.clients).toEqual([]);
});

test('over SSH, the address of the page that does not load is pasted', async () => {
	const stage = await setUp();
	const terminal = await openLogin(stage, {
		DISPLAY: ':9',
		SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22',
	});
	terminal.press('up', 'enter');
	await terminal.untilText('If the last page does not load, its address:');
	const [page = ''] =
		terminal.scrollback({isJoined: true}).filter((line) => line.includes('/authorize?')) ?? [];
	const reply = await fetch(page.trim(), {redirect: 'manual'});
	terminal.type('http://127.0.0.1:1/callback?code=1\r');
	await terminal.untilText('the address must begin with http://127.0.0.1:');
	terminal.type(`${reply.headers.get('location')}\r`);
	await terminal.untilText('code 0');
	expect(stage.home.credentials()).toHaveProperty(['mcp', stage.server.url, 'accessToken']);
});

test('nobody is registered and nothing is stored if the user does not want to', async () => {
	const stage = await setUp();
	const terminal = await openLogin(stage);
	terminal.press('enter');
	await terminal.untilText('code 77');
	expect(stage.server.requests).not.toContain('POST /register');
	expect(stage.home.credentials()).toBeUndefined();
});

test('Ctrl-C ends the wait', async () => {
	const stage = await setUp();
	const terminal = await openLogin(stage);
	terminal.press('up', 'enter');
	await terminal.untilText('its address:');
	terminal.press('ctrl+c');
	await terminal.untilText('code 130');
});

test('a refusal is reported', async () => {
	const stage = await setUp({
		reply(parameters) {
			parameters.delete('code');
			parameters.set('error', 'access_denied');
		},
	});
	const terminal = await openLogin(stage, {DISPLAY: ':9'});
	terminal.press('up', 'enter');
	await terminal.untilText('code 77');
	expect(terminal.screen().join('\n')).toContain(
		'chat: the login to the MCP server vault was refused: access_denied',
	);
});

test('two runs at once renew a login once', async () => {
	const {server, home} = await setUp({isReusable: false, delayMs: 1500});
	const variables = {HOME: home.home};
	await storeMcpLogin(home.credentialsPath, new URL(server.url), {
		issuer: server.origin,
		tokenEndpoint: `${server.origin}/token`,
		clientId: 'client-1',
		accessToken: 'expired',
		refreshToken: server.makeRefreshToken(),
		expiresAt: 1,
	});
	const run = () => runProcess(['mcp', 'refresh', 'vault', '--yes'], {variables});
	expect(await Promise.all([run(), run()])).toMatchObject([{code: 0}, {code: 0}]);
	expect(server.exchanges).toHaveLength(1);
});

test('the login to a server ends with its entry', async () => {
	const {server, home} = await setUp();
	const tokens = {issuer: server.origin, clientId: 'client-1', accessToken: 'access-secret-1'};
	await storeMcpLogin(home.credentialsPath, new URL(server.url), tokens);
	const variables = {HOME: home.home};
	expect(await runProcess(['mcp', 'remove', 'vault', '--yes'], {variables})).toMatchObject({
		code: 0,
	});
	expect(home.credentials()).toEqual({});
});

test('without a terminal nothing is registered', async () => {
	const {server, home} = await setUp();
	const run = await runProcess(['mcp', 'login', 'vault'], {variables: {HOME: home.home}});
	expect(run).toMatchObject({code: 77, stdout: ''});
	expect(run.stderr).toContain('chat mcp login needs a terminal to log in');
	expect(server.requests).toEqual([]);
});
