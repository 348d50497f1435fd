/** Keys that are stored with `chat auth`, or printed by a command. */
import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runKeyCommand} from '../../src/cli/run/service/key-readers.ts';
import {createProcessEnvironment} from '../../src/process-environment.ts';
import {isRunning} from '../helpers/is-running.ts';
import type {ReplayReply} from '../helpers/replay-reply.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {runChat} from '../helpers/run-chat.ts';
import {type Given, openScene, type Refusal, testRefusals} from '../helpers/run-table.ts';
import {modeOf} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';

const key = 'sk-0123456789abcdef';
const origin = 'https://api.example.com';
const forOrigin = `--base-url ${origin}/v1`;
const secrets = [key];
const none = {replies: null, secrets};
const terminals = ['stderr'] as const;

test('chat auth list prints the services with a stored key, and no key', async () => {
	const other = 'https://other.example:8443';
	const credentials = {[origin]: key, [other]: 'sk-other-key-1234', mcp: {}};
	const {run} = await openScene({...none, credentials, secrets: [...secrets, 'sk-other', 'cdef']});
	expect(await run('auth list')).toEqual({
		stdout: `${origin}\n${other}\n`,
		stderr: '',
		exitCode: 0,
	});
	const {stdout} = await run('auth list -o json');
	expect(JSON.parse(stdout)).toEqual([{service: origin}, {service: other}]);
	const empty = await runChat('auth list');
	expect(empty).toEqual({stdout: '', stderr: 'chat: no keys are stored\n', exitCode: 0});
});

describe('chat auth set', () => {
	test('stores a piped key for the origin of the base URL, and says which is used first', async () => {
		const {run, credentials, credentialsPath, directory} = await openScene({...none});
		expect(await run(`auth set ${forOrigin}`, {stdin: ` ${key}\r\n`})).toEqual({
			stdout: '',
			stderr: `chat: the key for ${origin} (ends in cdef) is stored in ${credentialsPath}\n`,
			exitCode: 0,
		});
		expect(credentials()).toEqual({[origin]: key});
		expect([modeOf(credentialsPath), modeOf(directory)]).toEqual(['600', '700']);
	});

	const command = {'api-key-command': ['printf', 'sk-old-0123456789']};
	test.each([
		[{'api-key-file': 'old.txt'}, {}, 'chat config unset api-key-file'],
		[
			{profiles: {work: command}},
			{CHAT_PROFILE: 'work'},
			'chat config unset api-key-command --profile work',
		],
		[{}, {CHAT_API_KEY: 'sk-old-0123456789'}, 'unset CHAT_API_KEY'],
	])('names the key used first: %j %j', async (more, variables, remedy) => {
		const config = {'base-url': origin, ...more};
		const {run, directory, credentials} = await openScene({...none, config, variables});
		writeFileSync(join(directory, 'old.txt'), 'sk-old-0123456789');
		const {stderr} = await run('auth set', {stdin: key});
		expect(stderr).toMatch(/^chat: .* is set.*: its key is used, not a stored one\nchat: To use/);
		expect(stderr).toContain(`: ${remedy}\nchat: the key for ${origin}`);
		expect(credentials()).toEqual({[origin]: key});
		expect((await run('auth status')).stdout).toContain('ends in 6789');
	});

	test('asks on a terminal without an echo, and restores the terminal', async () => {
		const {run, credentials} = await openScene(none);
		const events: string[] = [];
		const {stdout, stderr} = await run(`auth set ${forOrigin}`, {
			stdin: {typed: `${key}X\u007f\rrm -rf\n`},
			terminals: ['stdout', 'stderr'],
			onRawMode: (isRaw) => events.push(`raw ${isRaw}`),
			onStderr: (text) => events.push(text.slice(0, 11)),
		});
		expect(stdout).toBe('');
		expect(stderr).toMatch(/^API key for https:\S+ \(hidden\): [\s\S]*\nchat: the key/);
		expect(events.slice(0, 3)).toEqual(['raw true', 'API key for', 'raw false']);
		expect(credentials()).toEqual({[origin]: key});
	});

	test('stores nothing after Ctrl-C', async () => {
		const modes: boolean[] = [];
		const {run, credentials} = await openScene(none);
		const stdin = {typed: `${key}\u0003\r`};
		const onRawMode = (isRaw: boolean) => modes.push(isRaw);
		const {exitCode} = await run(`auth set ${forOrigin}`, {stdin, terminals, onRawMode});
		expect([exitCode, modes, credentials()]).toEqual([130, [true, false], undefined]);
	});

	test.each(['', 'two words', `${key}\nx-evil: 1`])(
		'neither stores nor shows such a key: %j',
		async (text) => {
			const shown = text.trim() === '' ? [] : [text];
			const {run, credentials} = await openScene({...none, secrets: shown});
			for (const stdin of [text, {typed: `\u001b[200~${text}\u001b[201~\r`}]) {
				const {stdout, exitCode} = await run(`auth set ${forOrigin}`, {stdin, terminals});
				expect({stdout, exitCode}).toEqual({stdout: '', exitCode: 77});
			}
			expect(credentials()).toBeUndefined();
		},
	);

	testRefusals(
		'is refused',
		[
			[`auth set ${key}`, 64, ''],
			['auth set', 78, '--base-url'],
			[`auth set ${forOrigin}`, 64, 'chat auth set < key.txt', {stdin: 'terminal'}],
			['auth set --base-url http://192.0.2.1', 78, '--insecure-http'],
		],
		{...none, stdin: key},
	);
});

describe('chat auth status', () => {
	test('prints the source of the key and its last four characters, unless it is short', async () => {
		const {run, credentialsPath} = await openScene({...none, credentials: {[origin]: key}});
		const status = async (CHAT_API_KEY?: string, CHAT_BASE_URL = origin, ...hidden: string[]) =>
			(await run('auth status', {variables: {CHAT_BASE_URL, CHAT_API_KEY}, secrets: hidden}))
				.stdout;
		const stored = `from ${credentialsPath} (chat auth), ends in cdef`;
		expect(await status()).toBe(`service  ${origin}/\nkey      ${stored}\n`);
		expect(await status('sk-zyxwvutsrqpo')).toMatch(/from CHAT_API_KEY, ends in rqpo\n$/);
		expect(await status(undefined, 'http://localhost:1')).toMatch(/^key {6}none$/m);
		const short = await status('sk-12345678', origin, '5678');
		expect(short).toMatch(/from CHAT_API_KEY, too short to show\n$/);
		expect(await runChat('auth status')).toEqual({
			stdout: 'service  built-in (no base URL is set)\nkey      none\n',
			stderr: '',
			exitCode: 1,
		});
	});

	test.skipIf(process.platform === 'win32')(
		'reads no endless file; warns of open ones',
		async () => {
			const {run, credentialsPath} = await openScene({...none, credentials: {[origin]: key}});
			const variables = {CHAT_BASE_URL: origin, CHAT_API_KEY_FILE: '/dev/zero'};
			const endless = await run('auth status', {variables});
			expect(endless).toMatchObject({stdout: '', exitCode: 65});
			expect(endless.stderr).toMatch(/^chat: the key from the file \/dev\/zero is larger than/);
			chmodSync(credentialsPath, 0o644);
			const {stderr} = await run(`auth status ${forOrigin}`);
			expect(stderr).toContain(`${credentialsPath} contains API keys, and its mode 644 opens it`);
			await run(`auth set ${forOrigin}`, {stdin: key});
			expect((await run(`auth status ${forOrigin}`)).stderr).toBe('');
		},
	);
});

test('chat auth remove deletes the key of one service', async () => {
	const credentials = {[origin]: key, 'http://localhost:1': 'sk-local'};
	const {run, ...home} = await openScene({...none, credentials});
	const remove = `auth remove ${forOrigin}`;
	expect(await run(remove)).toMatchObject({stdout: '', exitCode: 0});
	expect(home.credentials()).toEqual({'http://localhost:1': 'sk-local'});
	const stderr = `chat: no key is stored for ${origin}\n`;
	expect(await run(remove)).toEqual({stdout: '', stderr, exitCode: 0});
});

const shell = (script: string) => ['sh', '-c', script];

/** Opens a home whose config file has this command beside the base URL of the service. */
function withCommand(command: unknown, ...replies: readonly ReplayReply[]): Given {
	const config = (url: string) => ({'base-url': url, 'api-key-command': command});
	return {config, secrets, ...(replies.length === 0 ? {} : {replies})};
}

describe('the key of a command', () => {
	test('is the first line that it prints, and only goes to the base URL beside it', async () => {
		const other = await startRecording(streamReply(['Hi.']));
		const given = withCommand(shell(`printf ' ${key} \\r\\nlogin: ada\\n'`));
		const {run, service} = await openScene(given);
		expect(await run('p')).toEqual({stdout: 'Hi.\n', stderr: '', exitCode: 0});
		expect(await run(`--base-url ${other.variables.CHAT_BASE_URL} p`)).toMatchObject({stderr: ''});
		const keys = service.requests.map(({headers}) => headers['authorization']);
		expect(keys).toEqual([`Bearer ${key}`]);
		expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
		const {stdout} = await run('auth status');
		expect(stdout).toContain('key      from the command sh, ends in cdef\n');
		expect((await run('config list')).stdout).toMatch(/^api-key-command +sh … +config$/m);
		expect((await run('-v p')).stderr).toContain('= API key: ends in cdef (the command sh)\n');
	});

	test('is asked for once in a run, and only in one that needs it', async () => {
		const busy = errorReply(503, 'later', {'retry-after-ms': '1'});
		const command = shell(`echo run >> runs.txt; echo ${key}`);
		const {run, directory} = await openScene(withCommand(command, busy, streamReply(['Hi.'])));
		const log = join(directory, 'runs.txt');
		await run('config list');
		await run('--auth-header none --max-retries 0 p');
		await run('--max-retries 0 p', {variables: {CHAT_API_KEY: 'sk-of-a-variable'}});
		expect(existsSync(log)).toBe(false);
		expect(await run('p')).toMatchObject({exitCode: 0});
		expect(readFileSync(log, 'utf8')).toBe('run\n');
	});

	test('comes from a program beside the config file, without a shell and our other keys', async () => {
		const given = withCommand(['./key.sh', `$(echo ${key})`, key]);
		const {run, service, directory} = await openScene(given);
		const path = join(directory, 'key.sh');
		const checks = '[ "$1" = \'$(echo \'"$2)" ] && ! env | grep -q sk-of-a-variable';
		writeFileSync(path, `#!/bin/sh\n${checks} && echo "$2"\n`);
		chmodSync(path, 0o700);
		const variables = {PATH: '/usr/bin:/bin', OPENAI_API_KEY: 'sk-of-a-variable'};
		expect(await run('p', {variables})).toMatchObject({exitCode: 0, stderr: ''});
		expect(service.requests[0]?.headers).toMatchObject({authorization: `Bearer ${key}`});
	});

	const failing: ReadonlyArray<readonly [unknown, number, string | RegExp]> = [
		[['false'], 77, 'chat: the command false failed (exit code 1)\n'],
		[
			shell('echo first >&2; printf "the \\033[31mvault is\\007 locked\\n" >&2; exit 3'),
			77,
			/^chat: the command sh failed \(exit code 3\): the vault is locked\n[^\n]*Run it yourself/,
		],
		[['true'], 77, 'chat: the output of the command true is empty\n'],
		[['echo', 'two words'], 77, 'the output of the command echo does not contain a valid API key'],
		[['no-such-program'], 78, 'cannot start the command no-such-program: no such program\n'],
		...['pass show x', [], [''], [1], {}, true, ['a\0']].map(
			(command) =>
				[command, 78, /^chat: api-key-command in .* must be a program and its arguments/] as const,
		),
	];
	testRefusals(
		'may be missing',
		[
			...failing.map(([command, ...rest]): Refusal => ['p', ...rest, withCommand(command)]),
			['p', 78, 'has no base-url beside it', {config: {'api-key-command': ['true']}}],
			[
				'p',
				78,
				'api-key-command and api-key-file are both set in',
				{config: {'base-url': origin, 'api-key-command': ['true'], 'api-key-file': 'key.txt'}},
			],
		],
		none,
	);

	test('is given up after a time, and on Ctrl-C', async () => {
		const command = {argv: ['sleep', '60'], directory: '/'} as const;
		const environment = createProcessEnvironment();
		const limit = {onWaiting: () => {}, timeLimitMs: 50};
		const {signal} = new AbortController();
		await expect(runKeyCommand(command, {...limit, signal}, environment)).rejects.toThrow(
			'the command sleep failed (stopped after 0.05 s)',
		);
		for (const line of ['p', 'auth status']) {
			const {run, directory} = await openScene(withCommand(shell('echo $$ > pid; exec sleep 60')));
			let interrupt = () => {};
			const running = run(line, {
				onListening: (send) => {
					interrupt = () => send('SIGINT');
				},
			});
			const path = join(directory, 'pid');
			await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toMatch(/\n$/);
			interrupt();
			expect((await running).exitCode).toBe(130);
			const pid = Number(readFileSync(path, 'utf8'));
			await expect.poll(() => isRunning(pid)).toBe(false);
		}
	});
});
