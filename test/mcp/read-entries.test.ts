import {describe, expect, test} from 'vitest';
import {ChatError} from '../../src/errors.ts';
import {fillVariables, findMissing} from '../../src/mcp/fill-variables.ts';
import {readEntries, suggestName} from '../../src/mcp/read-entries.ts';
import type {ServerEntry} from '../../src/mcp/server-entry.ts';

const file = {name: 'mcp.json', directory: '/home/ada/.config/chat'};

function read(value: unknown) {
	return readEntries(typeof value === 'string' ? value : JSON.stringify(value), file);
}

/** Reads the server `x`. */
function readOne(entry: unknown): ServerEntry {
	const [found] = read({mcpServers: {x: entry}});
	if (found === undefined || found.entry instanceof ChatError) throw found?.entry;
	return found.entry;
}

const problemOf = (run: () => unknown) => {
	try {
		run();
	} catch (error) {
		if (error instanceof ChatError && error.kind === 'config') return error.message;
		throw error;
	}
	return undefined;
};

describe('the files of other programs are understood', () => {
	test('Gemini and Qwen: httpUrl before a url', () => {
		const [url, httpUrl] = ['http://localhost:3000/sse', 'http://localhost:3000/mcp'];
		expect(readOne({httpUrl, url})).toMatchObject({access: {type: 'http', url: httpUrl}});
	});

	test.each(['streamable-http', 'streamableHttp'])('type %s', (type) => {
		expect(readOne({type, url: 'https://example.com'}).access.type).toBe('http');
	});

	test.each([
		[{auth: {CLIENT_ID: 'c1', CLIENT_SECRET: '${S}', scopes: ['a', 'b']}}, undefined],
		[{oauth: {clientId: 'c1', clientSecret: '${S}', callbackPort: 3118, scopes: 'a  b'}}, 3118],
	])('Cursor, Claude: a registered client, %j', (login, callbackPort) => {
		const auth = {clientId: 'c1', clientSecret: '${S}', scopes: ['a', 'b'], callbackPort};
		expect(readOne({url: 'https://a.example/mcp', ...login})).toMatchObject({access: {auth}});
	});

	test('keys of other programs are reported, and change nothing', () => {
		const item = {url: 'https://a.b', trust: true, oauth: {clientId: 'c', tokenUrl: 'd'}};
		const [found] = read({mcpServers: {x: item}});
		expect(found).toMatchObject({ignoredKeys: ['trust', 'oauth.tokenUrl'], entry: {name: 'x'}});
	});
});

describe('relative paths', () => {
	test('a folder may be in the home folder, or in a variable', () => {
		const source = {variables: {WORK: '/srv'}, homedir: '/home/ada'};
		const cwdOf = (cwd: string) => fillVariables(readOne({command: 'a', cwd}), source).access;
		expect(cwdOf('~')).toMatchObject({cwd: '/home/ada'});
		expect(cwdOf('~/x')).toMatchObject({cwd: '/home/ada/x'});
		expect(cwdOf('${WORK}/x')).toMatchObject({cwd: '/srv/x'});
		const run = () => fillVariables(readOne({command: 'a', cwd: '${W:-x}'}), source);
		expect(problemOf(run)).toBe('mcp.json, server x: cwd must be an absolute path');
	});
});

describe('a mistake in the file', () => {
	test.each([
		['[', 'is not valid JSON: line 1, column 2: unexpected end'],
		['{"mcpServers": {\n// no\n"a" 1}}', 'is not valid JSON: line 3, column 5: expected a colon'],
		['[]', 'must be a JSON object'],
		['{"servers": []}', 'has servers that is not an object of servers'],
		['{}', 'has no servers: it needs the key mcpServers or servers'],
		[
			{mcpServers: {a: {command: 'a'}}, servers: {a: {command: 'b'}}},
			'has two servers with the name a',
		],
	])('%j', (text, problem) => {
		expect(problemOf(() => read(text))).toBe(`mcp.json ${problem}`);
	});

	const many = 100_000;
	test.each([
		['{"a": 1} /* no end', 'is not valid JSON: line 1, column 10: '],
		['/*'.repeat(many), 'is not valid JSON: line 1, column 6: expected a value'],
		[', '.repeat(many), 'is not valid JSON: line 1, column 1: expected a value'],
		[`{"servers": ${'['.repeat(many)}${']'.repeat(many)}}`, 'is nested too deep'],
	])('is found in linear time (case %#)', (text, problem) => {
		expect(problemOf(() => read(text))?.slice(0, 200)).toContain(problem);
	});

	test('is searched for in linear time in variables', () => {
		const command = '${'.repeat(many);
		expect(problemOf(() => read({servers: {a: {command}}}))).toBeUndefined();
	});

	test.each([
		['text', 'must be an object, not a string'],
		[{}, 'needs a command or a url'],
		[{command: 'a', url: 'https://example.com'}, 'has both a command and a url'],
		[{command: ''}, 'command must not be empty'],
		[{command: ['npx', '-y']}, 'command must be a string, not an array'],
		[{command: 'a\0b'}, 'command contains a NUL character'],
		[{command: 'a', env: ['b']}, 'env must be an object, not an array'],
		[{command: 'a', env: {'A=B': 'c'}}, 'env.A=B is not a variable name'],
		[{command: 'a', env: {constructor: 'b'}}, 'env must not have the name constructor'],
		[{url: 'example.com'}, 'url must start with http:// or https://'],
		[
			{url: 'https://ada:secret@example.com'},
			'url must not contain a user or password; put an Authorization header into headers',
		],
		[
			{url: 'https://${USER}@example.com'},
			'url must not contain a user or password; put an Authorization header into headers',
		],
		[{url: 'https://a.b', headers: {'a b': 'c'}}, 'headers.a b is not a header name'],
		[{url: 'https://a.b', headers: {a: 'b\nc'}}, 'headers.a must be one line of Latin-1 text'],
		[{url: 'https://a.b', auth: {scopes: 1}}, 'auth.scopes must be an array, not a number'],
		[
			{url: 'https://a.b', auth: {callbackPort: 70_000}},
			'auth.callbackPort must be an integer from 1 to 65535',
		],
		[{type: 'stdio', url: 'https://a.b'}, 'type is "stdio", but there is no command'],
		[{type: 'http', command: 'a'}, 'type is "http", but there is no url'],
		[{type: 'toString', command: 'a'}, 'type must be "stdio", "http" or "streamable-http"'],
		[
			{type: 'sse', url: 'https://a.b'},
			'type is "sse", which chat does not support; many of these servers support "http" too, at another address',
		],
		[
			{command: 'a', env: {TOKEN: '${input:token}'}},
			'env.TOKEN contains ${input:token}, which chat cannot fill in; write ${NAME} instead, and set that variable',
		],
		[
			{command: 'a', args: ['${OPENAI_API_KEY}']},
			"args[0] contains ${OPENAI_API_KEY}, but servers never get chat's key; give this one a key of its own",
		],
		[
			{url: 'https://a.b', headers: {a: '${env:CHAT_API_KEY:-x}'}},
			"headers.a contains ${env:CHAT_API_KEY:-x}, but servers never get chat's key; give this one a key of its own",
		],
	])('of a server: %j', (entry, problem) => {
		expect(problemOf(() => readOne(entry))).toBe(`mcp.json, server x: ${problem}`);
	});

	test('of one server leaves the others', () => {
		const found = read({mcpServers: {bad: {}, good: {command: 'a'}}});
		expect(found.map(({entry}) => entry instanceof ChatError)).toEqual([true, false]);
	});

	test.each([
		['@scope/My_Package-', 'scope-my-package'],
		['a-very-long-name-of-a-server', 'a-very-long-name-of-a-se'],
		['名', 'server'],
	])('a name that is not valid comes with another one: %s', (name, suggested) => {
		const [found] = read({servers: {[name]: {command: 'a'}}});
		expect(
			problemOf(() => {
				throw found?.entry;
			}),
		).toBe(
			`mcp.json, server ${name}: a name has 1 to 24 of a-z, 0-9 and -; rename it, for example to ${suggested}`,
		);
		expect(suggestName(name)).toBe(suggested);
	});
});

describe('variables', () => {
	const program = {
		command: '${BIN:-node}',
		args: ['--key=${KEY}', '$HOME', '${EMPTY:-}'],
		env: {TOKEN: '${env:KEY}', PORT: 3000},
	};

	test('are filled in everywhere, and only once', () => {
		const variables = {KEY: '${OTHER}$&', OTHER: 'x'};
		const filled = fillVariables(readOne(program), {variables, homedir: '/home/ada'});
		expect(filled.access).toMatchObject({
			argv: ['node', '--key=${OTHER}$&', '$HOME', ''],
			variables: {TOKEN: '${OTHER}$&', PORT: '3000'},
		});
	});

	test('of a registered client', () => {
		const auth = {clientId: '${ID}', clientSecret: '${S}', scopes: ['${ID}:read']};
		const entry = readOne({url: 'https://a.example/mcp', auth});
		const source = {variables: {ID: 'i1', S: 's1'}, homedir: '/home/ada'};
		const filled = {clientId: 'i1', clientSecret: 's1', scopes: ['i1:read']};
		expect(fillVariables(entry, source)).toMatchObject({access: {auth: filled}});
		expect(findMissing(entry, {variables: {}, homedir: undefined})).toEqual(['ID', 'S']);
	});

	test('of an address and its headers', () => {
		const entry = readOne({
			url: '${BASE:-https://example.com}/mcp',
			headers: {Authorization: 'Bearer ${KEY}'},
		});
		const {access} = fillVariables(entry, {variables: {KEY: 'k', BASE: ''}, homedir: undefined});
		expect(access).toMatchObject({
			url: 'https://example.com/mcp',
			headers: {Authorization: 'Bearer k'},
		});
		const source = {variables: {KEY: 'k', BASE: 'secret'}, homedir: undefined};
		expect(problemOf(() => fillVariables(entry, source))).toBe(
			'mcp.json, server x: url must start with http:// or https://',
		);
	});

	test.each(['one\ntwo', '\u201csk-1\u201d'])(
		'that no header can have are not shown: %j',
		(KEY) => {
			const entry = readOne({
				url: 'https://example.com',
				headers: {Authorization: 'Bearer ${KEY}'},
			});
			const source = {variables: {KEY}, homedir: undefined};
			expect(problemOf(() => fillVariables(entry, source))).toBe(
				'mcp.json, server x: headers.Authorization must be one line of Latin-1 text',
			);
		},
	);

	test('that are not set stop the server', () => {
		const source = {variables: {KEY: ''}, homedir: '/home/ada'};
		const entry = readOne(program);
		expect(problemOf(() => fillVariables(entry, source))).toBe(
			'mcp.json, server x: the variable KEY is not set',
		);
		expect(findMissing(entry, source)).toEqual(['KEY']);
	});
});
