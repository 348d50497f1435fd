/** `chat mcp`, with servers that run. */
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {readMcpLogin, storeMcpLogin} from '../../../src/settings/service/credentials.ts';
import {
	everythingServer,
	hostileServer,
	startHostileHttp,
	type WrittenEntry,
	writeServers,
} from '../../helpers/mcp-servers.ts';
import {type RunOptions, runChat} from '../../helpers/run-chat.ts';
import {createHome} from '../../helpers/settings-home.ts';
import {createDirectory} from '../../input/input-helpers.ts';

function open(servers?: Readonly<Record<string, WrittenEntry>>) {
	const {home, source, directory, credentialsPath} = createHome();
	const path = join(directory, 'mcp.json');
	if (servers !== undefined) writeServers(home, servers);
	const state = join(home, '.local', 'state', 'chat', 'mcp');
	return {
		home,
		path,
		credentialsPath,
		state,
		run: (argv: readonly string[], options: RunOptions = {}) =>
			runChat(['mcp', ...argv], {...source, ...options}),
		/** The text of `mcp.json`. */
		file: () => JSON.parse(readFileSync(path, 'utf8')),
		manifests: () => (existsSync(state) ? readdirSync(state) : []),
	};
}

/** Returns the words that add a server of this process. */
async function served(behaviours?: readonly string[]): Promise<readonly string[]> {
	return ['--url', String((await startHostileHttp(behaviours)).entry['url'])];
}

/** Returns the words that add a program. */
function wordsOf({command, args}: WrittenEntry): readonly string[] {
	return ['--', String(command), ...(args as readonly string[])];
}

describe('chat mcp add', () => {
	it('shows how a server is started and what it offers, and writes its entry for the user alone', async () => {
		const {home, path, run, file, manifests} = open();
		const {entry} = hostileServer(['asks-form']);
		const {stderr, exitCode} = await run(['add', 'files', '--yes', ...wordsOf(entry)]);
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(stderr).toMatch(/^program: \S*node .*hostile-server\.js /m);
		expect(stderr).toContain(`in: ${home}\n`);
		expect(stderr).toMatch(/^new tool asks-form\n *Does asks-form\./m);
		expect(stderr).toContain('hostile 1.0.0: 2 tools');
		expect(file()).toEqual({mcpServers: {files: entry}});
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(manifests()).toEqual([expect.stringMatching(/^files\.[0-9a-f]+\.json$/)]);
	});

	it('keeps everything else in the file, in its order', async () => {
		const {path, run} = open({});
		writeFileSync(path, '{"note": 1, "servers": {"z": {"command": "z"}, "a": {"url": 5}}}');
		await run(['add', 'files', '-y', ...(await served())]);
		const file = JSON.parse(readFileSync(path, 'utf8'));
		expect(Object.keys(file)).toEqual(['note', 'servers']);
		expect(Object.keys(file.servers)).toEqual(['z', 'a', 'files']);
		expect(file.servers.a).toEqual({url: 5});
	});

	it('writes the name of a variable, and starts the server with its value', async () => {
		const {run, file} = open();
		const {entry, events} = hostileServer();
		const variables = {API_TOKEN: 'tok-0123456789'};
		const argv = ['add', 'x', '-y', '--env', 'API_TOKEN', '--env', 'MODE=fast', ...wordsOf(entry)];
		const {stderr, exitCode} = await run(argv, {variables, secrets: [variables.API_TOKEN]});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(stderr).toContain('with: API_TOKEN, MODE=fast\n');
		expect(file().mcpServers.x.env).toEqual({API_TOKEN: '${API_TOKEN}', MODE: 'fast'});
		expect(events('start')).toHaveLength(1);
	});

	it('adds a server that is reached by HTTP', async () => {
		const {run, file} = open();
		const [, url = ''] = await served();
		const header = ['--header', 'X-Token: ${TOKEN}'];
		const argv = ['add', 'all', '-y', '--url', url, ...header];
		const {stderr, exitCode} = await run(argv, {variables: {TOKEN: 'one-two-three'}});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(stderr).toContain(`address: ${url}\nwith: x-token (from TOKEN)\n`);
		expect(file().mcpServers.all).toEqual({type: 'http', url, headers: {'x-token': '${TOKEN}'}});
	});

	it('writes the client of a login', async () => {
		const {run, file} = open();
		const [, url = ''] = await served();
		const login = [
			'--client-id',
			'mine',
			'--client-secret',
			'${SECRET}',
			'--callback-port',
			'3118',
		];
		const scopes = ['--scope', 'read', '--scope', 'write'];
		const argv = ['add', 'all', '-y', '--url', url, ...login, ...scopes];
		const {stderr, exitCode} = await run(argv, {variables: {SECRET: 'one-two-three'}});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(stderr).toContain('client: mine\nclient: secret (from SECRET)\nscopes: read, write\n');
		expect(file().mcpServers.all.auth).toEqual({
			clientId: 'mine',
			clientSecret: '${SECRET}',
			scopes: ['read', 'write'],
			callbackPort: 3118,
		});
	});

	it('starts nothing and writes nothing without a terminal to ask on', async () => {
		const {run, path} = open();
		const {entry, events} = hostileServer();
		const {stderr, exitCode} = await run(['add', 'x', ...wordsOf(entry), '--yes']);
		expect(exitCode).toBe(77);
		expect(stderr).toContain('chat mcp add needs a terminal to confirm (or --yes before the --)');
		expect(events()).toEqual([]);
		expect(existsSync(path)).toBe(false);
	});

	it('writes nothing when the server cannot be started, and shows its stderr', async () => {
		const {run, path} = open();
		const program = ['--', process.execPath, '-e', 'console.error("one\\ntwo"); process.exit(3)'];
		const {stderr, exitCode} = await run(['add', 'x', '-y', ...program]);
		expect(exitCode).toBe(69);
		expect(stderr).toContain('x: one\nx: two\n');
		expect(stderr).toContain('chat: the MCP server x ended with code 3');
		expect(existsSync(path)).toBe(false);
	});

	it.each([
		[['add'], 'needs more arguments'],
		[['add', 'My_Files', '--', 'x'], '"My_Files" is not the name of a server'],
		[['add', 'x'], 'mcp add needs a program or a URL'],
		[['add', 'x', 'npx', 'files'], 'mcp add takes fewer arguments'],
		[['add', 'x', '--url', 'https://e.example', '--', 'npx'], 'a program or --url, not both'],
		[['add', 'x', '--url', 'ftp://e.example'], 'url must start with http:// or https://'],
		[['add', 'x', '--url', 'https://e.example', '--env', 'A'], '--env is for programs'],
		[['add', 'x', '--url', 'https://e.example', '--cwd', '/'], '--cwd is for programs'],
		[['add', 'x', '--header', 'A: b', '--', 'npx'], '--header is for --url'],
		[['add', 'x', '--scope', 'a', '--', 'npx'], 'a login is for --url'],
		[
			['add', 'x', '--url', 'https://e.example', '--client-secret', 'plain-secret'],
			"--client-secret needs a variable in quotes, such as '${CLIENT_SECRET}', not the secret\n",
		],
		[['add', 'x', '--url', 'https://e.example', '--callback-port', '0'], '--callback-port is "0"'],
		[['add', 'x', '--env', 'A-B', '--', 'npx'], '--env needs the name of a variable, not "A-B"'],
		[['add', 'x', '--env', 'CHAT_API_KEY', '--', 'npx'], "servers never get chat's key"],
		[['list', '--yes'], 'mcp list does not have --yes'],
		[['show'], 'mcp show needs more arguments'],
	])('refuses %j', async (argv, message) => {
		const {run, path} = open();
		const {stderr, exitCode} = await run(argv);
		expect({exitCode, stderr}).toEqual({exitCode: 64, stderr: expect.stringContaining(message)});
		expect(existsSync(path)).toBe(false);
	});

	it('reports a variable that is not set with 78', async () => {
		const {run} = open();
		const {stderr, exitCode} = await run(['add', 'x', '-y', '--env', 'NOPE', '--', 'node']);
		expect(exitCode).toBe(78);
		expect(stderr).toContain('the variable NOPE is not set');
	});

	it('warns of a secret that it stores, and of paths that mean something else there', async () => {
		const {run} = open();
		const argv = ['add', 'x', '--env', 'API_TOKEN=abc', '--', 'npx', '.', './notes'];
		const {stderr} = await run(argv);
		expect(stderr).toContain('the value of API_TOKEN will be in mcp.json');
		expect(stderr).toContain('2 paths (., ./notes) would start from your home folder');
	});

	it('warns of a path that is here, and of no other word with a slash', async () => {
		const {run} = open();
		const cwd = createDirectory({'tools/server.js': ''});
		const argv = ['add', 'x', '--', 'node', 'tools/server.js', '@scope/package'];
		const {stderr} = await run(argv, {cwd});
		expect(stderr).toContain('1 path (tools/server.js) would start from your home folder');
	});

	it('reports a failure over HTTP once', async () => {
		const {run} = open();
		const {stderr} = await run(['add', 'x', '--yes', '--url', 'http://127.0.0.1:9/mcp']);
		expect(stderr.match(/ECONNREFUSED/g)).toHaveLength(1);
	});

	it('changes no file with a mistake in it', async () => {
		const {run, path} = open({});
		writeFileSync(path, '{"mcpServers": {');
		const argv = ['add', 'files', '-y', ...(await served())];
		const {stderr, exitCode} = await run(argv);
		expect(exitCode).toBe(78);
		expect(stderr).toContain('mcp.json is not valid JSON: line 1, column 17: unexpected end');
		expect(readFileSync(path, 'utf8')).toBe('{"mcpServers": {');
	});
});

it.each([
	['add', 'x', '-y', '--', 'no-such-program-0'],
	['import', '-y'],
	['remove', 'a', '-y'],
])('chat mcp %s keeps the comments of a file, and asks nothing', async (...argv) => {
	const {run, path} = open({});
	const text = '// mine\n{"mcpServers": {"a": {"command": "x"},}}';
	writeFileSync(path, text);
	expect((await run(['list'])).stdout).toMatch(/^a {2}not approved/);
	const {stderr, exitCode} = await run(argv);
	expect(exitCode).toBe(78);
	expect(stderr).toContain('mcp.json has comments or trailing commas, which a change would lose');
	expect(readFileSync(path, 'utf8')).toBe(text);
});

it.each([['list'], ['import', '-y']])(
	'chat mcp %s reports a file that cannot be read',
	async (...argv) => {
		const {run, path} = open({});
		rmSync(path);
		mkdirSync(path);
		const {stderr, exitCode} = await run(argv);
		expect({exitCode, stderr}).toEqual({
			exitCode: 78,
			stderr: `chat: cannot read ${path} (EISDIR)\n`,
		});
	},
);

describe('chat mcp list', () => {
	it('prints how each server is reached and what is known of it, and starts none', async () => {
		const {run} = open({new: {url: 'https://e.example/mcp?key=1234'}, bad: {command: 7}});
		await run(['add', 'files', '-y', ...wordsOf(hostileServer().entry)]);
		const {stdout, stderr} = await run(['list']);
		expect(stdout).toMatch(/^new {4}not approved {10}https:\/\/e\.example\/mcp\?key=\S*redacted/m);
		expect(stdout).toMatch(/^files {2}approved {6}1 tool/m);
		expect(stderr).toBe('chat: mcp.json, server bad: command must be a string, not a number\n');
		const {stdout: json} = await run(['list', '-o', 'json']);
		expect(JSON.parse(json)).toMatchObject([
			{name: 'new', type: 'http', tools: null, state: 'not approved'},
			{name: 'bad', type: null, state: 'mistake'},
			{name: 'files', type: 'program', tools: 1, state: 'approved'},
		]);
	});

	it('says that what a server offers is not approved, until a refresh has shown it', async () => {
		const {run} = open({files: (await startHostileHttp()).entry});
		expect((await run(['list'])).stdout).toMatch(/^files {2}not approved/);
		expect((await run(['refresh', 'files'])).exitCode).toBe(77);
		expect((await run(['list'])).stdout).toMatch(/^files {2}not approved/);
		const {stderr} = await run(['refresh', 'files', '-y']);
		expect(stderr).toMatch(/new tool echo\n *Does echo\./);
		expect((await run(['list'])).stdout).toMatch(/^files {2}approved {2}1 tool/m);
	});

	it('says that an entry has changed since its tools were read', async () => {
		const {path, run, file} = open();
		await run(['add', 'files', '-y', ...(await served())]);
		const {mcpServers} = file();
		writeFileSync(
			path,
			JSON.stringify({mcpServers: {files: {...mcpServers.files, url: 'http://127.0.0.1:9/'}}}),
		);
		expect((await run(['list'])).stdout).toMatch(/^files {2}entry changed/);
		expect((await run(['show', 'files'])).stderr).toContain('the entry of the MCP server files');
	});

	it('says that what is known of a server cannot be read', async () => {
		const {run, state, manifests} = open({files: (await startHostileHttp()).entry});
		await run(['refresh', 'files', '-y']);
		writeFileSync(join(state, manifests()[0] ?? ''), '{"server":');
		expect((await run(['list'])).stdout).toMatch(/^files {2}damaged/);
		expect((await run(['show', 'files'])).stderr).toContain(
			'the file about the MCP server files cannot be read',
		);
		expect((await run(['refresh', 'files', '-y'])).exitCode).toBe(0);
		expect((await run(['list'])).stdout).toMatch(/^files {2}approved/);
	});

	it('says how to add one if there are none', async () => {
		const {stdout, stderr, exitCode} = await open().run([]);
		expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 0});
		expect(stderr).toContain('there are no servers yet; chat mcp add --help');
	});
});

describe('chat mcp show', () => {
	it('prints the tools, prompts and resources that a server offered, without starting it', async () => {
		const {run, state, manifests} = open({all: everythingServer});
		expect((await run(['show', 'all'])).stderr).toContain(
			'chat mcp refresh all shows what it offers and asks',
		);
		expect((await run(['refresh', 'all', '-y'])).exitCode).toBe(0);
		const {stdout} = await run(['show', 'all']);
		expect(stdout).toMatch(/^server {3}mcp-servers\/everything /m);
		expect(stdout).toMatch(/^ {2}get-sum a b$/m);
		expect(stdout).toContain('\n      - a (number): First number\n');
		expect(stdout).toContain('\n      read-only, reaches no other system, by its own account\n');
		expect(stdout).toMatch(/^Prompts$/m);
		expect(stdout).toMatch(/^ {2}args-prompt city \[state\]$/m);
		expect(stdout).toMatch(/^ {2}demo:\/\/resource\/dynamic\/text\/\{resourceId\}$/m);
		const {stdout: json} = await run(['show', 'all', '-o', 'json']);
		expect(JSON.parse(json)).toMatchObject({name: 'all', type: 'program'});
		expect(JSON.parse(json).tools.length).toBeGreaterThan(5);
		// A choice that is not text is printed as JSON.
		const path = join(state, manifests()[0] ?? '');
		const choice = '"enum":[{"toString":1}],"description":"First number"';
		const manifest = readFileSync(path, 'utf8');
		writeFileSync(path, manifest.replace('"description":"First number"', choice));
		const choices = await run(['show', 'all']);
		expect(choices.stdout).toContain('\n      - a ({"toString":1}): First number\n');
		expect(choices.exitCode).toBe(0);
	});

	it('shows no values of variables', async () => {
		const {run} = open({x: {command: 'x', env: {TOKEN: 'tok-0123456789'}}});
		const {stdout} = await run(['show', 'x'], {secrets: ['tok-0123456789']});
		expect(stdout).toContain('with     TOKEN\n');
	});

	it('suggests the name of another server', async () => {
		const {stderr, exitCode} = await open({files: {command: 'x'}}).run(['show', 'file']);
		expect(exitCode).toBe(66);
		expect(stderr).toContain('Did you mean files?');
	});
});

describe('chat mcp test', () => {
	it('reports the time, the protocol and the number of tools', async () => {
		const {run, manifests} = open({all: (await startHostileHttp()).entry});
		const {stdout, exitCode} = await run(['test', 'all']);
		expect(exitCode).toBe(0);
		expect(stdout).toMatch(/^all answers after [\d.]+ m?s, protocol 20\d\d-\d\d-\d\d\n.*: 1 tool/);
		expect(manifests()).toEqual([]);
	});

	it('does not repeat a secret that the server writes, wherever it is in the entry', async () => {
		const script = 'console.error("unknown option", process.argv[1]); process.exit(1)';
		const args = ['-e', script, '--', '--tok=${API_TOKEN}'];
		const {run} = open({x: {command: process.execPath, args}});
		const variables = {API_TOKEN: 'tok-0123456789'};
		const {stderr, exitCode} = await run(['test', 'x'], {variables, secrets: ['0123456789']});
		expect(exitCode).toBe(69);
		expect(stderr).toContain('unknown option --tok=[redacted]');
	});

	it('says what it leaves out', async () => {
		const {entry} = await startHostileHttp(['long-description', 'task-only', 'many-tools=1010']);
		const {stdout, stderr, exitCode} = await open({x: entry}).run(['test', 'x']);
		expect(exitCode).toBe(0);
		expect(stdout).toContain(': 1,000 tools,');
		expect(stderr).toMatch(/^x: left out: the tool wordy, which is too long$/m);
		expect(stderr).toMatch(/^x: left out: the tool later, which runs only as a task$/m);
		expect(stderr).toMatch(/^x: and \d+ more lines$/m);
	});

	it('prints what a hostile server writes without its escape sequences', async () => {
		const {entry} = hostileServer(['escapes', 'bidi']);
		const {run} = open({x: entry});
		const {stdout, stderr, exitCode} = await run(['refresh', 'x', '-y']);
		expect(exitCode).toBe(0);
		const shown = await run(['show', 'x']);
		expect(stdout + stderr + shown.stdout).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e]/u);
	});

	it.each([
		[{command: 'no-such-program-0'}, 69],
		[{command: process.execPath, args: ['-e', 'console.log("hello")']}, 69],
		[{url: 'http://127.0.0.1:1/mcp'}, 69],
		[{command: 'x', env: {A: '${NOT_SET}'}}, 78],
		[{command: 7}, 78],
	])('fails for %j with %i', async (entry, exitCode) => {
		const {run} = open({x: entry});
		expect((await run(['test', 'x'])).exitCode).toBe(exitCode);
	});
});

describe('chat mcp refresh', () => {
	it('says that nothing has changed, without a question', async () => {
		const {run} = open();
		await run(['add', 'files', '-y', ...(await served())]);
		const {stderr, exitCode} = await run(['refresh', 'files']);
		expect(exitCode).toBe(0);
		expect(stderr).toContain('nothing has changed in files');
	});

	it('shows what has changed, and accepts it only after a question', async () => {
		const {run, state, manifests} = open();
		await run(['add', 'files', '-y', ...(await served(['asks-form']))]);
		const path = join(state, manifests()[0] ?? '');
		const before = readFileSync(path, 'utf8')
			.replace('Does asks-form', 'Did asks-form')
			.replace('"name":"echo"', '"name":"gone"');
		writeFileSync(path, before);
		expect((await run(['refresh', 'files'])).exitCode).toBe(77);
		expect(readFileSync(path, 'utf8')).toBe(before);
		const {stderr, exitCode} = await run(['refresh', 'files', '-y']);
		expect(exitCode).toBe(0);
		expect(stderr).toContain('the tool gone is gone\n');
		expect(stderr).toMatch(/new tool echo\n *Does echo\./);
		expect(stderr).toContain('the tool asks-form has changed:\ndescription:\n- Did asks-form.');
		expect(stderr).toContain('files is up to date');
		expect((await run(['refresh', 'files'])).stderr).toContain('nothing has changed in files');
	});

	it('shows prompts, resources and instructions before it approves them, as add does', async () => {
		const {run, state, manifests} = open();
		const added = await run(['add', 'files', '-y', ...(await served())]);
		const news = [
			'its instructions for the model: Be kind',
			'new prompt review',
			'new resource memo:',
		];
		for (const line of news) expect(added.stderr).toContain(line);
		const path = join(state, manifests()[0] ?? '');
		const saved = JSON.parse(readFileSync(path, 'utf8'));
		const offer = {...saved.offer, prompts: [], resources: []};
		writeFileSync(path, JSON.stringify({...saved, instructions: undefined, offer}));
		const tested = await run(['test', 'files']);
		for (const line of news) expect(tested.stdout).toContain(line);
		expect((await run(['refresh', 'files'])).exitCode).toBe(77);
		expect((await run(['refresh', 'files', '-y'])).exitCode).toBe(0);
		expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
			fingerprint: saved.fingerprint,
			instructions: saved.instructions,
			offer: saved.offer,
		});
	});
});

it.each([
	['remove', ['remove', 'files']],
	['add', ['add', 'new', '--', process.execPath, '-e', 'throw new Error("started")']],
	['add, for a name that is taken', ['add', 'files', '--', 'no-such-program-0']],
])('Enter that was typed ahead removes and starts nothing: chat mcp %s', async (_, argv) => {
	const {run, file} = open({files: {command: 'x'}});
	const typed = {stdin: {typed: '\r\r\r'}, terminals: ['stderr'] as const};
	const {stderr, exitCode} = await run(argv, typed);
	expect({stderr, exitCode}).toEqual({
		stderr: expect.stringMatching(/ no\nchat: nothing was changed\n$/),
		exitCode: 0,
	});
	expect(file()).toEqual({mcpServers: {files: {command: 'x'}}});
});

describe('chat mcp remove', () => {
	it('deletes the entry and all that is known of it', async () => {
		const {run, file, manifests} = open({other: {command: 'x'}});
		await run(['add', 'files', '-y', ...(await served())]);
		expect((await run(['remove', 'files'])).exitCode).toBe(77);
		expect((await run(['remove', 'files', '-y'])).exitCode).toBe(0);
		expect(file()).toEqual({mcpServers: {other: {command: 'x'}}});
		expect(manifests()).toEqual([]);
	});

	it('deletes the login to an address with variables', async () => {
		const {run, credentialsPath} = open({vault: {url: 'https://${HOST}/mcp'}});
		const url = new URL('https://vault.example/mcp');
		const login = {issuer: 'https://issuer.example', clientId: 'c', accessToken: 'tok-0123456789'};
		await storeMcpLogin(credentialsPath, url, login);
		const variables = {HOST: url.host};
		expect((await run(['remove', 'vault', '-y'], {variables})).exitCode).toBe(0);
		expect(readMcpLogin(credentialsPath, url)).toBeUndefined();
	});

	it('deletes an entry with a mistake', async () => {
		const {run, file} = open({bad: {command: 7}});
		expect((await run(['remove', 'bad', '-y'])).exitCode).toBe(0);
		expect(file()).toEqual({mcpServers: {}});
	});
});

describe('chat mcp import', () => {
	const cursor = {
		mcpServers: {
			Git_Hub: {command: 'npx', args: ['-y', 'gh'], env: {TOKEN: '${GH_TOKEN}'}},
			old: {url: 'https://e.example/sse', type: 'sse'},
		},
	};

	it('copies the servers of a file, and says what it leaves out', async () => {
		const {home, run, file} = open();
		writeFileSync(join(home, 'mcp.json'), JSON.stringify(cursor));
		const {stderr, exitCode} = await run(['import', 'mcp.json', '-y'], {cwd: home});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(file()).toEqual({mcpServers: {'git-hub': cursor.mcpServers.Git_Hub}});
		expect(stderr).toContain('left out: old uses the older transport sse');
		expect(stderr).toContain('git-hub needs these variables: GH_TOKEN');
		expect(stderr).toContain('imported 1 of 1 server\n');
	});

	it('finds the files of other programs in the home folder, and none in the current one', async () => {
		const {home, run} = open();
		mkdirSync(join(home, '.cursor'));
		writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify(cursor));
		const cwd = join(home, 'project');
		mkdirSync(join(cwd, '.cursor'), {recursive: true});
		const local = {mcpServers: {local: {command: 'x'}}};
		writeFileSync(join(cwd, '.cursor', 'mcp.json'), JSON.stringify(local));
		writeFileSync(join(cwd, '.mcp.json'), JSON.stringify(local));
		const {stderr, exitCode} = await run(['import'], {cwd});
		expect(exitCode).toBe(77);
		expect(stderr).toContain('~/.cursor/mcp.json has 2 servers');
		expect(stderr).not.toContain('local');
	});

	it('replaces no entry: another one gets a free name, and the same one is left out', async () => {
		const mine = {command: 'mine', includeTools: ['read']};
		const {home, run, file} = open({github: mine});
		const desktop = join(home, '.config', 'Claude');
		mkdirSync(join(home, '.cursor'));
		mkdirSync(desktop);
		const write = (path: string, servers: Readonly<Record<string, WrittenEntry>>) =>
			writeFileSync(path, JSON.stringify({mcpServers: servers}));
		write(join(home, '.cursor', 'mcp.json'), {github: {command: 'one'}});
		write(join(desktop, 'claude_desktop_config.json'), {
			github: {command: 'two'},
			copy: {command: 'one'},
		});
		const {stderr, exitCode} = await run(['import', '-y'], {platform: 'linux'});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(file().mcpServers).toEqual({
			github: mine,
			'github-2': {command: 'one'},
			'github-3': {command: 'two'},
		});
		expect(stderr).toContain('server: github-2, which is github there\n');
		expect(stderr).toContain('left out: copy is here already, as github-2\n');
		expect(stderr).toContain('imported 2 of 3 servers\n');
		expect((await run(['import', '-y'], {platform: 'linux'})).stderr).toContain('imported 0 of 3');
	});

	it('shows all of an entry in a file that others may have written', async () => {
		const {home, run, file} = open();
		const servers = {
			['__proto__']: {command: 'a', env: {GIT_CONFIG_KEY_0: 'core.sshCommand'}},
			web: {url: 'https://e.example/?x=${API_TOKEN}'},
			long: {command: 'a', args: ['b'.repeat(30_000)]},
		};
		writeFileSync(join(home, 'x.json'), JSON.stringify({mcpServers: servers}));
		const {stderr} = await run(['import', 'x.json', '-y'], {cwd: home});
		expect(stderr).toContain('server: proto, which is __proto__ there\n');
		expect(stderr).toContain('with: GIT_CONFIG_KEY_0=core.sshCommand\n');
		expect(stderr).toContain('host: e.example\nsends: API_TOKEN to e.example\n');
		expect(stderr).toContain('left out: long is too long to be shown\n');
		expect(Object.keys(file().mcpServers)).toEqual(['proto', 'web']);
	});

	it('shows each of many arguments, and the host that a key in a URL goes to', async () => {
		const {home, run, file} = open();
		const args = Array.from({length: 500}, (_, index) => `a${index}`);
		const key = 'sk1234567890abcdefgh';
		const servers = {many: {command: 'x', args}, web: {url: `https://e.example/?api_key=${key}`}};
		writeFileSync(join(home, 'x.json'), JSON.stringify({mcpServers: servers}));
		const {stderr} = await run(['import', 'x.json', '-y'], {cwd: home});
		expect(stderr).toContain(`program: x ${args.join(' ')}\n`);
		expect(stderr).toContain(
			'address: https://e.example/?api_key=sk12… (20 characters)\nhost: e.example\n',
		);
		expect(stderr).not.toContain(key);
		expect(file().mcpServers).toEqual(servers);
	});

	it('finds the files of Codex, opencode, Windsurf and Zed, and names the keys that it leaves', async () => {
		const {home, run, file} = open();
		const write = (path: string, text: string) => {
			mkdirSync(dirname(join(home, path)), {recursive: true});
			writeFileSync(join(home, path), text);
		};
		write(
			'.codex/config.toml',
			'[mcp_servers.codex]\nurl = "https://c.example"\nbearer_token_env_var = "C"\ntool_timeout_sec = 5\n',
		);
		write(
			'.config/opencode/opencode.json',
			'{"mcp": {"open": {"type": "local", "command": ["o"]}}}',
		);
		write(
			'.codeium/windsurf/mcp_config.json',
			'{"mcpServers": {"wind": {"serverUrl": "https://w.example"}}}',
		);
		write('.config/zed/settings.json', '{"theme": "One" /* no servers */}');
		write('.qwen/settings.json', '{');
		const {stderr, exitCode} = await run(['import', '-y'], {platform: 'linux'});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(file().mcpServers).toEqual({
			wind: {url: 'https://w.example'},
			codex: {url: 'https://c.example', headers: {Authorization: 'Bearer ${C}'}},
			open: {command: 'o', args: []},
		});
		expect(stderr).toContain('sends: C to c.example\nnot imported: tool_timeout_sec\n');
		expect(stderr).toContain('codex needs these variables: C\n');
		expect(stderr).toContain('left out: ~/.qwen/settings.json is not valid JSON: line 1, column 2');
		expect(stderr).not.toContain('zed');
	});

	it('reports a file that has no servers', async () => {
		const {home, run} = open();
		writeFileSync(join(home, 'x.json'), '{}');
		const {stderr, exitCode} = await run(['import', 'x.json'], {cwd: home});
		expect({stderr, exitCode}).toMatchObject({exitCode: 65});
		expect(stderr).toContain('x.json has no servers');
		expect((await run(['import', 'missing.json'], {cwd: home})).exitCode).toBe(66);
		expect((await run(['import'])).stderr).toContain('found no servers to import');
	});
});
