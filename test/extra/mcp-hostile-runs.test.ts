/** Runs of the whole program with a hostile server: the answer comes, and nothing else happens. */
import {writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {
	type HostileServer,
	hostileServer,
	startHostileHttp,
	writeServers,
} from '../helpers/mcp-servers.ts';
import {runChat} from '../helpers/run-chat.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createHome} from '../helpers/settings-home.ts';
import {findForbidden} from '../helpers/terminal-output.ts';
import {callTools} from '../mcp/call-tools.ts';

const results: ReadonlyArray<readonly [tool: string, result: RegExp]> = [
	['answers-twice', /^first$/],
	['wrong-id', /^right$/],
	['floods', /^flooded$/],
	['asks-sampling', /^(?!.*yes)/is],
	['asks-roots', /^(?!.*file:)/is],
	['asks-form', /"action":"decline"/],
	['asks-password', /"action":"decline"/],
	['asks-url', /"action":"decline"/],
	['asks-url-javascript', /"action":"decline"/],
	['asks-url-file', /"action":"decline"/],
	['asks-much', /"action":"decline"/],
	['asks-late', /^answered before/],
	['odd-content', /^\[unheard-of\]\n(?!.*<script>)/s],
	['not-a-result', /^.{1,500}$/s],
	['exits-in-call', /ended with code 3: going down/],
	['long-line', /^.{1,500}$/s],
	['echo', /^still here$/],
];

describe('each call has one bounded result, and the answer comes', () => {
	test.each([
		['over stdio, in the older protocol', hostileServer, 'legacy'],
		['over HTTP, in the newer protocol', startHostileHttp, 'modern'],
	] as const)('%s', async (_name, start, era) => {
		// Over HTTP, nobody starts it again.
		const expected = results.filter(([tool]) => tool !== 'exits-in-call' || era === 'legacy');
		const tools = expected.map(([tool]) => tool);
		const behaviours = ['asks-outside-call', ...tools.filter((tool) => tool !== 'echo')];
		const server = await start(behaviours, {era});
		const run = await callTools(server, {
			calls: tools.map((tool) => [tool, {text: 'still here'}] as const),
		});
		expect(run).toMatchObject({stdout: 'Done.\n', exitCode: 0});
		expect(run.results).toHaveLength(expected.length);
		expect(run.stderr.replaceAll(/\s+/g, ' ')).toContain(
			'server h asked for Your password and was declined',
		);
		for (const [index, [, result]] of expected.entries()) {
			expect(run.results[index]).toMatch(result);
		}
		expect(findForbidden(run.stderr)).toEqual([]);
		expect(run.stderr.length).toBeLessThan(10_000);
	});
});

test('a call without an answer ends at the limit of --tool-timeout', async () => {
	const server = hostileServer(['never-answers', 'only-wrong-id']);
	const calls = [['never-answers'], ['only-wrong-id']] as const;
	const run = await callTools(server, {calls, argv: ['--tool-timeout', '200ms']});
	expect(run.results).toEqual(['[stopped after 0.2 s]', '[stopped after 0.2 s]']);
	expect(run).toMatchObject({stdout: 'Done.\n', exitCode: 0});
});

test('nothing that a result links to is fetched', async () => {
	const requests: Array<string | undefined> = [];
	const trap = createServer((request, response) => {
		requests.push(request.url);
		response.end();
	}).listen(0, '127.0.0.1');
	onTestFinished(() => void trap.close());
	await new Promise((resolve) => trap.once('listening', resolve));
	const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/`;
	const server = hostileServer([`resource-links=${address}`, `remote-ref=${address}`]);
	const run = await callTools(server, {calls: [['resource-links'], ['remote-ref']]});
	expect(requests).toEqual([]);
	expect(run.results[0]).toContain(address);
	expect(run.results[0]).toContain('file:///etc/passwd');
	expect(run.results[0]).not.toContain('root:');
});

test('a server gets the variables that programs need, and no key', async () => {
	const {home} = createHome();
	const run = await callTools(hostileServer(['environment']), {
		calls: [['environment']],
		home,
		variables: {
			CHAT_API_KEY: 'sk-hostile-1234567890',
			OPENAI_API_KEY: 'sk-other-1234567890',
			GITHUB_TOKEN: 'ghp_1234567890',
			NODE_OPTIONS: '--no-warnings',
			HOME: home,
			LANG: 'C.UTF-8',
			LC_MESSAGES: 'C',
			PATH: '/usr/bin:/bin',
		},
	});
	const seen = JSON.parse(run.results[0] ?? '{}');
	const shared = {HOME: home, LANG: 'C.UTF-8', LC_MESSAGES: 'C', PATH: '/usr/bin:/bin'};
	expect(seen.variables).toEqual(shared);
	expect(seen.cwd).toBe(home);
});

test('a server that cannot be started fails its call, and the turn goes on', async () => {
	const {home} = createHome();
	const script = join(home, 'server.mjs');
	const fixture = new URL('../fixtures/mcp/hostile-server.js', import.meta.url);
	writeFileSync(script, `import ${JSON.stringify(fixture.href)};`);
	const other = hostileServer();
	writeServers(home, {h: {command: process.execPath, args: [script]}, other: other.entry});
	await approveServers({home}, 'h', 'other');
	writeFileSync(script, 'console.error("Error: no licence"); process.exit(1);');
	const calls = ['h', 'other'].map((name) => ({
		call: {id: name, name: `mcp__${name}__echo`, arguments: '{"text":"hi"}'},
	}));
	const service = await startScripted(calls, say('Done.'));
	const allowed = calls.flatMap(({call: {name}}) => ['--allow-tool', name]);
	const run = await runChat(['--mcp', 'h', '--mcp', 'other', ...allowed, 'p'], {
		home,
		variables: service.env,
	});
	expect(run).toMatchObject({stdout: 'Done.\n', exitCode: 0});
	const failure = 'The server failed: the MCP server h ended with code 1: Error: no licence';
	expect(run.stderr).toContain(`failed: ${failure}`);
	const results = service.bodies.at(-1)?.messages.filter(({role}) => role === 'tool');
	expect(results).toMatchObject([{content: failure}, {content: 'hi'}]);
});

describe('a tool that was allowed', () => {
	test('does not run after it has changed', async () => {
		const server = hostileServer(['change-annotations']);
		const {home} = createHome();
		await callTools(server, {calls: [], home});
		const run = await callTools(server, {
			calls: [['steady'], ['echo', {text: 'hi'}]],
			home,
			isApproved: true,
		});
		expect(run.results[0]).toContain('denied');
		expect(run.results[1]).toBe('hi');
		expect(run.stderr).toContain('the tool has changed since it was approved');
		expect(run.exitCode).toBe(77);
		// Nobody has approved the change: it is not what is known now.
		const again = await callTools(server, {calls: [['steady']], home, isApproved: true});
		expect(again.exitCode).toBe(77);
		const called = server
			.events('message')
			.filter(({message}) => message?.method === 'tools/call')
			.map(({message}) => message?.params?.['name']);
		expect(called).toEqual(['echo']);
	});

	test('may be gone, and a new one is not offered before the user has seen it', async () => {
		const server = hostileServer(['vanish']);
		const {home} = createHome();
		await callTools(server, {calls: [], home});
		const gone = await callTools(server, {calls: [['steady']], home, isApproved: true});
		expect(gone.results).toEqual(['The server no longer has this tool.']);
		const more = hostileServer(['appear']);
		await callTools(more, {calls: [], home});
		const run = await callTools(more, {calls: [['echo'], ['echo']], home, isApproved: true});
		expect(JSON.stringify(run.bodies)).not.toContain('newcomer');
		expect(run.stderr.replaceAll(/\s+/g, ' ')).toContain('chat mcp refresh h');
	});
});

describe('a server that cannot be used fails with the reason', () => {
	test.each([
		['exits-at-start', 69, /ended with code 1: cannot find the key: set HOSTILE_KEY$/m],
		['never-initializes', 75, /did not answer within 0\.3 s$/m],
		['endless-line', 76, /a line of more than 10 MB$/m],
		['old-version', 76, /version/],
	])('%s: %i', async (behaviour, exitCode, message) => {
		const server = hostileServer([behaviour], {era: 'legacy'});
		await expectFailure(server, exitCode, message);
		await expect.poll(server.alive).toEqual([]);
	});

	test.each([
		['status=500', 69, /the MCP server h answered 500/],
		['status=404', 76, /the MCP server h answered 404/],
		['status=403', 77, /the MCP server h denies access/],
		['web-page', 76, /the MCP server h does not speak the protocol: .*text\/html/],
		['redirects=http://127.0.0.1:1/', 76, /redirects are not followed/],
		['guarded=x', 77, /needs a login.*chat mcp login h/s],
		['no-reply', 75, /did not answer within 0\.1 s$/m],
		['keeps-alive-forever', 75, /did not answer within 0\.1 s$/m],
		['endless-body', 76, /^chat: http:.*: the reply is larger than 10 MiB$/m],
		['gzip-bomb', 76, /the MCP server h does not speak the protocol/],
	])('%s: %i', async (behaviour, exitCode, message) => {
		await expectFailure(await startHostileHttp([behaviour]), exitCode, message);
	});

	async function expectFailure(
		{entry}: Pick<HostileServer, 'entry'>,
		exitCode: number,
		message: RegExp,
	) {
		const argv = exitCode === 75 ? ['--connect-timeout', '100ms'] : [];
		const {home} = createHome();
		writeServers(home, {h: entry});
		const run = await runChat(['mcp', 'test', 'h', ...argv], {home});
		expect(run.stderr).toMatch(message);
		expect(run).toMatchObject({stdout: '', exitCode});
		expect(findForbidden(run.stderr)).toEqual([]);
		expect(run.stderr.length).toBeLessThan(100_000);
	}
});
