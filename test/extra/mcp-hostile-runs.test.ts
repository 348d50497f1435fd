/** Runs of the whole program with a hostile server: the answer comes, and nothing else happens. */
import {createServer} from 'node:http';
import {expect, test} from 'vitest';
import {approveServers} from '../helpers/approve-servers.ts';
import {listen} from '../helpers/listen.ts';
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

type Setting = {
	readonly argv?: readonly string[];
	readonly home?: string;
	readonly variables?: Readonly<Record<string, string>>;
};

/** Approves a server, and lets a service call its tools one after the other. */
async function callTools(
	{entry}: Pick<HostileServer, 'entry'>,
	tools: readonly string[],
	{argv = [], home = createHome().home, variables = {}}: Setting = {},
) {
	const calls = tools.map((tool, index) => [
		{call: {id: `c${index}`, name: `mcp__h__${tool}`, arguments: '{"text":"still here"}'}},
	]);
	const service = await startScripted(...calls, say('Done.'));
	writeServers(home, {h: entry});
	await approveServers({home, variables}, 'h');
	const run = await runChat(['--mcp', 'h', '--allow-tool', 'mcp__h__*', ...argv, 'p'], {
		home,
		variables: {...service.env, ...variables},
		terminals: ['stderr'],
	});
	expect(run).toMatchObject({stdout: 'Done.\n', exitCode: 0});
	const messages = service.bodies.at(-1)?.messages ?? [];
	const results = messages.filter(({role}) => role === 'tool').map(({content}) => String(content));
	return {...run, results};
}

const expected: ReadonlyArray<readonly [tool: string, result: RegExp]> = [
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
	['resource-links', /^(?!.*root:).*file:\/\/\/etc\/passwd.*http:\/\/127/s],
	['remote-ref', /./],
	['echo', /^still here$/],
];

test.each([
	['over stdio, in the older protocol', hostileServer, 'legacy'],
	['over HTTP, in the newer protocol', startHostileHttp, 'modern'],
] as const)('each call has one bounded result, and the answer comes: %s', async (...row) => {
	const [, start, era] = row;
	let requests = 0;
	const trap = createServer((_, response) => {
		requests += 1;
		response.end();
	});
	const address = `http://127.0.0.1:${await listen(trap)}/`;
	// Over HTTP, nobody starts it again.
	const rows = expected.filter(([tool]) => tool !== 'exits-in-call' || era === 'legacy');
	const tools = rows.map(([tool]) => tool);
	const links = ['resource-links', 'remote-ref'];
	const behaviours = tools.filter((tool) => tool !== 'echo' && !links.includes(tool));
	const linking = links.map((name) => `${name}=${address}`);
	const server = await start(['asks-outside-call', ...behaviours, ...linking], {era});
	const {stderr, results} = await callTools(server, tools);
	expect(results).toEqual(rows.map(([, result]) => expect.stringMatching(result)));
	expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
		'server h asked for Your password and was declined',
	);
	expect(findForbidden(stderr)).toEqual([]);
	expect(stderr.length).toBeLessThan(10_000);
	// Nothing that a result links to is fetched.
	expect(requests).toBe(0);
});

test('a call without an answer ends at the limit of --tool-timeout', async () => {
	const tools = ['never-answers', 'only-wrong-id'];
	const argv = ['--tool-timeout', '200ms'];
	const {results} = await callTools(await startHostileHttp(tools), tools, {argv});
	expect(results).toEqual(['[stopped after 0.2 s]', '[stopped after 0.2 s]']);
});

test('a server gets the variables that programs need, and no key', async () => {
	const {home} = createHome();
	const shared = {HOME: home, LANG: 'C.UTF-8', LC_MESSAGES: 'C', PATH: '/usr/bin:/bin'};
	const {results} = await callTools(hostileServer(['environment']), ['environment'], {
		home,
		variables: {
			...shared,
			CHAT_API_KEY: 'sk-hostile-1234567890',
			OPENAI_API_KEY: 'sk-other-1234567890',
			GITHUB_TOKEN: 'ghp_1234567890',
			NODE_OPTIONS: '--no-warnings',
		},
	});
	expect(JSON.parse(results[0] ?? '{}')).toMatchObject({cwd: home});
	expect(JSON.parse(results[0] ?? '{}').variables).toEqual(shared);
});
