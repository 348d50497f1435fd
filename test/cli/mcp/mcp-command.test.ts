/** `chat mcp`: what it writes, shows and asks. */
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Offer} from '../../../src/mcp/offer.ts';
import {readMcpLogin, storeMcpLogin} from '../../../src/settings/service/credentials.ts';
import {
	hostileServer,
	startHostileHttp,
	type WrittenEntry,
	writeServers,
} from '../../helpers/mcp-servers.ts';
import {type RunOptions, runChat} from '../../helpers/run-chat.ts';
import {createHome, modeOf} from '../../helpers/settings-home.ts';
import {writeTree} from '../../input/input-helpers.ts';
import {approveOffer} from '../../mcp/approve-offer.ts';

function open(servers?: Readonly<Record<string, WrittenEntry>>) {
	const {home, source, directory, credentialsPath} = createHome();
	const path = join(directory, 'mcp.json');
	if (servers !== undefined) writeServers(home, servers);
	const state = join(home, '.local', 'state', 'chat', 'mcp');
	return {
		home,
		path,
		credentialsPath,
		run: (argv: readonly string[], options: RunOptions = {}) =>
			runChat(['mcp', ...argv], {...source, ...options}),
		/** The value of `mcp.json`. */
		file: () => JSON.parse(readFileSync(path, 'utf8')),
		/** The paths of what was approved. */
		manifests: () => (existsSync(state) ? readdirSync(state).map((name) => join(state, name)) : []),
		/** Approves an offer of a server, which may be another one than that in the file. */
		approve: (name: string, written: WrittenEntry, offer: Partial<Offer> = {}) =>
			approveOffer(home, name, written, offer),
	};
}

/** Returns the words that add a program. */
function wordsOf({command, args}: WrittenEntry): readonly string[] {
	return ['--', String(command), ...(args as readonly string[])];
}

describe('chat mcp add', () => {
	it('shows how a program is started and what it offers, and writes the names of its variables', async () => {
		const {home, path, run, file, manifests} = open();
		const {entry, events} = hostileServer(['asks-form']);
		const variables = {API_TOKEN: 'tok-0123456789'};
		const env = ['--env', 'API_TOKEN', '--env', 'MODE=fast'];
		const {stderr, exitCode} = await run(['add', 'files', '--yes', ...env, ...wordsOf(entry)], {
			variables,
			secrets: [variables.API_TOKEN],
		});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(stderr).toMatch(/^program: \S*node .*hostile-server\.js /m);
		expect(stderr).toContain(`in: ${home}\nwith: API_TOKEN, MODE=fast\n`);
		expect(stderr).toMatch(/^new tool asks-form\n *Does asks-form\./m);
		expect(stderr).toContain('hostile 1.0.0: 2 tools');
		const written = {...entry, env: {API_TOKEN: '${API_TOKEN}', MODE: 'fast'}};
		expect(file()).toEqual({mcpServers: {files: written}});
		expect(modeOf(path)).toBe('600');
		expect(manifests()).toEqual([expect.stringMatching(/\/files\.[0-9a-f]+\.json$/)]);
		expect(events('start')).toHaveLength(1);
	});

	it('writes a header and a client by their variables, and keeps all else in the file', async () => {
		const {path, run, file} = open({});
		writeFileSync(path, '{"note": 1, "servers": {"z": {"command": "z"}, "a": {"url": 5}}}');
		const {url} = (await startHostileHttp()).entry;
		const client = '--client-id mine --client-secret ${SECRET} --callback-port 3118'.split(' ');
		const scopes = ['--scope', 'read', '--scope', 'write'];
		const header = ['--header', 'X-Token: ${TOKEN}'];
		const argv = ['add', 'all', '-y', '--url', String(url), ...header, ...client, ...scopes];
		const variables = {TOKEN: 'one-two-three', SECRET: 'four-five-six'};
		const {stderr, exitCode} = await run(argv, {variables});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(stderr).toContain(`address: ${url}\nwith: x-token (from TOKEN)\n`);
		expect(stderr).toContain('client: mine\nclient: secret (from SECRET)\nscopes: read, write\n');
		const auth = {
			clientId: 'mine',
			clientSecret: '${SECRET}',
			scopes: ['read', 'write'],
			callbackPort: 3118,
		};
		const all = {type: 'http', url, headers: {'x-token': '${TOKEN}'}, auth};
		const servers = {z: {command: 'z'}, a: {url: 5}, all};
		expect(JSON.stringify(file())).toBe(JSON.stringify({note: 1, servers}));
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

	const url = ['--url', 'https://e.example'];
	const npx = ['--', 'npx'];

	const mistakes: ReadonlyArray<readonly [readonly string[], message: string, exitCode?: number]> =
		[
			[['add', 'My_Files', '--', 'x'], '"My_Files" is not the name of a server'],
			[['add', 'x'], 'mcp add needs a program or a URL'],
			[['add', 'x', ...url, ...npx], 'a program or --url, not both'],
			[['add', 'x', ...url, '--env', 'A'], '--env is for programs'],
			[['add', 'x', '--header', 'A: b', ...npx], '--header is for --url'],
			[
				['add', 'x', ...url, '--client-secret', 'plain-secret'],
				"--client-secret needs a variable in quotes, such as '${CLIENT_SECRET}', not the secret\n",
			],
			[['add', 'x', '--env', 'A-B', ...npx], '--env needs the name of a variable, not "A-B"'],
			[['add', 'x', '--env', 'CHAT_API_KEY', ...npx], "servers never get chat's key"],
			[['add', 'x', '-y', '--env', 'NOPE', ...npx], 'the variable NOPE is not set', 78],
			[['list', '--yes'], 'mcp list does not have --yes'],
		];

	it.each(mistakes.map(([argv, message, exitCode = 64]) => [argv, message, exitCode] as const))(
		'is refused, and nothing is written: %j',
		async (argv, message, exitCode) => {
			const {run, path} = open();
			const {stderr, ...ended} = await run(argv);
			expect({stderr, ...ended}).toMatchObject({
				exitCode,
				stderr: expect.stringContaining(message),
			});
			expect(existsSync(path)).toBe(false);
		},
	);

	it('warns of a secret that it stores, and of paths that mean something else there', async () => {
		const {run, home} = open();
		const cwd = join(home, 'work');
		writeTree(cwd, {'tools/server.js': ''});
		const words = ['.', './notes', 'tools/server.js', '@scope/package'];
		const {stderr} = await run(['add', 'x', '--env', 'API_TOKEN=abc', ...npx, ...words], {cwd});
		expect(stderr).toContain('the value of API_TOKEN will be in mcp.json');
		expect(stderr).toContain(
			'3 paths (., ./notes, tools/server.js) would start from your home folder',
		);
	});
});

describe('a file', () => {
	const commented = '// mine\n{"mcpServers": {"a": {"command": "x"},}}';
	const comments = 'mcp.json has comments or trailing commas, which a change would lose';

	it.each([
		[['add', 'x', '--', 'no-such-program-0'], commented, comments],
		[['add', 'x', '--url', 'http://127.0.0.1:9/'], '{"mcpServers": {', 'is not valid JSON: line 1'],
	])('that cannot be changed without a loss is kept, before any question: %j', async (...row) => {
		const [argv, text, problem] = row;
		const {run, path} = open({});
		writeFileSync(path, text);
		const {stderr, exitCode} = await run(argv);
		expect({exitCode, stderr}).toEqual({exitCode: 78, stderr: expect.stringContaining(problem)});
		expect(readFileSync(path, 'utf8')).toBe(text);
	});
});

describe('chat mcp list', () => {
	it('prints how each server is reached and what is known of it, and starts none', async () => {
		const files = {command: 'files'};
		const {run, path, approve, manifests} = open({});
		approve('changed', {command: 'other'});
		approve('files', files);
		approve('broken', files);
		const broken = manifests().find((manifest) => manifest.includes('/broken.'));
		writeFileSync(broken ?? '', '{"server":');
		const servers = {
			...{new: {url: 'https://e.example/mcp?key=1234'}, bad: {command: 7}, files},
			...{changed: files, broken: files},
		};
		writeFileSync(path, `// Mine.\n${JSON.stringify({servers})}`);
		const {stdout, stderr} = await run(['list']);
		expect(stdout.split('\n')).toEqual([
			expect.stringMatching(/^new {6}not approved {11}https:\/\/e\.example\/mcp\?key=\S*redacted/),
			'bad      mistake',
			'files    approved       1 tool  files',
			'changed  entry changed          files',
			'broken   damaged                files',
			'',
		]);
		expect(stderr).toBe('chat: mcp.json, server bad: command must be a string, not a number\n');
		expect(JSON.parse((await run(['list', '-o', 'json'])).stdout).slice(0, 3)).toMatchObject([
			{name: 'new', type: 'http', tools: null, state: 'not approved'},
			{name: 'bad', type: null, state: 'mistake'},
			{name: 'files', type: 'program', tools: 1, state: 'approved'},
		]);
		for (const [name, reason] of Object.entries({
			new: 'chat mcp refresh new shows what it offers and asks',
			changed: 'the entry of the MCP server changed',
			broken: 'the file about the MCP server broken cannot be read',
		})) {
			expect((await run(['show', name])).stderr).toContain(reason);
		}
	});
});

describe('chat mcp show', () => {
	it('prints what a server has offered without starting it, and no value of a variable', async () => {
		const all = {command: 'x', env: {TOKEN: 'tok-0123456789'}};
		const {run, approve} = open({all});
		const a = {description: 'First number', type: 'number'};
		// A choice that is not text is printed as JSON.
		const properties = {a, b: {enum: [{toString: 1}]}};
		const annotations = {readOnlyHint: true, openWorldHint: false};
		approve('all', all, {
			tools: [{name: 'sum', inputSchema: {properties, required: ['a']}, annotations}],
			prompts: [{name: 'ask', arguments: [{name: 'city', required: true}, {name: 'state'}]}],
			resourceTemplates: [{uriTemplate: 'demo://{id}', name: 'demo'}],
		});
		const {stdout} = await run(['show', 'all'], {secrets: ['tok-0123456789']});
		expect(stdout).toContain('with     TOKEN\n');
		expect(stdout).toMatch(/^server {3}memory 1\.4\.2$/m);
		expect(stdout).toContain(
			'\nTools\n  sum a [b]\n      - a (number): First number\n      - b ({"toString":1})\n      read-only, reaches no other system, by its own account\n',
		);
		expect(stdout).toContain('\nPrompts\n  ask city [state]\n');
		expect(stdout).toContain('\nResources\n  demo://{id}\n');
		const json = JSON.parse((await run(['show', 'all', '-o', 'json'])).stdout);
		expect(json).toMatchObject({name: 'all', type: 'program', tools: [{name: 'sum'}]});
	});
});

describe('chat mcp test', () => {
	it('does not repeat a secret that the server writes, wherever it is in the entry', async () => {
		const script = 'console.error(process.argv[1], process.env.MY_TOKEN); process.exit(1)';
		const args = ['-e', script, '--', '--tok=${API_TOKEN}'];
		const {run} = open({x: {command: process.execPath, args, env: {MY_TOKEN: 'own-0123456789'}}});
		const variables = {API_TOKEN: 'tok-0123456789'};
		const {stderr, exitCode} = await run(['test', 'x'], {variables, secrets: ['0123456789']});
		expect(exitCode).toBe(69);
		expect(stderr).toContain('--tok=[redacted] [redacted]');
	});

	it('says what it leaves out', async () => {
		const {entry} = await startHostileHttp(['wrong-types', 'task-only']);
		const {stdout, stderr, exitCode} = await open({x: entry}).run(['test', 'x']);
		expect(exitCode).toBe(0);
		expect(stdout).toContain(': 1 tool,');
		expect(stderr).toMatch(/^x: left out: the tool noschema, whose definition is not valid$/m);
		expect(stderr).toMatch(/^x: and 1 more line$/m);
	});

	it('prints what a hostile server writes without its escape sequences', async () => {
		const {run} = open({x: hostileServer(['escapes', 'bidi']).entry});
		const {stdout, stderr, exitCode} = await run(['refresh', 'x', '-y']);
		expect(exitCode).toBe(0);
		const shown = await run(['show', 'x']);
		expect(stdout + stderr + shown.stdout).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e]/u);
	});
});

it('chat mcp refresh shows what has changed, as test does, and keeps it after a question', async () => {
	const {run, manifests} = open({files: (await startHostileHttp(['asks-form'])).entry});
	const first = await run(['refresh', 'files', '-y']);
	const news = [
		'its instructions for the model: Be kind',
		'new prompt review',
		'new resource memo:',
	];
	for (const line of news) expect(first.stderr).toContain(line);
	const [path = ''] = manifests();
	const now = JSON.parse(readFileSync(path, 'utf8'));
	const [asking, echoing] = now.offer.tools;
	const tools = [
		{...asking, description: 'Did it.'},
		{...echoing, name: 'gone'},
	];
	const offer = {...now.offer, tools, prompts: [], resources: []};
	const before = JSON.stringify({...now, instructions: undefined, offer});
	writeFileSync(path, before);
	const tested = await run(['test', 'files']);
	expect(tested.stdout).toMatch(
		/^files answers after [\d.]+ m?s, protocol 20\d\d-\d\d-\d\d\n.*: 2 t/,
	);
	expect((await run(['refresh', 'files'])).exitCode).toBe(77);
	expect(readFileSync(path, 'utf8')).toBe(before);
	const accepted = await run(['refresh', 'files', '-y']);
	for (const text of [tested.stdout, accepted.stderr]) {
		for (const line of news) expect(text).toContain(line);
		expect(text).toContain('the tool gone is gone\n');
		expect(text).toMatch(/new tool echo\n *Does echo\./);
		expect(text).toContain('the tool asks-form has changed:\ndescription:\n- Did it.');
	}
	expect(accepted.stderr).toContain('files is up to date');
	expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({...now, readAt: expect.any(Number)});
	const again = await run(['refresh', 'files']);
	expect(again).toMatchObject({exitCode: 0});
	expect(again.stderr).toContain('nothing has changed in files');
});

it.each([
	['remove', ['remove', 'files']],
	['refresh', ['refresh', 'files']],
	['add', ['add', 'new', '--', process.execPath, '-e', 'throw new Error("started")']],
])('Enter that was typed ahead changes and starts nothing: chat mcp %s', async (_, argv) => {
	const {entry} = await startHostileHttp();
	const {run, file, manifests} = open({files: entry});
	const typed = {stdin: {typed: '\r\r\r'}, terminals: ['stderr'] as const};
	const {stderr, exitCode} = await run(argv, typed);
	expect({stderr, exitCode}).toEqual({
		stderr: expect.stringMatching(/ no\nchat: nothing was changed\n$/),
		exitCode: 0,
	});
	expect(file()).toEqual({mcpServers: {files: entry}});
	expect(manifests()).toEqual([]);
});

describe('chat mcp remove', () => {
	it('deletes the entry, what is known of it, and the login to its address', async () => {
		const vault = {url: 'https://${HOST:-vault.example}/mcp'};
		const {run, file, approve, manifests, credentialsPath} = open({other: {command: 'x'}, vault});
		approve('vault', vault);
		const url = new URL('https://vault.example/mcp');
		const login = {issuer: 'https://issuer.example', clientId: 'c', accessToken: 'tok-0123456789'};
		await storeMcpLogin(credentialsPath, url, login);
		expect((await run(['remove', 'vault'])).exitCode).toBe(77);
		expect((await run(['remove', 'vault', '-y'])).exitCode).toBe(0);
		expect(file()).toEqual({mcpServers: {other: {command: 'x'}}});
		expect(manifests()).toEqual([]);
		expect(readMcpLogin(credentialsPath, url)).toBeUndefined();
	});
});

describe('chat mcp import', () => {
	const textOf = (servers: Readonly<Record<string, WrittenEntry>>) =>
		JSON.stringify({mcpServers: servers});

	it('copies a file of others, shows all of each entry, and says what it leaves out', async () => {
		const {home, run, file} = open();
		const args = Array.from({length: 500}, (_, index) => `a${index}`);
		const key = 'sk1234567890abcdefgh';
		const github = {command: 'npx', args: ['-y', 'gh'], env: {TOKEN: '${GH_TOKEN}'}};
		const servers = {
			Git_Hub: github,
			old: {url: 'https://e.example/sse', type: 'sse'},
			['__proto__']: {command: 'a', env: {GIT_CONFIG_KEY_0: 'core.sshCommand'}},
			web: {url: `https://e.example/?x=\${API_TOKEN}&api_key=${key}`},
			many: {command: 'x', args},
			long: {command: 'a', args: ['b'.repeat(30_000)]},
		};
		writeTree(home, {'x.json': textOf(servers)});
		const {stderr, exitCode} = await run(['import', 'x.json', '-y'], {cwd: home});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(Object.keys(file().mcpServers)).toEqual(['git-hub', 'proto', 'web', 'many']);
		expect(file().mcpServers['git-hub']).toEqual(github);
		for (const line of [
			'left out: old uses the older transport sse',
			'git-hub needs these variables: GH_TOKEN',
			'server: proto, which is __proto__ there\n',
			'with: GIT_CONFIG_KEY_0=core.sshCommand\n',
			'address: https://e.example/?x=${API_TOKEN}&api_key=sk12… (20 characters)\nhost: e.example\nsends: API_TOKEN to e.example\n',
			`program: x ${args.join(' ')}\n`,
			'left out: long is too long to be shown\n',
		]) {
			expect(stderr).toContain(line);
		}
		expect(stderr).not.toContain(key);
	});

	it('finds the files of other programs at home, not here, and replaces no entry', async () => {
		const mine = {command: 'mine', includeTools: ['read']};
		const {home, run, file} = open({github: mine});
		expect((await run(['import'])).stderr).toContain('found no servers to import');
		const toml =
			'[mcp_servers.codex]\nurl = "https://c.example"\nbearer_token_env_var = "C"\ntool_timeout_sec = 5\n';
		writeTree(home, {
			'.cursor/mcp.json': textOf({github: {command: 'one'}}),
			'.config/Claude/claude_desktop_config.json': textOf({
				github: {command: 'two'},
				copy: {command: 'one'},
			}),
			'.codex/config.toml': toml,
			'.config/opencode/opencode.json': '{"mcp": {"open": {"type": "local", "command": ["o"]}}}',
			'.config/zed/settings.json': '{"theme": "One" /* no servers */}',
			'.qwen/settings.json': '{',
			'project/.cursor/mcp.json': textOf({local: {command: 'x'}}),
			'project/.mcp.json': textOf({local: {command: 'x'}}),
		});
		const {stderr, exitCode} = await run(['import', '-y'], {cwd: join(home, 'project')});
		expect({exitCode, stderr}).toMatchObject({exitCode: 0});
		expect(file().mcpServers).toEqual({
			github: mine,
			'github-2': {command: 'one'},
			'github-3': {command: 'two'},
			codex: {url: 'https://c.example', headers: {Authorization: 'Bearer ${C}'}},
			open: {command: 'o', args: []},
		});
		for (const line of [
			'~/.cursor/mcp.json has 1 server\n',
			'server: github-2, which is github there\n',
			'left out: copy is here already, as github-2\n',
			'sends: C to c.example\nnot imported: tool_timeout_sec\n',
			'left out: ~/.qwen/settings.json is not valid JSON: line 1, column 2',
		]) {
			expect(stderr).toContain(line);
		}
		expect(stderr).not.toContain('zed');
		expect((await run(['import'])).exitCode).toBe(77);
	});
});
