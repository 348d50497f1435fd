/**
 * Checks that a packed program works from end to end, also without an installed Node.
 *
 * `node scripts/test-executable.js [command …]`; the default is `build/executable/chat`
 */
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {manifest, root} from './project.js';
import {openTerminal, startService} from './run-program.js';

const given = process.argv.slice(2);
const command = given.length > 0 ? given : [join(root, 'build', 'executable', 'chat')];

const home = mkdtempSync(join(tmpdir(), 'chat-executable-'));
const variables = {HOME: home, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', TERM: 'xterm-256color'};

/** Runs the program to its end. */
function run(words, {input = '', ...more} = {}) {
	const [file, ...first] = command;
	const env = {...variables, ...more};
	const options = {cwd: home, env, input, encoding: 'utf8'};
	const {status, signal, stdout, stderr, error} = spawnSync(file, [...first, ...words], options);
	if (error !== undefined) throw error;
	return {status, signal, stdout, stderr};
}

const tools = [
	{
		type: 'function',
		function: {
			name: 'greet',
			description: 'Greets someone',
			parameters: {type: 'object', properties: {name: {type: 'string'}}, required: ['name']},
		},
		command: ['echo', 'hello', '{name}'],
	},
];

const checks = {
	'prints its version': () => {
		assert.equal(run(['--version']).stdout, `${manifest.version}\n`);
	},
	'prints its help': () => {
		assert.match(run(['help', 'all']).stdout, /Exit codes:/);
	},
	'answers with the built-in service': () => {
		const {status, stdout, stderr} = run(['say hi']);
		assert.deepEqual({status, stdout}, {status: 0, stdout: 'hi\n'});
		assert.match(stderr, /built-in service/);
	},
	'reads a pipe and prints JSON': () => {
		const {stdout} = run(['-o', 'json', 'summarize this'], {input: 'one\ntwo\n'});
		assert.match(JSON.parse(stdout).content, /2 lines/);
	},
	'checks an answer with a schema': () => {
		const {status, stdout} = run(['-q', '--json-schema', 'name, age int', 'a person']);
		assert.equal(status, 0);
		assert.equal(typeof JSON.parse(stdout).age, 'number');
	},
	'runs a tool': () => {
		writeFileSync(join(home, 'tools.json'), JSON.stringify(tools));
		const words = ['-o', 'json', '--tools', 'tools.json', '--allow-tool', 'greet'];
		const {stdout} = run([...words, '--tool-choice', 'greet', 'greet Ada']);
		assert.match(stdout, /hello /);
	},
	'calls a tool of an MCP server': () => {
		const server = join(root, 'test', 'fixtures', 'mcp', 'hostile-server.js');
		const folder = join(home, '.config', 'chat');
		mkdirSync(folder, {recursive: true});
		const mcpServers = {plain: {command: process.execPath, args: [server]}};
		writeFileSync(join(folder, 'mcp.json'), JSON.stringify({mcpServers}));
		const approved = run(['mcp', 'refresh', 'plain', '--yes']);
		assert.equal(approved.status, 0, approved.stderr);
		const name = 'mcp__plain__echo';
		const words = ['-q', '--mcp', 'plain', '--allow-tool', name, '--tool-choice', name];
		const {status, stdout, stderr} = run([...words, 'say hello']);
		assert.equal(status, 0, stderr);
		assert.match(stdout, /mcp__plain__echo/);
	},
	'changes the config file': () => {
		assert.equal(run(['config', 'set', 'temperature', '0.5']).status, 0);
		assert.equal(run(['config', 'get', 'temperature']).stdout, '0.5\n');
		assert.equal(run(['config', 'unset', 'temperature']).status, 0);
	},
	'uses a prompt template': () => {
		writeFileSync(join(home, 'greeting.md'), '---\ndescription: Greets\n---\nsay hi\n');
		assert.equal(run(['-q', '-t', './greeting.md']).stdout, 'hi\n');
	},
	'completes a command line': () => {
		assert.match(run(['completion', 'bash']).stdout, /complete .* chat\n/);
		assert.match(run(['__complete', 'fish', 'chat', '--mod']).stdout, /--model/);
	},
	'checks itself': () => {
		const {findings} = JSON.parse(run(['doctor', '-o', 'json']).stdout);
		const texts = findings.map(({name, text}) => `${name}: ${text}`);
		assert.ok(texts.includes(`version: chat ${manifest.version}`), texts.join('\n'));
	},
	'reports a wrong flag with code 64': () => {
		assert.equal(run(['--nonsense']).status, 64);
	},
	'serves another run, which saves and continues the conversation': async () => {
		const service = await startService(command, [], {env: variables});
		try {
			const connected = {CHAT_BASE_URL: service.url};
			assert.equal(run(['-q', 'My name is Ada.'], connected).status, 0);
			assert.match(run(['-q', '-c', 'And now?'], connected).stdout, /1 message of yours/);
			assert.match(run(['sessions', 'list']).stdout, /My name is Ada/);
			assert.match(run(['models'], connected).stdout, /sol/);
		} finally {
			assert.deepEqual(await service.end(), [0, null]);
		}
	},
	'stops by the signal of an interrupt': async () => {
		const [file, ...first] = command;
		const child = spawn(file, [...first, '-q', '--no-save', 'count to 1000'], {
			env: variables,
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		await once(child.stdout, 'data');
		child.kill('SIGINT');
		assert.deepEqual(await once(child, 'exit'), [null, 'SIGINT']);
	},
	'runs a session on a terminal, with coloured code': async () => {
		const terminal = openTerminal(command, {columns: 80, rows: 24}, variables, home);
		try {
			await terminal.waitFor(/Ask something|Type/);
			terminal.type('write a python function\r');
			const isColored = (cells) => cells.flat().some(({foreground}) => foreground > 0);
			await terminal.waitFor(/def /, isColored);
			terminal.type('/exit\r');
			assert.equal((await terminal.exited).exitCode, 0);
		} finally {
			await terminal.close();
		}
	},
};

try {
	for (const [name, check] of Object.entries(checks)) {
		const start = performance.now();
		await check();
		console.log(`${name}: ${Math.round(performance.now() - start)} ms`);
	}
} finally {
	rmSync(home, {recursive: true});
}
