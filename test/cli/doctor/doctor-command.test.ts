import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, it, onTestFinished} from 'vitest';
import {textWidth} from '../../../src/terminal/width.ts';
import {approveServers} from '../../helpers/approve-servers.ts';
import {
	type LocalService,
	noLocalServices,
	startLocalService,
} from '../../helpers/local-service.ts';
import {hostileServer, type WrittenEntry, writeServers} from '../../helpers/mcp-servers.ts';
import {brokenPipe, type RunOptions, runChat} from '../../helpers/run-chat.ts';
import {createHome, type SettingsHome} from '../../helpers/settings-home.ts';
import {rawReply, startPathService} from '../../helpers/start-path-service.ts';

type Finding = {
	readonly section: string;
	readonly status: string;
	readonly name: string;
	readonly text: string;
	readonly next: string | null;
};

const key = 'sk-0123456789abcdef';

type DoctorOptions = RunOptions & {readonly files?: Parameters<typeof createHome>[0]};

/** Runs it where no service of the machine answers, with a home folder that has these files. */
async function runDoctor(
	argv: readonly string[] = [],
	{files = {}, variables = {}, ...options}: DoctorOptions = {},
) {
	const home = createHome(files);
	const run = await runChat(['doctor', ...argv], {
		...home.source,
		variables: {TERM: 'xterm', ...noLocalServices, ...variables},
		...options,
	});
	return {...run, home};
}

/** Runs it for JSON, and returns a function that finds the findings of a name. */
async function diagnose(argv: readonly string[] = [], options: DoctorOptions = {}) {
	const run = await runDoctor([...argv, '-o', 'json'], options);
	const {findings, exit_code: exitCode} = JSON.parse(run.stdout);
	expect(exitCode).toBe(run.exitCode);
	const all: readonly Finding[] = findings;
	return {
		...run,
		all,
		find: (section: string, name: string) =>
			all.filter((finding) => finding.section === section && finding.name === name),
	};
}

function variablesOf({host}: LocalService) {
	return {CHAT_BASE_URL: `http://${host}/v1`, CHAT_API_KEY: key};
}

/** A proxy that refuses everything, and counts the connections. */
async function startProxy() {
	let connections = 0;
	const server = createServer();
	server.on('connect', (_, socket) => {
		connections += 1;
		socket.end('HTTP/1.1 503 No way\r\n\r\n');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.close();
	});
	const {port} = server.address() as AddressInfo;
	return {host: `127.0.0.1:${port}`, connections: () => connections};
}

const pathOfTls = (name: string) =>
	fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

/** A service with a certificate from a private authority. */
async function startHttps(): Promise<string> {
	const pair = {
		key: readFileSync(pathOfTls('server-key.pem')),
		cert: readFileSync(pathOfTls('server.pem')),
	};
	const server = createHttpsServer(pair, (_, response) => response.end('{"data":[{"id":"m"}]}'));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		server.close();
	});
	return `https://localhost:${(server.address() as AddressInfo).port}`;
}

function writeTemplate({directory}: SettingsHome, name: string, text: string) {
	mkdirSync(join(directory, 'templates'), {recursive: true});
	writeFileSync(join(directory, 'templates', name), text);
}

describe('the report', () => {
	it('lists every file that chat may write', async () => {
		const {all} = await diagnose();
		const files = all.filter(({section}) => section === 'files');
		expect(files.map(({name}) => name)).toEqual([
			...['settings', 'API keys', 'templates', 'trusted', 'MCP servers', 'trusted servers'],
			...['offers', 'conversations', 'model data', 'model names'],
		]);
	});

	it('has a line for each section that is well, and the findings of the others', async () => {
		const {stdout, exitCode} = await runDoctor();
		expect(exitCode).toBe(0);
		expect(stdout).toBe(
			[
				...['program', 'files', 'settings', 'terminal'].map((title) => `${title.padEnd(14)}ok`),
				'service',
				'  note  service         none is configured: the built-in service answers',
				'                        Next: chat setup',
				...['this machine', 'MCP servers', 'templates'].map((title) => `${title.padEnd(14)}ok`),
				'',
				'0 problems, 1 note; chat doctor -v shows every check',
				'',
			].join('\n'),
		);
	});

	it('has a line for each check with -v, within 80 columns', async () => {
		const {stdout, stderr, exitCode} = await runDoctor(['-v']);
		expect({stderr, exitCode}).toEqual({stderr: '', exitCode: 0});
		const titles = stdout.match(/^\w.*$/gm);
		expect(titles).toEqual([
			...['program', 'files', 'settings', 'terminal', 'service', 'this machine'],
			...['MCP servers', 'templates'],
			'0 problems, 1 note',
		]);
		expect(stdout).toMatch(/^ {2}ok {4}version {9}chat \d/m);
		expect(stdout).toMatch(
			/^ {2}note {2}service {9}none is configured: .*\n {24}Next: chat setup$/m,
		);
		// A path stays whole, however long it is.
		const wide = stdout.split('\n').filter((line) => line.length > 80);
		expect(wide.filter((line) => line.trim().includes(' '))).toEqual([]);
	});

	it('has colours on a terminal only, and as the settings say', async () => {
		const piped = await runDoctor(['-v'], {variables: {CHAT_COLOR: 'always'}});
		const shown = await runDoctor(['-v'], {terminals: ['stdout']});
		const plain = await runDoctor(['-v'], {terminals: ['stdout'], variables: {NO_COLOR: '1'}});
		expect(piped.stdout).not.toContain('\u001b');
		expect(shown.stdout).toContain('\u001b[32mok\u001b[39m');
		expect(plain.stdout).not.toContain('\u001b[32m');
		expect(plain.stdout).toContain('no (NO_COLOR=1)');
	});

	it('has the same findings as JSON, one on each line as JSON lines', async () => {
		const {all} = await diagnose();
		const lines = (await runDoctor(['-o', 'jsonl'])).stdout.trimEnd().split('\n');
		expect(all.length).toBeGreaterThan(20);
		expect(lines.map((line) => JSON.parse(line).name)).toEqual(all.map(({name}) => name));
		expect(all[0]).toEqual({
			section: 'program',
			status: 'ok',
			name: 'version',
			text: expect.stringMatching(/^chat \d/),
			next: null,
		});
	});

	it('writes the home folder as ~', async () => {
		const {home, source} = createHome();
		const variables = {CHAT_CA_FILE: `${home}-old/ca.pem`, CHAT_SESSIONS_DIR: home};
		const {stdout} = await runDoctor(['-o', 'json'], {...source, variables});
		expect(stdout).toContain('~/.config/chat/config.json');
		expect(stdout).toContain('"~ (CHAT_SESSIONS_DIR)"');
		expect(stdout).toContain(`"${home}-old/ca.pem (CHAT_CA_FILE)"`);
		expect(stdout.replaceAll(`${home}-old`, '')).not.toContain(home);
	});

	it('ends with 141 when its reader is gone', async () => {
		const onStdout = () => {
			throw brokenPipe();
		};
		const {exitCode, stderr} = await runDoctor([], {onStdout});
		expect({exitCode, stderr}).toEqual({exitCode: 141, stderr: ''});
	});

	it('goes on after a bug in one check, whose stack -v prints', async () => {
		const service = await startLocalService(['m']);
		const now = () => {
			throw new Error('broken clock');
		};
		const {exitCode, stderr, find} = await diagnose(['-v'], {
			variables: variablesOf(service),
			now,
		});
		expect(exitCode).toBe(1);
		expect(stderr).toMatch(/broken clock.*at .*doctor-command\.test/s);
		expect(find('service', 'service')[0]).toMatchObject({
			status: 'fail',
			text: 'unexpected error: broken clock',
		});
		expect(find('templates', 'templates')[0]?.status).toBe('ok');
	});

	it.each(['darwin', 'win32'])('works on the platform %s', async (platform) => {
		const {home} = createHome();
		const {exitCode, find} = await diagnose([], {home, platform});
		expect(exitCode).toBe(0);
		expect(find('files', 'settings')[0]?.text).toMatch(/^~.*config\.json \(does not exist yet\)$/);
	});

	it('works without a home folder', async () => {
		const {exitCode, find} = await diagnose([], {home: undefined});
		expect(exitCode).toBe(78);
		expect(find('service', 'service')[0]?.text).toMatch(/HOME.*no service is configured/);
		const chosen = await diagnose(['--base-url', 'built-in:'], {home: undefined});
		expect(chosen.exitCode).toBe(0);
		expect(chosen.find('service', 'service')[0]).toMatchObject({status: 'ok', next: null});
		expect(find('files', 'settings')[0]).toMatchObject({
			status: 'note',
			text: 'there is no home folder',
		});
	});
});

describe('the files', () => {
	it('are listed with what is in them', async () => {
		const {find} = await diagnose([], {
			files: {config: {model: 'm', profiles: {work: {}}}, credentials: {'https://a.example': key}},
			secrets: [key],
		});
		expect(find('files', 'settings')[0]?.text).toMatch(/config\.json, 1 profile$/);
		expect(find('files', 'API keys')[0]?.text).toMatch(/credentials\.json, 1 key$/);
	});

	it('have logins to MCP servers, which are counted', async () => {
		const login = {issuer: 'https://a.example', clientId: 'c', accessToken: key};
		const {find} = await diagnose([], {
			files: {credentials: {mcp: {'https://mcp.example/mcp': login}}},
			secrets: [key],
		});
		expect(find('files', 'API keys')[0]?.text).toMatch(/, 0 keys, 1 login to MCP servers$/);
	});

	it('with a mistake are named with its line and column, and no service is asked', async () => {
		const service = await startLocalService(['m']);
		const {exitCode, find} = await diagnose([], {
			files: {config: '{\n  "model": "m",\n}'},
			variables: variablesOf(service),
		});
		expect(exitCode).toBe(78);
		expect(find('files', 'settings')[0]?.text).toContain('line 3, column 1');
		expect(find('settings', 'mistake')[0]?.text).toContain('line 3, column 1');
		expect(find('service', 'service')[0]?.text).toBe('not checked: the settings have a mistake');
		expect(service.requests).toEqual([]);
	});

	it('that other users can read are noted with the command that closes them', async () => {
		const home = createHome({credentials: {'https://a.example': key}});
		chmodSync(home.credentialsPath, 0o644);
		const {exitCode, find} = await diagnose([], {...home.source, secrets: [key]});
		expect(exitCode).toBe(0);
		expect(find('files', 'API keys')[1]).toMatchObject({
			status: 'note',
			next: 'chmod 600 ~/.config/chat/credentials.json',
		});
	});

	it('have their warnings in no other section', async () => {
		const url = 'http://127.0.0.1:1';
		const home = createHome({
			config: {'base-url': url, tempertaure: 1},
			credentials: {[url]: key},
		});
		for (const path of [home.configPath, home.credentialsPath]) chmodSync(path, 0o666);
		for (const argv of [[], ['--base-url', 'https://a.invalid']]) {
			const {all, find} = await diagnose(argv, {...home.source, secrets: [key]});
			const notes = all.filter(({section, status}) => section === 'files' && status === 'note');
			expect(notes.map(({text}) => text)).toEqual([
				expect.stringContaining('other users can write'),
				expect.stringContaining('unknown key "tempertaure"'),
				'other users may have access',
			]);
			expect(find('settings', 'warning')).toEqual([]);
		}
	});

	it('that are links without a target, or below a file, are reported', async () => {
		const home = createHome({config: {}});
		symlinkSync('gone.json', home.credentialsPath);
		const linked = await diagnose([], home.source);
		expect(linked.exitCode).toBe(66);
		expect(linked.find('files', 'API keys')[0]?.text).toContain('leads nowhere');
		const {exitCode, find} = await diagnose([], {home: home.configPath, platform: 'linux'});
		expect(exitCode).toBe(78);
		expect(find('files', 'conversations')[0]).toMatchObject({
			status: 'note',
			text: expect.stringContaining('is not a folder'),
		});
	});

	it('of the wrong type, or broken, do not hide the other findings', async () => {
		const home = createHome({credentials: {'https://a.example': 42}});
		mkdirSync(home.configPath);
		mkdirSync(join(home.home, '.local', 'state'), {recursive: true});
		writeFileSync(join(home.home, '.local', 'state', 'chat'), '');
		const {exitCode, find} = await diagnose([], home.source);
		expect(exitCode).toBe(78);
		expect(find('files', 'settings')[0]).toMatchObject({status: 'fail'});
		expect(find('files', 'API keys')[0]?.text).toContain('must be a string');
		expect(find('files', 'conversations')[0]?.text).toContain('is not a folder');
		expect(find('templates', 'templates')[0]?.text).toBe('none');
	});
});

describe('the settings', () => {
	it('do not wait for a key from a pipe', async () => {
		const {home} = createHome();
		const pipe = join(home, 'key');
		execFileSync('mkfifo', [pipe]);
		const service = await startLocalService(['m']);
		const {CHAT_BASE_URL} = variablesOf(service);
		const {find, exitCode} = await diagnose(['--online', '--api-key-file', pipe], {
			variables: {CHAT_BASE_URL},
		});
		expect(exitCode).toBe(0);
		expect(find('settings', 'API key')[0]?.text).toBe(
			`from the file ${pipe}, not read: it is a pipe`,
		);
		expect(find('service', 'models')[0]?.text).toBe('not asked');
		expect(service.requests).toEqual([]);
	});

	it('are shown with their sources, the key by its last four characters', async () => {
		const {find} = await diagnose(['--profile', 'work'], {
			files: {config: {temperature: 0.5, profiles: {work: {model: 'terra'}}}},
			variables: {CHAT_BASE_URL: 'https://a.invalid', CHAT_API_KEY: key},
		});
		expect(find('settings', 'model')[0]?.text).toBe('terra (profile work)');
		expect(find('settings', 'temperature')[0]?.text).toBe('0.5 (config)');
		expect(find('settings', 'base-url')[0]?.text).toBe('https://a.invalid/ (CHAT_BASE_URL)');
		expect(find('settings', 'API key')[0]?.text).toBe('ends in cdef (CHAT_API_KEY)');
	});

	it('leave out the text of the system message', async () => {
		const {find, stdout} = await diagnose([], {variables: {CHAT_SYSTEM: 'You are Ada.'}});
		expect(find('settings', 'system')[0]?.text).toBe('12 characters (CHAT_SYSTEM)');
		expect(stdout).not.toContain('Ada');
	});

	it('report every mistake at once', async () => {
		const {exitCode, find} = await diagnose([], {
			files: {config: {temperature: 'hot'}},
			variables: {CHAT_MAX_TOKENS: 'many'},
		});
		expect(exitCode).toBe(78);
		expect(find('settings', 'mistake').map(({text}) => text)).toEqual([
			expect.stringContaining('temperature'),
			expect.stringContaining('CHAT_MAX_TOKENS'),
		]);
	});

	it('report a key without a service', async () => {
		const {exitCode, find} = await diagnose([], {variables: {CHAT_API_KEY: key}});
		expect(exitCode).toBe(78);
		expect(find('service', 'service')[0]?.text).toBe(
			'CHAT_API_KEY is set, but no service is configured',
		);
	});

	it('name the command that prints the key, which only --online runs', async () => {
		const home = createHome();
		const proof = join(home.home, 'proof');
		mkdirSync(home.directory, {recursive: true});
		const config = {
			'base-url': 'https://a.invalid',
			'api-key-command': ['sh', '-c', `touch '${proof}'; echo ${key}`],
		};
		writeFileSync(home.configPath, JSON.stringify(config));
		const {find} = await diagnose([], {...home.source, secrets: [key]});
		expect(find('settings', 'API key')[0]).toMatchObject({
			text: 'from the command sh, not read',
			next: 'chat doctor --online',
		});
		expect(existsSync(proof)).toBe(false);
		const online = await diagnose(['--online'], {...home.source, secrets: [key]});
		expect(online.find('settings', 'API key')[0]?.text).toBe('ends in cdef (the command sh)');
	});
});

describe('the service', () => {
	it('is asked for its models alone if it is on this machine', async () => {
		const service = await startLocalService(['gpt-5', 'gpt-4o']);
		const {exitCode, find} = await diagnose(['-m', 'gpt-5'], {variables: variablesOf(service)});
		expect(exitCode).toBe(0);
		expect(service.requests).toEqual([`GET /v1/models Bearer ${key}`]);
		expect(find('service', 'models')[0]?.text).toMatch(/^2 models \(\d+ ms\)$/);
		expect(find('service', 'model')[0]).toMatchObject({status: 'ok', text: 'gpt-5'});
		expect(find('service', 'context')[0]?.text).toMatch(/^[\d,]+ tokens \(table of /);
	});

	it('gets a note if it offers several models, and none is set', async () => {
		const service = await startLocalService(['a', 'b', 'text-embedding-3']);
		const {find} = await diagnose([], {variables: {CHAT_BASE_URL: `http://${service.host}`}});
		expect(find('service', 'model')[0]).toMatchObject({
			status: 'note',
			text: 'none is set: a run asks for one',
			next: expect.stringContaining('chat config set model NAME'),
		});
		const one = await startLocalService(['a', 'text-embedding-3']);
		const only = await diagnose([], {variables: {CHAT_BASE_URL: `http://${one.host}`}});
		expect(only.find('service', 'model')[0]).toMatchObject({status: 'ok', text: 'a'});
	});

	it('gets a note if it does not list the model', async () => {
		const service = await startLocalService(['gpt-5']);
		const {exitCode, find} = await diagnose(['-m', 'gtp-5'], {variables: variablesOf(service)});
		expect(exitCode).toBe(0);
		expect(find('service', 'model')[0]).toMatchObject({
			status: 'note',
			text: 'gtp-5 is not in the list',
			next: 'Did you mean gpt-5?',
		});
	});

	it('that refuses the key ends the run with 77', async () => {
		const service = await startLocalService(['m'], {key: 'another key'});
		const {exitCode, find} = await diagnose([], {variables: variablesOf(service)});
		expect(exitCode).toBe(77);
		expect(find('service', 'models')[0]).toMatchObject({
			status: 'fail',
			text: expect.stringContaining('wrong key'),
			next: expect.stringContaining('CHAT_API_KEY'),
		});
	});

	it('that does not answer ends the run with 69', async () => {
		const {exitCode, stdout} = await runDoctor([], {
			variables: {CHAT_BASE_URL: 'http://127.0.0.1:1'},
		});
		expect(exitCode).toBe(69);
		expect(stdout).toMatch(/fail {2}models +cannot talk to http:\/\/127\.0\.0\.1:1/);
		expect(stdout).toContain('Next: Is the service running');
	});

	it('is not started if it would be a llama-server', async () => {
		const {home} = createHome();
		const path = join(home, 'llama-server');
		writeFileSync(path, '#!/bin/sh\ntouch "$0.started"\n', {mode: 0o755});
		const {exitCode, find} = await diagnose(['--online'], {
			variables: {CHAT_BASE_URL: 'llama:/no/model.gguf', PATH: home},
		});
		expect(exitCode).toBe(66);
		expect(find('service', 'llama-server')[0]?.text).toBe('no such file: /no/model.gguf');
		writeFileSync(join(home, 'tiny.gguf'), '');
		const next = await diagnose([], {
			variables: {CHAT_BASE_URL: `llama:${home}/tiny.gguf`, PATH: home},
		});
		const text = `starts for each run: ${path} -m ${home}/tiny.gguf --alias tiny.gguf`;
		expect(next.find('service', 'llama-server')[0]?.text).toBe(text);
		expect(existsSync(`${path}.started`)).toBe(false);
	});

	it('is only asked with --online if it is not on this machine', async () => {
		const proxy = await startProxy();
		const variables = {
			CHAT_BASE_URL: 'https://api.invalid/v1',
			HTTPS_PROXY: `http://ada:s3cret-word@${proxy.host}`,
		};
		const secrets = ['s3cret-word'];
		const {exitCode, find} = await diagnose([], {variables, secrets});
		expect({exitCode, connections: proxy.connections()}).toEqual({exitCode: 0, connections: 0});
		expect(find('service', 'models')[0]).toMatchObject({
			status: 'note',
			text: 'not asked',
			next: 'chat doctor --online',
		});
		expect(find('service', 'connection')[0]?.text).toBe(`through the proxy http://${proxy.host}/`);
		const online = await runDoctor(['--online'], {variables, secrets});
		expect(online.exitCode).toBe(69);
		expect(online.stdout).toContain('refused to connect');
		expect(proxy.connections()).toBe(1);
	});

	it('whose name cannot be resolved fails by its name', async () => {
		const {exitCode, find} = await diagnose(['--online'], {
			variables: {CHAT_BASE_URL: 'https://api.invalid/v1'},
		});
		expect(exitCode).toBe(69);
		expect(find('service', 'models')[0]?.text).toContain('api.invalid');
	});

	it('whose certificate is not trusted fails by that', async () => {
		const url = await startHttps();
		const refused = await diagnose([], {variables: {CHAT_BASE_URL: url}});
		expect(refused.exitCode).toBe(69);
		expect(refused.find('service', 'models')[0]?.text).toContain('the certificate is not trusted');
		const trusted = await runDoctor(['--ca-file', pathOfTls('ca.pem')], {
			variables: {CHAT_BASE_URL: url},
		});
		expect(trusted.exitCode).toBe(0);
	});

	it('is not looked for on another machine, which its name may mean', async () => {
		const {exitCode, find} = await diagnose(['--base-url', 'local:'], {
			variables: {OLLAMA_HOST: 'ollama.invalid'},
		});
		expect(exitCode).toBe(0);
		expect(find('service', 'address')[0]?.text).toBe('local:');
		expect(find('service', 'models')[0]).toMatchObject({
			text: 'not asked',
			next: 'chat doctor --online',
		});
	});

	it('cannot bring secrets or escape sequences into the report', async () => {
		const header = 'h3ader-value';
		const reply = `{"error":{"message":"bad \\u001b[2J ${key} and ${header}"}}`;
		const path = 'GET /v1/models?token=tok-12345678';
		const service = await startPathService({[path]: rawReply(400, reply)});
		const options = {
			files: {
				config: {
					'base-url': `${service.url}/v1?token=tok-12345678`,
					headers: {'X-Team': header},
				},
			},
			variables: {CHAT_API_KEY: key},
			secrets: [header, 'tok-12345678'],
		};
		for (const format of ['text', 'json', 'jsonl']) {
			const {stdout} = await runDoctor(['-v', '-o', format], options);
			expect(stdout).toMatch(/bad {1,2}\[redacted] and \[redacted]/);
			expect(stdout).toContain('cdef');
			expect(stdout).toContain('x-team');
			expect(stdout).not.toContain('\u001b');
			expect(stdout).not.toContain('u001b');
		}
	});
});

describe('this machine', () => {
	it('lists the services that answer', async () => {
		const {host} = await startLocalService(['a', 'b']);
		const {find} = await diagnose([], {variables: {OLLAMA_HOST: host}});
		expect(find('this machine', 'Ollama')[0]?.text).toBe(`http://${host}, 2 models`);
	});

	it('asks no other machine, and reports an address that is not valid', async () => {
		const {find, exitCode} = await diagnose([], {
			variables: {OLLAMA_HOST: 'ollama.invalid', LM_STUDIO_URL: 'http://['},
		});
		expect(find('this machine', 'Ollama')[0]?.text).toMatch('not asked');
		expect(find('this machine', 'LM Studio')[0]?.text).toContain('needs an address in');
		expect(exitCode).toBe(78);
	});
});

describe('MCP servers', () => {
	const section = 'MCP servers';

	/** Runs it with these servers, and the settings that name some of them. */
	async function diagnoseServers(
		servers: Readonly<Record<string, WrittenEntry>>,
		config: unknown = {},
		argv: readonly string[] = [],
	) {
		const home = createHome({config});
		writeServers(home.home, servers);
		const report = await diagnose(argv, home.source);
		const of = (name: string) => report.find(section, name).map(({status, text}) => [status, text]);
		return {...report, home, of};
	}

	it('that could be started are good, and none is started', async () => {
		const server = hostileServer();
		const servers = {one: server.entry, two: {url: 'https://example.com/mcp?key=secret-0'}};
		const {of, exitCode, stdout} = await diagnoseServers(servers, {mcp: 'one'});
		expect(exitCode).toBe(0);
		expect(of('one')).toEqual([['note', 'the MCP server one is not approved yet']]);
		expect(of('two')).toEqual([
			['ok', expect.stringMatching(/^https:\/\/example.com\/mcp.*, not approved$/)],
		]);
		expect(stdout).not.toContain('secret-0');
		expect(server.events()).toEqual([]);
	});

	it('have their texts below each other, whatever cells the names take', async () => {
		const home = createHome();
		writeServers(home.home, {日本語の長い名前: {command: 'true'}, '🦤': {command: 'true'}});
		const {stdout} = await runDoctor(['-v'], home.source);
		const starts = stdout
			.split('\n')
			.flatMap((line) => /^ {2}fail {2}.*?(?=mcp\.json, server)/.exec(line) ?? [])
			.map((start) => textWidth(start));
		expect(starts).toHaveLength(2);
		expect(new Set(starts).size).toBe(1);
	});

	it('that the settings name are started online', async () => {
		const [one, two] = [hostileServer(), hostileServer()];
		const servers = {
			one: one.entry,
			two: two.entry,
			three: {command: process.execPath, args: ['-e', '0']},
		};
		const config = {mcp: ['one', 'three']};
		const {of, exitCode, home} = await diagnoseServers(servers, config, ['--online']);
		expect(of('one')).toEqual([['note', 'the MCP server one is not approved yet']]);
		expect(of('three')).toEqual([['fail', expect.stringContaining('MCP server three')]]);
		expect(exitCode).toBe(69);
		await expect.poll(one.alive).toEqual([]);
		expect(two.events()).toEqual([]);
		await approveServers(home.source, 'one');
		const approved = await diagnose(['--online'], home.source);
		expect(approved.find(section, 'one')).toMatchObject([
			{status: 'ok', text: expect.stringMatching(/, 1 tool \(\d+ ms\), used by default$/)},
		]);
	});

	it('with a mistake, and names without a server, are failures', async () => {
		const {of, exitCode, find} = await diagnoseServers(
			{bad: {}, fine: {command: 'true'}},
			{mcp: 'fime'},
		);
		expect(exitCode).toBe(78);
		expect(of('bad')).toEqual([['fail', 'mcp.json, server bad: needs a command or a url']]);
		expect(find(section, 'fime')[0]?.next).toBe('Did you mean fine?');
	});

	it.each([
		[
			'a program',
			{command: 'chat-no-such-program'},
			'its command is a program that is not in PATH: chat-no-such-program',
			69,
		],
		[
			'a variable',
			{command: 'true', env: {A: '${NO_1}', B: '${NO_2}'}},
			'mcp.json, server one: the variables NO_1, NO_2 are not set',
			78,
		],
		[
			'a folder',
			{command: 'true', cwd: '/no-such-folder'},
			'its command would run in a folder that does not exist: /no-such-folder',
			69,
		],
	])(
		'that lack %s are a note, and a failure if the settings name them',
		async (_, entry, text, code) => {
			const unused = await diagnoseServers({one: entry});
			expect([unused.of('one'), unused.exitCode]).toEqual([[['note', text]], 0]);
			const used = await diagnoseServers({one: entry}, {mcp: 'one'});
			expect([used.of('one'), used.exitCode]).toEqual([[['fail', text]], code]);
		},
	);

	it('with a secret that is not in a variable, or keys of other programs, are noted', async () => {
		const servers = {
			web: {
				url: 'https://example.com',
				headers: {Authorization: `Bearer ${key}`, 'X-Key': '${K:-k}'},
			},
			one: {command: 'true', env: {TOKEN: key, MODE: 'fast'}, trust: true},
		};
		const {of, stdout, home} = await diagnoseServers(servers);
		expect(of('web').slice(1)).toEqual([['note', 'headers.Authorization has a secret as it is']]);
		expect(of('one').slice(1)).toEqual([
			['note', 'env.TOKEN has a secret as it is'],
			['note', 'ignoring trust'],
		]);
		expect(stdout).not.toContain(key);
		chmodSync(join(home.directory, 'mcp.json'), 0o644);
		const open = await diagnose([], home.source);
		expect(open.find('files', 'MCP servers').map(({status}) => status)).toEqual(['ok', 'note']);
	});

	it('of a file that nobody has agreed to are not looked at', async () => {
		const home = createHome({config: {mcp: './x.json'}});
		writeFileSync(join(home.directory, 'x.json'), '{');
		const {find, exitCode} = await diagnose([], home.source);
		expect(exitCode).toBe(0);
		expect(find(section, 'file')[0]).toMatchObject({
			status: 'note',
			next: expect.stringMatching(/^chat --mcp .*x\.json'?$/),
		});
	});
});

describe('the templates', () => {
	it('with mistakes are listed, beside the number of the others', async () => {
		const home = createHome();
		writeTemplate(home, 'good.md', 'Explain $1');
		writeTemplate(home, 'bad.md', '---\ntemperature: hot\n---\nExplain $1');
		const {find, exitCode} = await diagnose([], home.source);
		expect(exitCode).toBe(65);
		expect(find('templates', 'valid')[0]?.text).toBe('1 template');
		expect(find('templates', 'mistake')[0]?.text).toContain('bad.md');
	});
});
