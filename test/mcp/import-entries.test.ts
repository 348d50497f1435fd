import {describe, expect, it} from 'vitest';
import {type ForeignServer, readForeignServers} from '../../src/mcp/import-entries.ts';

async function read(
	value: unknown,
	path = '/home/ada/.cursor/mcp.json',
): Promise<readonly ForeignServer[]> {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	const file = {name: path, path, directory: '/home/ada/.cursor'};
	return (await readForeignServers(text, file)) ?? [];
}

/** Returns the values by the names that they get. */
function valuesOf(servers: readonly ForeignServer[]) {
	const usable = servers.flatMap((server) => ('entry' in server ? server : []));
	return Object.fromEntries(usable.map(({entry, value}) => [entry.name, value]));
}

function problemsOf(servers: readonly ForeignServer[]): readonly string[] {
	return servers.flatMap((server) => ('problem' in server ? server.problem : []));
}

describe('servers of other programs', () => {
	it('get valid names, each a different one', async () => {
		const item = {command: 'x'};
		const servers = {My_Server: item, 'my server': item, ['my.server.'.repeat(3)]: item, '…': item};
		expect(Object.keys(valuesOf(await read({mcpServers: servers})))).toEqual([
			'my-server',
			'my-server-2',
			'my-server-my-server-my-s',
			'server',
		]);
	});

	it.each([
		['VS Code', {servers: {a: {type: 'stdio', command: 'x'}}}],
		['the settings of VS Code', {mcp: {servers: {a: {command: 'x'}}}}],
		['a folder of Claude Code', {projects: {'/w': {mcpServers: {a: {command: 'x'}}}, '/v': {}}}],
		['a file with comments', '{"mcpServers": {/* mine */ "a": {"command": "x",},}, // end\n}'],
	])('are found in %s', async (_, file) => {
		expect(valuesOf(await read(file))).toEqual({a: {command: 'x'}});
	});

	it('name variables for what VS Code asks for', async () => {
		const item = {command: 'x', env: {TOKEN: '${input:api-token}', MODE: '${env:MODE}'}};
		const [server] = await read({servers: {a: item}});
		expect(server).toMatchObject({
			value: {env: {TOKEN: '${API_TOKEN}', MODE: '${env:MODE}'}},
			asked: ['API_TOKEN'],
		});
	});

	it('have absolute paths of programs', async () => {
		expect(valuesOf(await read({mcpServers: {a: {command: './server', cwd: 'data'}}}))).toEqual({
			a: {command: '/home/ada/.cursor/server', cwd: '/home/ada/.cursor/data'},
		});
	});

	it.each([
		[{command: 'x', disabled: true}, 'a is disabled there'],
		[
			{url: 'https://example.com/sse', type: 'sse'},
			'a uses the older transport sse, which is not supported',
		],
		[
			{command: 'x', envFile: '.env'},
			'a takes variables from a file (envFile), which is not supported',
		],
		[{}, '/home/ada/.cursor/mcp.json, server a: needs a command or a url'],
		[
			{command: '${workspaceFolder}/x'},
			'a depends on ${workspaceFolder}, which only that program knows',
		],
		['x', 'a is not an object'],
	])('are left out with a reason: %j', async (item, problem) => {
		expect(problemsOf(await read({mcpServers: {a: item}}))).toEqual([problem]);
	});

	it('are left out when their URL is for the older transport in Gemini CLI', async () => {
		const servers = {a: {url: 'https://a.example'}, b: {httpUrl: 'https://b.example'}};
		const found = await read({mcpServers: servers}, '/home/ada/.qwen/settings.json');
		expect(problemsOf(found)).toHaveLength(1);
		expect(Object.keys(valuesOf(found))).toEqual(['b']);
	});

	it.each(['{"a": 1}', '[]', '{"mcpServers": []}', '{"mcp": {"allowed": []}}'])(
		'are missing in %s',
		async (text) => {
			expect(
				await readForeignServers(text, {name: 'x', path: '/x', directory: '/'}),
			).toBeUndefined();
		},
	);

	it.each([
		['mcp.json', '{', 'mcp.json is not valid JSON: line 1, column 2: '],
		['config.toml', 'a = "sk-1\n', 'config.toml is not valid TOML: line 1, column '],
		['config.toml', `[${'a.'.repeat(50_000)}a]`, 'config.toml is nested too deep'],
	])('end with the place of a mistake in %s, without its text', async (name, text, problem) => {
		const reading = readForeignServers(text, {name, path: `/${name}`, directory: '/'});
		await expect(reading).rejects.toThrow(problem);
		await expect(reading).rejects.not.toThrow('sk-1');
	});
});

const url = 'https://a.example/mcp';
const zed = `{
	// Settings of Zed.
	"context_servers": {
		"a": {"source": "custom", "command": {"path": "x", "args": ["y"], "env": {"A": "1"}}},
	},
}`;
const codexProgram = `
	model = "gpt-5" # Not ours.
	[mcp_servers.a]
	command = "x"
	args = ["-y", 'z']
	env_vars = ["TOKEN"]
	startup_timeout_sec = 20
	enabled_tools = ["b"]
	disabled_tools = ["c"]
	[mcp_servers.a.env]
	A = "1"
`;
const codexAddress = `
	[mcp_servers.a]
	url = "${url}"
	bearer_token_env_var = "TOKEN"
	http_headers = {X = "1"}
	env_http_headers = {Y = "WHY"}
`;
const opencode = (item: object) => ({mcp: {a: item}});
const clientOfOpencode = {clientId: 'c1', scope: 'read write', tokenUrl: 'https://b.example'};
const gemini = {command: 'x', args: ['$DIR/a', '${B}', '5$'], env: {T: '$TOKEN'}};

/** A file of each program, the entry that it becomes, and the keys that are not taken over. */
const files: Array<[program: string, file: unknown, value: object, dropped?: readonly string[]]> = [
	['Zed', zed, {command: 'x', args: ['y'], env: {A: '1'}}],
	[
		'Zed, as of today',
		{context_servers: {a: {command: 'x', args: [], settings: {}}}},
		{command: 'x', args: []},
		['settings'],
	],
	[
		'opencode, a program',
		opencode({type: 'local', command: ['x', '-y'], environment: {T: '{env:TOKEN}'}, timeout: 5}),
		{command: 'x', args: ['-y'], env: {T: '${TOKEN}'}},
		['timeout'],
	],
	[
		'opencode, an address',
		opencode({type: 'remote', url, headers: {X: '{env:TOKEN}'}, oauth: clientOfOpencode}),
		{url, headers: {X: '${TOKEN}'}, auth: {scopes: 'read write', clientId: 'c1'}},
		['oauth.tokenUrl'],
	],
	[
		'Windsurf',
		{mcpServers: {a: {serverUrl: url, disabledTools: ['b']}}},
		{url, excludeTools: ['b']},
	],
	[
		'Codex, a program',
		codexProgram,
		{
			...{command: 'x', args: ['-y', 'z'], env: {A: '1', TOKEN: '${TOKEN}'}},
			...{includeTools: ['b'], excludeTools: ['c']},
		},
		['startup_timeout_sec'],
	],
	[
		'Codex, an address',
		codexAddress,
		{url, headers: {X: '1', Y: '${WHY}', Authorization: 'Bearer ${TOKEN}'}},
	],
	[
		'Gemini CLI, in a copy that httpUrl gives away',
		{mcpServers: {a: {httpUrl: url, headers: {X: 't-$TOKEN'}, trust: true}}},
		{httpUrl: url, headers: {X: 't-${TOKEN}'}},
		['trust'],
	],
	[
		'Gemini CLI, in a copy that its variables give away',
		{mcpServers: {a: gemini}},
		{command: 'x', args: ['${DIR}/a', '${B}', '5$'], env: {T: '${TOKEN}'}},
	],
];

describe('a file of another program', () => {
	it.each(files)('%s', async (program, file, value, dropped = []) => {
		const path = program.startsWith('Codex') ? '/home/ada/.codex/config.toml' : undefined;
		expect(await read(file, path)).toMatchObject([{written: 'a', value, dropped}]);
		expect(valuesOf(await read(file, path))).toEqual({a: value});
	});

	it('says which of two keys for the same is not taken over', async () => {
		const item = {command: 'x', excludeTools: ['a'], disabledTools: ['b'], auth: 'none'};
		expect(await read({mcpServers: {a: item}})).toMatchObject([
			{value: {excludeTools: ['a']}, dropped: ['disabledTools', 'auth']},
		]);
	});

	it.each([
		[{type: 'local', command: ['x'], enabled: false}, 'a is disabled there'],
		[
			{type: 'local', command: ['x', '{file:~/key}']},
			'a depends on {file:~/key}, which only that program knows',
		],
	])('leaves out what cannot work here: %j', async (item, problem) => {
		expect(problemsOf(await read({mcp: {a: item}}))).toEqual([problem]);
	});
});
