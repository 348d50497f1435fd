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

/** A file of each program, with the entry that it becomes. */
const files = [
	{
		program: 'Zed',
		text: `{
			// Settings of Zed.
			"theme": "One",
			"context_servers": {
				"a": {"source": "custom", "command": {"path": "x", "args": ["y"], "env": {"A": "1"}}},
			},
		}`,
		value: {command: 'x', args: ['y'], env: {A: '1'}},
		dropped: [],
	},
	{
		program: 'Zed, as of today',
		text: '{"context_servers": {"a": {"command": "x", "args": [], "settings": {}}}}',
		value: {command: 'x', args: []},
		dropped: ['settings'],
	},
	{
		program: 'opencode, a program',
		text: `{"mcp": {"a": {
			"type": "local", "command": ["x", "-y"], "environment": {"T": "{env:TOKEN}"}, "enabled": true,
			"timeout": 5000
		}}}`,
		value: {command: 'x', args: ['-y'], env: {T: '${TOKEN}'}},
		dropped: ['timeout'],
	},
	{
		program: 'opencode, an address',
		text: `{"mcp": {"a": {
			"type": "remote", "url": "https://a.example/mcp", "headers": {"X": "{env:TOKEN}"},
			"oauth": {"clientId": "c1", "scope": "read write", "tokenUrl": "https://b.example"}
		}}}`,
		value: {
			url: 'https://a.example/mcp',
			headers: {X: '${TOKEN}'},
			auth: {scopes: 'read write', clientId: 'c1'},
		},
		dropped: ['oauth.tokenUrl'],
	},
	{
		program: 'Windsurf',
		text: '{"mcpServers": {"a": {"serverUrl": "https://a.example/mcp", "disabledTools": ["b"]}}}',
		value: {url: 'https://a.example/mcp', excludeTools: ['b']},
		dropped: [],
	},
	{
		program: 'Codex, a program',
		path: '/home/ada/.codex/config.toml',
		text: `
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
		`,
		value: {
			command: 'x',
			args: ['-y', 'z'],
			env: {A: '1', TOKEN: '${TOKEN}'},
			includeTools: ['b'],
			excludeTools: ['c'],
		},
		dropped: ['startup_timeout_sec'],
	},
	{
		program: 'Codex, an address',
		path: '/home/ada/.codex/config.toml',
		text: `
			[mcp_servers.a]
			url = "https://a.example/mcp"
			bearer_token_env_var = "TOKEN"
			http_headers = {X = "1"}
			env_http_headers = {Y = "WHY"}
		`,
		value: {
			url: 'https://a.example/mcp',
			headers: {X: '1', Y: '${WHY}', Authorization: 'Bearer ${TOKEN}'},
		},
		dropped: [],
	},
	{
		program: 'Gemini CLI, in a copy that httpUrl gives away',
		text: `{"mcpServers": {"a": {
			"httpUrl": "https://a.example/mcp", "headers": {"X": "t-$TOKEN"}, "trust": true
		}}}`,
		value: {httpUrl: 'https://a.example/mcp', headers: {X: 't-${TOKEN}'}},
		dropped: ['trust'],
	},
	{
		program: 'Gemini CLI, in a copy that its variables give away',
		text: '{"mcpServers": {"a": {"command": "x", "args": ["$DIR/a", "${B}", "5$"], "env": {"T": "$TOKEN"}}}}',
		value: {command: 'x', args: ['${DIR}/a', '${B}', '5$'], env: {T: '${TOKEN}'}},
		dropped: [],
	},
];

describe('a file of another program', () => {
	it.each(files)('$program', async ({text, path, value, dropped}) => {
		expect(await read(text, path)).toMatchObject([{written: 'a', value, dropped}]);
		expect(valuesOf(await read(text, path))).toEqual({a: value});
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
