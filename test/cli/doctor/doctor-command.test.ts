/** `chat doctor`: its findings, its report, and what it does not touch. */
import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {approveServers} from '../../helpers/approve-servers.ts';
import {listen} from '../../helpers/listen.ts';
import {noLocalServices, startLocalService} from '../../helpers/local-service.ts';
import {hostileServer, writeServers} from '../../helpers/mcp-servers.ts';
import type {RunOptions} from '../../helpers/run-chat.ts';
import {type Given, openScene, type Scene} from '../../helpers/run-table.ts';
import {rawReply, startPathService} from '../../helpers/start-path-service.ts';
import {writeTree} from '../../input/input-helpers.ts';

const key = 'sk-0123456789abcdef';

type Finding = {
	readonly section: string;
	readonly status: string;
	readonly name: string;
	readonly text: string;
	readonly next: string | null;
};

/** Opens a home where no service of the machine answers, for several runs. */
async function openDoctor({variables, ...given}: Given = {}) {
	const scene = await openScene({
		replies: null,
		secrets: [key],
		...given,
		variables: {TERM: 'xterm', ...noLocalServices, ...variables},
	});
	const doctor = (flags = '', more: RunOptions = {}) => scene.run(`doctor ${flags}`, more);
	/** Runs it for JSON, and returns `status text → next step` of each finding of a name. */
	async function diagnose(flags = '', more: RunOptions = {}) {
		const {stdout, stderr, exitCode} = await doctor(`${flags} -o json`, more);
		const report = JSON.parse(stdout);
		expect(report.exit_code).toBe(exitCode);
		const all: readonly Finding[] = report.findings;
		const find = (place: string) =>
			all
				.filter(({section, name}) => place === `${section}/${name}`)
				.map(({status, text, next}) => `${status} ${text}${next === null ? '' : ` → ${next}`}`)
				.join('\n');
		return {stdout, stderr, exitCode, all, find};
	}
	return {...scene, doctor, diagnose};
}

describe('the report', () => {
	const sections = ['program', 'files', 'settings', 'terminal', 'service', 'this machine'];
	const titles = [...sections, 'MCP servers', 'templates'];

	test('has a line for each section that is well, and the findings of the others', async () => {
		const {doctor} = await openDoctor();
		const {stdout, exitCode} = await doctor();
		const lines = titles.map((title) => `${title.padEnd(14)}ok`);
		lines.splice(
			4,
			1,
			'service',
			'  note  service         none is configured: the built-in service answers',
			'                        Next: chat setup',
		);
		const end = '0 problems, 1 note; chat doctor -v shows every check';
		expect({stdout, exitCode}).toEqual({stdout: [...lines, '', end, ''].join('\n'), exitCode: 0});
		const verbose = await doctor('-v');
		expect(verbose.stdout.match(/^\w.*$/gm)).toEqual([...titles, '0 problems, 1 note']);
		expect(verbose.stdout).toMatch(/^ {2}ok {4}version {9}chat \d/m);
		const shown = await doctor('-v', {terminals: ['stdout']});
		const plain = await doctor('-v', {terminals: ['stdout'], variables: {NO_COLOR: '1'}});
		const greens = [verbose, shown, plain].map(({stdout: text}) => text.includes('\u001b[32mok'));
		expect(greens).toEqual([false, true, false]);
	});

	test('has the same findings as JSON, one on each line as JSON lines', async () => {
		const {diagnose, doctor} = await openDoctor();
		const {all} = await diagnose();
		const files = all.filter(({section}) => section === 'files');
		expect(files.map(({name}) => name)).toEqual([
			...['settings', 'API keys', 'templates', 'trusted', 'MCP servers', 'trusted servers'],
			...['offers', 'conversations', 'model data', 'model names'],
		]);
		const lines = (await doctor('-o jsonl')).stdout.trimEnd().split('\n');
		expect(lines.map((line) => JSON.parse(line).name)).toEqual(all.map(({name}) => name));
		expect(all[0]).toEqual({
			...{section: 'program', status: 'ok', name: 'version', next: null},
			text: expect.stringMatching(/^chat \d/),
		});
	});

	test('writes the home folder as ~', async () => {
		const {doctor, home} = await openDoctor();
		const variables = {CHAT_CA_FILE: `${home}-old/ca.pem`, CHAT_SESSIONS_DIR: home};
		const {stdout} = await doctor('-o json', {variables});
		expect(stdout).toContain('~/.config/chat/config.json');
		expect(stdout).toContain('"~ (CHAT_SESSIONS_DIR)"');
		expect(stdout).toContain(`"${home}-old/ca.pem (CHAT_CA_FILE)"`);
		expect(stdout.replaceAll(`${home}-old`, '')).not.toContain(home);
	});

	test('goes on after a bug in one check, whose stack -v prints', async () => {
		const {diagnose} = await openDoctor();
		const {host} = await startLocalService(['m']);
		const now = () => {
			throw new Error('broken clock');
		};
		const variables = {CHAT_BASE_URL: `http://${host}`};
		const {exitCode, stderr, find} = await diagnose('-v', {variables, now});
		expect(exitCode).toBe(1);
		expect(stderr).toMatch(/broken clock.*at .*doctor-command\.test/s);
		expect(find('service/service')).toMatch(/^fail unexpected error: broken clock/);
		expect(find('templates/templates')).toBe('ok none');
	});
});

const url = 'https://a.example';
const credentials = {[url]: key};
const mcp = {[url]: {issuer: url, clientId: 'c', accessToken: key}};
const at = (CHAT_BASE_URL: string, more = {}) => ({variables: {CHAT_BASE_URL, ...more}});

/** Starts a service on this machine with these models. */
const local = async (models: readonly string[], more = {}) => {
	const {host} = await startLocalService(models, more);
	return at(`http://${host}/v1`, {CHAT_API_KEY: key});
};

type Row = readonly [
	run: readonly [promise: string, flags: string, exitCode: number],
	given: Given | (() => Promise<Given>),
	/** By section and name: its findings. */
	findings: Readonly<Record<string, RegExp>>,
	/** Changes the home before the run. */
	prepare?: (scene: Scene) => void,
];

const rows: readonly Row[] = [
	[
		['the files are listed with what is in them', '', 0],
		{config: {profiles: {work: {}}}, credentials: {...credentials, mcp}},
		{
			'files/settings': /^ok .*config\.json, 1 profile$/,
			'files/API keys': /^ok .*credentials\.json, 1 key, 1 login to MCP servers$/,
		},
	],
	[
		['a file that others can read is noted with the command that closes it', '', 0],
		{credentials},
		{'files/API keys': /^ok .*\nnote .* → chmod 600 ~\/\.config\/chat\/credentials\.json$/},
		({credentialsPath}) => chmodSync(credentialsPath, 0o644),
	],
	[
		['a link without a target is reported', '', 66],
		{config: {}},
		{'files/API keys': /^fail .*leads nowhere/},
		({credentialsPath}) => symlinkSync('gone.json', credentialsPath),
	],
	[
		['a file of the wrong type, and a broken one, do not hide the other findings', '', 78],
		{credentials: {[url]: 42}},
		{
			'files/settings': /^fail /,
			'files/API keys': /^fail .*must be a string/,
			'files/conversations': /^fail .*is not a folder/,
			'templates/templates': /^ok none$/,
		},
		({configPath, home}) => {
			mkdirSync(configPath);
			mkdirSync(join(home, '.local', 'state'), {recursive: true});
			writeFileSync(join(home, '.local', 'state', 'chat'), '');
		},
	],
	[
		['a mistake is named with its line and column, and no service is asked', '', 78],
		{config: '{\n  "model": "m",\n}', ...at('http://127.0.0.1:1')},
		{
			'files/settings': /^fail .*line 3, column 1/,
			'settings/mistake': /^fail .*line 3, column 1/,
			'service/service': /^note not checked: the settings have a mistake$/,
		},
	],
	[
		['every mistake is reported at once', '', 78],
		{config: {temperature: 'hot'}, variables: {CHAT_MAX_TOKENS: 'many'}},
		{'settings/mistake': /^fail .*temperature.*\nfail .*CHAT_MAX_TOKENS/},
	],
	[
		[
			'the settings are shown with their sources, without the key and the system message',
			'--profile work',
			0,
		],
		{
			config: {temperature: 0.5, profiles: {work: {model: 'terra'}}},
			...at('https://a.invalid', {CHAT_API_KEY: key, CHAT_SYSTEM: 'You are Ada.'}),
			secrets: [key, 'Ada'],
		},
		{
			'settings/model': /^ok terra \(profile work\)$/,
			'settings/temperature': /^ok 0\.5 \(config\)$/,
			'settings/base-url': /^ok https:\/\/a\.invalid\/ \(CHAT_BASE_URL\)$/,
			'settings/API key': /^ok ends in cdef \(CHAT_API_KEY\)$/,
			'settings/system': /^ok 12 characters \(CHAT_SYSTEM\)$/,
		},
	],
	[
		['a key without a service is a problem', '', 78],
		{variables: {CHAT_API_KEY: key}},
		{'service/service': /^fail CHAT_API_KEY is set, but no service is configured/},
	],
	[
		['a pipe with the key is not read', '--online --api-key-file key', 0],
		() => local(['m']),
		{
			'settings/API key': /^note from the file .*key, not read: it is a pipe$/,
			'service/models': /^note not asked$/,
		},
		({cwd}) => execFileSync('mkfifo', [join(cwd, 'key')]),
	],
	[
		['a service on this machine is asked for its models', '-m gpt-5', 0],
		() => local(['gpt-5', 'gpt-4o']),
		{
			'service/models': /^ok 2 models \(\d+ ms\)$/,
			'service/model': /^ok gpt-5$/,
			'service/context': /^ok [\d,]+ tokens \(table of /,
		},
	],
	[
		['several models without a choice are noted', '', 0],
		() => local(['a', 'b', 'text-embedding-3']),
		{'service/model': /^note none is set: a run asks for one → .*chat config set model NAME/},
	],
	[
		['a model that the service does not list is noted', '-m gtp-5', 0],
		() => local(['gpt-5']),
		{'service/model': /^note gtp-5 is not in the list → Did you mean gpt-5\?$/},
	],
	[
		['a refused key is named', '', 77],
		() => local(['m'], {key: 'another key'}),
		{'service/models': /^fail .*wrong key.* → .*CHAT_API_KEY/},
	],
	[
		['the problem to solve first has the exit code', '', 65],
		at('http://127.0.0.1:1'),
		{
			'service/models': /^fail /,
			'templates/valid': /^ok 1 template$/,
			'templates/mistake': /^fail .*bad\.md/,
		},
		({directory}) =>
			writeTree(join(directory, 'templates'), {
				'good.md': 'Explain $1',
				'bad.md': '---\ntemperature: hot\n---\nExplain $1',
			}),
	],
	[
		[
			'another machine is not asked without --online, also by the name of a local service',
			'--base-url local:',
			0,
		],
		{variables: {OLLAMA_HOST: 'ollama.invalid'}},
		{
			'service/address': /^ok local:$/,
			'service/models': /^note not asked → chat doctor --online$/,
			'this machine/Ollama': /^\w+ .*not asked/,
		},
	],
	[
		['a file of servers that nobody has agreed to is not read', '', 0],
		{config: {mcp: './x.json'}},
		{'MCP servers/file': /^note .* → chat --mcp .*x\.json'?$/},
		({directory}) => writeFileSync(join(directory, 'x.json'), '{'),
	],
	[
		['a server with a mistake, and a name without a server, are failures', '', 78],
		{config: {mcp: 'fime'}},
		{
			'MCP servers/bad': /^fail mcp\.json, server bad: needs a command or a url$/,
			'MCP servers/fime': /^fail .* → Did you mean fine\?$/,
		},
		({home}) => writeServers(home, {bad: {}, fine: {command: 'true'}}),
	],
	[
		['a secret that is not in a variable, and keys of other programs, are noted', '', 0],
		{config: {}},
		{
			'MCP servers/web': /\nnote headers\.Authorization has a secret as it is/,
			'MCP servers/one': /\nnote env\.TOKEN has a secret as it is.*\nnote ignoring trust/,
		},
		({home}) =>
			writeServers(home, {
				web: {url, headers: {Authorization: `Bearer ${key}`, 'X-Key': '${K:-k}'}},
				one: {command: 'true', env: {TOKEN: key, MODE: 'fast'}, trust: true},
			}),
	],
];

const cases = rows.map(
	([[promise, flags, code], given, findings, prepare = () => {}]) =>
		[promise, flags, code, given, findings, prepare] as const,
);

test.each(cases)('%s', async (_, flags, exitCode, given, findings, prepare) => {
	const scene = await openDoctor(typeof given === 'function' ? await given() : given);
	prepare(scene);
	const {find, ...report} = await scene.diagnose(flags);
	for (const [place, text] of Object.entries(findings)) expect(find(place)).toMatch(text);
	expect(report.exitCode).toBe(exitCode);
	expect(scene.service.requests).toEqual([]);
});

test('it works on other platforms, and without a home folder', async () => {
	const {diagnose} = await openDoctor();
	const mac = await diagnose('', {platform: 'darwin'});
	expect(mac.find('files/settings')).toMatch(/^ok ~.*config\.json \(does not exist yet\)$/);
	const homeless = await diagnose('', {home: undefined});
	expect(homeless.exitCode).toBe(78);
	expect(homeless.find('service/service')).toMatch(/HOME.*no service is configured/);
	expect(homeless.find('files/settings')).toBe('note there is no home folder');
	expect((await diagnose('--base-url built-in:', {home: undefined})).exitCode).toBe(0);
});

test('the command that prints the key only runs with --online', async () => {
	const command = ['sh', '-c', `touch proof; echo ${key}`];
	const config = {'base-url': 'https://a.invalid', 'api-key-command': command};
	const {diagnose, directory} = await openDoctor({config});
	const text = 'note from the command sh, not read → chat doctor --online';
	expect((await diagnose()).find('settings/API key')).toBe(text);
	expect(existsSync(join(directory, 'proof'))).toBe(false);
	const online = await diagnose('--online');
	expect(online.find('settings/API key')).toBe('ok ends in cdef (the command sh)');
});

test('a llama-server is not started', async () => {
	const {diagnose, cwd} = await openDoctor({files: {'tiny.gguf': ''}});
	const path = join(cwd, 'llama-server');
	writeFileSync(path, '#!/bin/sh\ntouch "$0.started"\n', {mode: 0o755});
	const missing = await diagnose('--online', at('llama:/no/model.gguf', {PATH: cwd}));
	expect(missing.exitCode).toBe(66);
	expect(missing.find('service/llama-server')).toMatch(/^fail no such file: \/no\/model\.gguf/);
	const {find} = await diagnose('', at(`llama:${cwd}/tiny.gguf`, {PATH: cwd}));
	expect(find('service/llama-server')).toContain('starts for each run: ');
	expect(existsSync(`${path}.started`)).toBe(false);
});

test('a service on another machine is only asked with --online', async () => {
	let connections = 0;
	const proxy = createServer().on('connect', (_, socket) => {
		connections += 1;
		socket.end('HTTP/1.1 503 No way\r\n\r\n');
	});
	const host = `127.0.0.1:${await listen(proxy)}`;
	const HTTPS_PROXY = `http://ada:s3cret-word@${host}`;
	const given = {...at('https://api.invalid/v1', {HTTPS_PROXY}), secrets: ['s3cret-word']};
	const {diagnose} = await openDoctor(given);
	const {exitCode, find} = await diagnose();
	expect([exitCode, connections]).toEqual([0, 0]);
	expect(find('service/models')).toBe('note not asked → chat doctor --online');
	expect(find('service/connection')).toBe(`ok through the proxy http://${host}/`);
	const online = await diagnose('--online');
	expect([online.exitCode, connections]).toEqual([69, 1]);
	expect(online.find('service/models')).toContain('refused to connect');
});

test('a reply cannot bring secrets or escape sequences into the report', async () => {
	const header = 'h3ader-value';
	const reply = `{"error":{"message":"bad \\u001b[2J ${key} and ${header}"}}`;
	const path = 'GET /v1/models?token=tok-12345678';
	const service = await startPathService({[path]: rawReply(400, reply)});
	const baseUrl = `${service.url}/v1?token=tok-12345678`;
	const {doctor} = await openDoctor({
		config: {'base-url': baseUrl, headers: {'X-Team': header}},
		variables: {CHAT_API_KEY: key},
		secrets: [key, header, 'tok-12345678'],
	});
	for (const format of ['text', 'json', 'jsonl']) {
		const {stdout} = await doctor(`-v -o ${format}`);
		expect(stdout).toMatch(/bad {1,2}\[redacted] and \[redacted]/);
		expect(stdout).toContain('x-team');
		expect(stdout).not.toContain('\u001b');
		expect(stdout).not.toContain('u001b');
	}
});

test('this machine has the services that answer', async () => {
	const {host} = await startLocalService(['a', 'b']);
	const {diagnose} = await openDoctor({variables: {OLLAMA_HOST: host}});
	expect((await diagnose()).find('this machine/Ollama')).toBe(`ok http://${host}, 2 models`);
});

describe('MCP servers', () => {
	test('are not started, but for those of the settings online', async () => {
		const [one, two] = [hostileServer(), hostileServer()];
		const web = {url: 'https://example.com/mcp?key=secret-0'};
		const three = {command: process.execPath, args: ['-e', '0']};
		const config = {mcp: ['one', 'three']};
		const {diagnose, home, source} = await openDoctor({config, secrets: ['secret-0']});
		writeServers(home, {one: one.entry, two: two.entry, three, web});
		const {exitCode, find} = await diagnose();
		expect(exitCode).toBe(0);
		expect(find('MCP servers/one')).toMatch(/^note the MCP server one is not approved yet/);
		expect(find('MCP servers/web')).toMatch(/^ok https:\/\/example.com\/mcp.*, not approved$/);
		expect(one.events()).toEqual([]);
		await approveServers(source, 'one');
		const online = await diagnose('--online');
		expect(online.exitCode).toBe(69);
		expect(online.find('MCP servers/one')).toMatch(/^ok .*, 1 tool \(\d+ ms\), used by default$/);
		expect(online.find('MCP servers/three')).toMatch(/^fail .*MCP server three/);
		await expect.poll(one.alive).toEqual([]);
		expect(two.events()).toEqual([]);
	});

	test.each([
		[{command: 'chat-no-such-program'}, 'a program that is not in PATH: chat-no-such-program', 69],
		[{command: 'true', env: {A: '${NO_1}', B: '${NO_2}'}}, 'variables NO_1, NO_2 are not set', 78],
		[{command: 'true', cwd: '/no-such-folder'}, 'that does not exist: /no-such-folder', 69],
	])('that lack something are a failure if the settings name them: %j', async (one, text, code) => {
		for (const [config, status, exitCode] of [
			[{}, 'note', 0],
			[{mcp: 'one'}, 'fail', code],
		] as const) {
			const {diagnose, home} = await openDoctor({config});
			writeServers(home, {one});
			const report = await diagnose();
			expect(report.exitCode).toBe(exitCode);
			expect(report.find('MCP servers/one').startsWith(`${status} `)).toBe(true);
			expect(report.find('MCP servers/one')).toContain(text);
		}
	});
});
