/** `chat doctor`: its findings, its report, and what it does not touch. */
import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
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

type Findings = Readonly<Record<string, RegExp>>;

/** Expects findings by their section and name. */
function expectFindings(find: (place: string) => string, findings: Findings): void {
	for (const [place, text] of Object.entries(findings)) expect(find(place)).toMatch(text);
}

test('a home is described with its mistakes, the sources of its settings, and no secret', async () => {
	const {diagnose, service, home, directory, credentialsPath} = await openDoctor({
		config: {temperature: 0.5, mcp: 'fime', profiles: {work: {model: 'terra'}}},
		credentials: {...credentials, mcp},
		...at('https://a.invalid', {CHAT_API_KEY: key, CHAT_SYSTEM: 'You are Ada.'}),
		secrets: [key, 'Ada'],
	});
	chmodSync(credentialsPath, 0o644);
	writeTree(join(directory, 'templates'), {
		'good.md': 'Explain $1',
		'bad.md': '---\ntemperature: hot\n---\nExplain $1',
	});
	writeServers(home, {
		...{bad: {}, fine: {command: 'true'}},
		web: {url, headers: {Authorization: `Bearer ${key}`, 'X-Key': '${K:-k}'}},
		one: {command: 'true', env: {TOKEN: key, MODE: 'fast'}, trust: true},
	});
	const {find, exitCode} = await diagnose('--profile work');
	expect(exitCode).toBe(78);
	expectFindings(find, {
		'files/settings': /^ok .*config\.json, 1 profile$/,
		'files/API keys': /^ok .*, 1 key, 1 login .*\nnote .* → chmod 600 ~\/.*credentials\.json$/,
		'settings/model': /^ok terra \(profile work\)$/,
		'settings/temperature': /^ok 0\.5 \(config\)$/,
		'settings/base-url': /^ok https:\/\/a\.invalid\/ \(CHAT_BASE_URL\)$/,
		'settings/API key': /^ok ends in cdef \(CHAT_API_KEY\)$/,
		'settings/system': /^ok 12 characters \(CHAT_SYSTEM\)$/,
		'service/models': /^note not asked → chat doctor --online$/,
		'templates/valid': /^ok 1 template$/,
		'templates/mistake': /^fail .*bad\.md/,
		'MCP servers/bad': /^fail mcp\.json, server bad: needs a command or a url$/,
		'MCP servers/fime': /^fail .* → Did you mean fine\?$/,
		'MCP servers/web': /\nnote headers\.Authorization has a secret as it is/,
		'MCP servers/one': /\nnote env\.TOKEN has a secret as it is.*\nnote ignoring trust/,
	});
	expect(service.requests).toEqual([]);
});

test.each<[string, string, number, Given, Findings, ((scene: Scene) => void)?]>([
	[
		'a file of the wrong type, and a broken one, do not hide the other findings',
		'',
		78,
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
		'every mistake is reported at once, and no service is asked',
		'',
		78,
		{config: {temperature: 'hot'}, variables: {CHAT_MAX_TOKENS: 'many', CHAT_BASE_URL: url}},
		{
			'settings/mistake': /^fail .*temperature.*\nfail .*CHAT_MAX_TOKENS/,
			'service/service': /^note not checked: the settings have a mistake$/,
		},
	],
	[
		'another machine is not asked, also by the name of a local service',
		'--base-url local:',
		0,
		{variables: {OLLAMA_HOST: 'ollama.invalid'}},
		{
			'service/address': /^ok local:$/,
			'service/models': /^note not asked → chat doctor --online$/,
			'this machine/Ollama': /^\w+ .*not asked/,
		},
	],
	[
		'a file of servers that nobody has agreed to is not read',
		'',
		0,
		{config: {mcp: './x.json'}},
		{'MCP servers/file': /^note .* → chat --mcp .*x\.json'?$/},
		({directory}) => writeFileSync(join(directory, 'x.json'), '{'),
	],
])('%s', async (_, flags, exitCode, given, findings, prepare = () => {}) => {
	const scene = await openDoctor(given);
	prepare(scene);
	const {find, ...report} = await scene.diagnose(flags);
	expectFindings(find, findings);
	expect(report.exitCode).toBe(exitCode);
	expect(scene.service.requests).toEqual([]);
});

test('a service on this machine is asked for its models, but no pipe for its key', async () => {
	const {diagnose, cwd} = await openDoctor();
	const {host} = await startLocalService(['gpt-5', 'gpt-4o']);
	const given = at(`http://${host}/v1`, {CHAT_API_KEY: key});
	expectFindings((await diagnose('-m gpt-5', given)).find, {
		'service/models': /^ok 2 models \(\d+ ms\)$/,
		'service/model': /^ok gpt-5$/,
		'service/context': /^ok [\d,]+ tokens \(table of /,
	});
	expectFindings((await diagnose('-m gtp-5', given)).find, {
		'service/model': /^note gtp-5 is not in the list → Did you mean gpt-5\?$/,
	});
	execFileSync('mkfifo', [join(cwd, 'key')]);
	expectFindings((await diagnose('--online --api-key-file key', given)).find, {
		'settings/API key': /^note from the file .*key, not read: it is a pipe$/,
		'service/models': /^note not asked$/,
	});
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
