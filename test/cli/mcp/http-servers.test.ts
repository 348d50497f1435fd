/** Servers on the network that cannot be used: each fails with the reason, which is printed once. */
import {readFileSync} from 'node:fs';
import {createServer} from 'node:https';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {listen} from '../../helpers/listen.ts';
import {startHostileHttp, type WrittenEntry, writeServers} from '../../helpers/mcp-servers.ts';
import {type RunOptions, runChat} from '../../helpers/run-chat.ts';
import {createHome} from '../../helpers/settings-home.ts';
import {findForbidden} from '../../helpers/terminal-output.ts';

async function runTest(
	entry: WrittenEntry,
	flags: readonly string[] = [],
	options: RunOptions = {},
) {
	const {home} = createHome();
	writeServers(home, {h: entry});
	const run = await runChat(['mcp', 'test', 'h', ...flags], {home, ...options});
	expect(run.stdout).toBe('');
	expect(findForbidden(run.stderr)).toEqual([]);
	expect(run.stderr.length).toBeLessThan(100_000);
	return run;
}

test.each([
	['status=500', 69, /the MCP server h answered 500/],
	['status=403', 77, /^chat: the MCP server h denies access\n {6}Log in with: chat mcp login h$/m],
	['guarded=x', 77, /^chat: the MCP server h needs a login\n {6}Log in with: chat mcp login h\n$/],
	['web-page', 76, /the MCP server h does not speak the protocol: .*text\/html/],
	['redirects=http://127.0.0.1:1/', 76, /redirects are not followed/],
	['no-reply', 75, /did not answer within 0\.1 s$/m],
	['endless-body', 76, /^chat: http:.*: the reply is larger than 10 MiB$/m],
	['gzip-bomb', 76, /the MCP server h does not speak the protocol/],
])('%s: %i', async (behaviour, exitCode, message) => {
	const flags = exitCode === 75 ? ['--connect-timeout', '100ms'] : [];
	const run = await runTest((await startHostileHttp([behaviour])).entry, flags);
	expect(run.stderr).toMatch(message);
	expect(run.exitCode).toBe(exitCode);
});

test('nothing goes unencrypted to another machine', async () => {
	const run = await runTest({url: 'http://192.0.2.1/mcp'});
	expect(run).toMatchObject({exitCode: 78});
	expect(run.stderr).toMatch(
		/would go unencrypted .* to http:\/\/192\.0\.2\.1\/mcp.*--insecure-http/s,
	);
});

test('a secret in the address of a server is in no error and no trace', async () => {
	const {entry} = await startHostileHttp(['redirects=/']);
	const url = String(entry['url']).replace('/mcp', '/${VAULT_TOKEN}/mcp');
	const secrets = ['path-secret-1234'];
	const options = {variables: {VAULT_TOKEN: 'path-secret-1234'}, secrets};
	const {stderr} = await runTest({url}, ['-v'], options);
	expect(stderr).toContain('it redirects');
	expect(stderr).toContain('> POST http://127.0.0.1');
	expect(stderr).not.toContain('path-secret');
});

test('--ca-file counts for servers too', async () => {
	const pathOf = (name: string) =>
		fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));
	const [key, cert] = ['server-key.pem', 'server.pem'].map((name) => readFileSync(pathOf(name)));
	const server = createServer({key, cert}, (_, response) => response.writeHead(404).end());
	const entry = {url: `https://localhost:${await listen(server)}/mcp`};
	const trusting = await runTest(entry, ['--ca-file', pathOf('ca.pem')]);
	expect(trusting.stderr).toContain('the MCP server h answered 404');
	const alone = await runTest(entry);
	expect(alone).toMatchObject({exitCode: 69});
	expect(alone.stderr).toMatch(/the certificate is not trusted.*--ca-file/s);
});
