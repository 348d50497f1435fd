/** `chat mcp login` and `logout`, and the login that `add` asks for, on a terminal. */
import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {writeServers} from '../helpers/mcp-servers.ts';
import {type OAuthOptions, type OAuthServer, startOAuthServer} from '../helpers/oauth-server.ts';
import {runChat} from '../helpers/run-chat.ts';
import {createHome, modeOf} from '../helpers/settings-home.ts';
import {openInProcess} from '../helpers/terminal-in-process.ts';
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
	const bin = join(home.home, 'bin');
	mkdirSync(bin);
	writeFileSync(join(bin, 'xdg-open'), opener);
	chmodSync(join(bin, 'xdg-open'), 0o755);
	const env = {
		HOME: home.home,
		PATH: `${bin}:${process.env['PATH']}`,
		DISPLAY: undefined,
		SSH_CONNECTION: undefined,
		SSH_TTY: undefined,
	};
	/** Opens `chat mcp` with these words. */
	const open = async (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
		await openInProcess({argv: ['mcp', ...words], columns: 100, env: {...env, ...more}});
	return {server, home, open};
}

async function answer(terminal: TestTerminal, question: string, ...chords: readonly string[]) {
	await terminal.untilText(question);
	terminal.press(...chords, 'enter');
}

function expectNoSecret(text: string, {secrets}: OAuthServer): void {
	for (const secret of secrets) expect(text).not.toContain(secret);
}

test('a login in the browser is stored, used, and deleted', async () => {
	const {server, home, open} = await setUp();
	const {host} = new URL(server.url);
	const terminal = await open(['login', 'vault', '-v'], {DISPLAY: ':9'});
	await terminal.untilText(`The MCP server vault is ${host}. Its login is at ${host}.`);
	await terminal.untilText('Log in there?');
	expect(server.requests).not.toContain('POST /register');
	await answer(terminal, 'Log in there?', 'up');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
	expect(terminal.raw()).toContain(`> POST ${server.origin}/token`);
	expectNoSecret(terminal.raw(), server);
	expect(modeOf(home.credentialsPath)).toBe('600');
	const opened: unknown = JSON.parse(readFileSync(join(home.home, 'opened'), 'utf8'));
	expect(opened).toEqual([
		expect.stringMatching(`^http://${host}/authorize\\?response_type=code&`),
	]);

	const refreshed = await runChat(['mcp', 'refresh', 'vault', '-v', '--yes'], home.source);
	expect(refreshed).toMatchObject({exitCode: 0});
	expectNoSecret(refreshed.stderr, server);
	expect(await runChat(['mcp', 'logout', 'vault'], home.source)).toMatchObject({exitCode: 0});
	expect(home.credentials()).toEqual({});
	const again = await runChat(['mcp', 'logout', 'vault'], home.source);
	expect(again.stderr).toContain('there is no login to vault');
});

test('a server is added with a second login where the first ends at once', async () => {
	const {server, home, open} = await setUp({
		spoil: (token) => (server.exchanges.length === 1 ? `${token}x` : token),
		failRenewal: () => [400, '{"error": "invalid_grant"}'],
	});
	const terminal = await open(['add', 'other', '--url', server.url], {DISPLAY: ':9'});
	await answer(terminal, 'Connect to other to see what it offers?', 'up');
	await answer(terminal, 'Log in there?', 'up');
	await terminal.until(() => terminal.screen().join().split('Log in there?').length === 3);
	terminal.press('up', 'enter');
	await terminal.untilText(/new tool open\n {4}Opens the vault\./);
	await answer(terminal, 'Add other?');
	expect(await terminal.exit).toMatchObject({exitCode: 0});
	// The login goes with a server that is not added.
	expect(home.credentials()).toEqual({});
	const file = readFileSync(join(home.directory, 'mcp.json'), 'utf8');
	expect(Object.keys(JSON.parse(file).mcpServers)).toEqual(['vault']);
});

test('over SSH, the address of the page that does not load is pasted', async () => {
	const {server, home, open} = await setUp();
	const ssh = {DISPLAY: ':9', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22'};
	const terminal = await open(['login', 'vault'], ssh);
	await answer(terminal, 'Log in there?', 'up');
	await terminal.untilText('If the last page does not load, its address:');
	const lines = terminal.scrollback({isJoined: true});
	const page = lines.find((line) => line.includes('/authorize?')) ?? '';
	const reply = await fetch(page.trim(), {redirect: 'manual'});
	terminal.type('http://127.0.0.1:1/callback?code=1\r');
	await terminal.untilText('the address must begin with http://127.0.0.1:');
	terminal.type(`${reply.headers.get('location')}\r`);
	expect(await terminal.exit).toMatchObject({exitCode: 0});
	expect(home.credentials()).toHaveProperty(['mcp', server.url, 'accessToken']);
	expect(existsSync(join(home.home, 'opened'))).toBe(false);
});

test('nothing is stored if the user does not want to, or leaves with Ctrl-C', async () => {
	const {server, home, open} = await setUp();
	const refused = await open(['login', 'vault']);
	await answer(refused, 'Log in there?');
	expect(await refused.exit).toMatchObject({exitCode: 77});
	expect(server.requests).not.toContain('POST /register');
	const left = await open(['login', 'vault']);
	await answer(left, 'Log in there?', 'up');
	await left.untilText('its address:');
	left.press('ctrl+c');
	expect(await left.exit).toMatchObject({exitCode: 130});
	expect(home.credentials()).toBeUndefined();
});

test.each([
	[['login', 'vault'], 'chat mcp login needs a terminal to log in'],
	[['add', 'other', '--yes', '--url'], 'Add it on a terminal, without --yes.'],
])('without a terminal nothing is registered: %j', async (words, message) => {
	const {server, home} = await setUp();
	const address = words.includes('--url') ? [server.url] : [];
	const run = await runChat(['mcp', ...words, ...address], home.source);
	expect(run).toMatchObject({exitCode: 77, stdout: ''});
	expect(run.stderr).toContain(message);
	expect(server.clients).toEqual([]);
});
