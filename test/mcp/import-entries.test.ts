import {describe, expect, it} from 'vitest';
import {type ForeignServer, readForeignServers} from '../../src/mcp/import-entries.ts';

function read(value: unknown, path = '/home/ada/.cursor/mcp.json'): readonly ForeignServer[] {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return readForeignServers(text, {name: path, path, directory: '/home/ada/.cursor'});
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
	it('keep what decides how they are started, and nothing else', () => {
		const item = {command: 'npx', args: ['-y', 'files'], env: {A: '1'}, trust: true, timeout: 5};
		expect(valuesOf(read({mcpServers: {files: item}}))).toEqual({
			files: {command: 'npx', args: ['-y', 'files'], env: {A: '1'}},
		});
	});

	it('keep their registered client', () => {
		const item = {url: 'https://a.example/mcp', auth: {CLIENT_ID: 'c1', scopes: ['read']}};
		expect(valuesOf(read({mcpServers: {a: item}}))).toEqual({a: item});
	});

	it('get valid names, each a different one', () => {
		const item = {command: 'x'};
		const servers = {My_Server: item, 'my server': item, ['my.server.'.repeat(3)]: item, '…': item};
		expect(Object.keys(valuesOf(read({mcpServers: servers})))).toEqual([
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
	])('are found in %s', (_, file) => {
		expect(valuesOf(read(file))).toEqual({a: {command: 'x'}});
	});

	it('name variables for what VS Code asks for', () => {
		const item = {command: 'x', env: {TOKEN: '${input:api-token}', MODE: '${env:MODE}'}};
		const [server] = read({servers: {a: item}});
		expect(server).toMatchObject({
			value: {env: {TOKEN: '${API_TOKEN}', MODE: '${env:MODE}'}},
			asked: ['API_TOKEN'],
		});
	});

	it('have variables of Gemini CLI in our form', () => {
		const item = {command: 'x', args: ['$HOME/a', '${B}', '5$'], env: {TOKEN: '$TOKEN'}};
		expect(valuesOf(read({mcpServers: {a: item}}, '/home/ada/.gemini/settings.json'))).toEqual({
			a: {command: 'x', args: ['${HOME}/a', '${B}', '5$'], env: {TOKEN: '${TOKEN}'}},
		});
	});

	it('have absolute paths of programs', () => {
		expect(valuesOf(read({mcpServers: {a: {command: './server', cwd: 'data'}}}))).toEqual({
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
	])('are left out with a reason: %j', (item, problem) => {
		expect(problemsOf(read({mcpServers: {a: item}}))).toEqual([problem]);
	});

	it('are left out when their URL is for the older transport in Gemini CLI', () => {
		const servers = {a: {url: 'https://a.example'}, b: {httpUrl: 'https://b.example'}};
		const found = read({mcpServers: servers}, '/home/ada/.qwen/settings.json');
		expect(problemsOf(found)).toHaveLength(1);
		expect(Object.keys(valuesOf(found))).toEqual(['b']);
	});

	it.each(['{"a": 1}', '[]', '{', '{"mcpServers": []}'])('are missing in %s', (text) => {
		expect(() => read(text)).toThrow('/home/ada/.cursor/mcp.json');
	});
});
