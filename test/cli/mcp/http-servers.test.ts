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

async function runTest(entry: WrittenEntry, flags = '', options: RunOptions = {}) {
	const {home} = createHome();
	writeServers(home, {h: entry});
	const {stdout, stderr, exitCode} = await runChat(`mcp test h ${flags}`, {home, ...options});
	expect([stdout, findForbidden(stderr)]).toEqual(['', []]);
	expect(stderr.length).toBeLessThan(100_000);
	return {stderr, exitCode};
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
	const flags = exitCode === 75 ? '--connect-timeout 100ms' : '';
	const run = await runTest((await startHostileHttp([behaviour])).entry, flags);
	expect(run).toEqual({stderr: expect.stringMatching(message), exitCode});
});

test('nothing goes unencrypted to another machine', async () => {
	const run = await runTest({url: 'http://192.0.2.1/mcp'});
	const stderr = expect.stringMatching(/unencrypted .* to http:\/\/192\.0\.2\.1.*--insecure-http/s);
	expect(run).toEqual({stderr, exitCode: 78});
});

test('a secret in the address of a server is in no error and no trace', async () => {
	const {entry} = await startHostileHttp(['redirects=/']);
	const url = String(entry['url']).replace('/mcp', '/${VAULT_TOKEN}/mcp');
	const secret = 'path-secret-1234';
	const options = {variables: {VAULT_TOKEN: secret}, secrets: [secret]};
	const {stderr} = await runTest({url}, '-v', options);
	expect(stderr).toMatch(/^> POST http:\/\/127\.0\.0\.1.*it redirects/ms);
});

test('--ca-file counts for servers too', async () => {
	const pathOf = (name: string) =>
		fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));
	const [key, cert] = ['server-key.pem', 'server.pem'].map((name) => readFileSync(pathOf(name)));
	const server = createServer({key, cert}, (_, response) => response.writeHead(404).end());
	const entry = {url: `https://localhost:${await listen(server)}/mcp`};
	const trusting = await runTest(entry, `--ca-file ${pathOf('ca.pem')}`);
	expect(trusting.stderr).toContain('the MCP server h answered 404');
	const alone = await runTest(entry);
	expect(alone.exitCode).toBe(69);
	expect(alone.stderr).toMatch(/the certificate is not trusted.*--ca-file/s);
});
