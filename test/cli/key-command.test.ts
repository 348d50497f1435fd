import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runKeyCommand} from '../../src/cli/run/service/key-readers.ts';
import {createProcessEnvironment} from '../../src/process-environment.ts';
import {isRunning} from '../helpers/is-running.ts';
import {parseResult} from '../helpers/json-output.ts';
import type {ReplayReply} from '../helpers/replay-reply.ts';
import {errorReply, streamReply} from '../helpers/replies.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {startProcess} from '../helpers/run-process.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';

const key = 'sk-0123456789abcdef';

const shell = (script: string) => ['sh', '-c', script];

/** Starts a service, and a home folder whose config file has this command. */
async function setUp(command: unknown, ...replies: readonly ReplayReply[]) {
	const service = await startRecording(...(replies.length > 0 ? replies : [streamReply(['Hi.'])]));
	const url = service.variables.CHAT_BASE_URL;
	const home = createHome({config: {'base-url': url, 'api-key-command': command}});
	const chat = (argv: readonly string[], options: RunOptions = {}) =>
		runChat(argv, {home: home.home, secrets: [key], ...options});
	const keys = () => service.requests.map(({headers}) => headers['authorization']);
	return {...home, chat, keys};
}

describe('the key of a command', () => {
	test('is the first line that it prints, without white space', async () => {
		const {chat, keys} = await setUp(shell(`printf ' ${key} \\r\\nlogin: ada\\n'`));
		expect(await chat(['p'])).toEqual({stdout: 'Hi.\n', stderr: '', exitCode: 0});
		expect(keys()).toEqual([`Bearer ${key}`]);
	});

	test('is asked for once in a run, and only in one that needs it', async () => {
		const command = shell(`echo run >> runs.txt; echo ${key}`);
		const busy = errorReply(503, 'later', {'retry-after-ms': '1'});
		const {chat, keys, directory} = await setUp(command, busy, streamReply(['Hi.']));
		const log = join(directory, 'runs.txt');
		await chat(['config', 'list']);
		await chat(['--auth-header', 'none', '--max-retries', '0', 'p']);
		await chat(['--max-retries', '0', 'p'], {variables: {CHAT_API_KEY: 'sk-of-a-variable'}});
		expect(existsSync(log)).toBe(false);
		expect(await chat(['p'])).toMatchObject({exitCode: 0});
		expect(readFileSync(log, 'utf8')).toBe('run\n');
		expect(keys().at(-1)).toBe(`Bearer ${key}`);
	});

	test('comes from a program beside the config file, and no shell reads its arguments', async () => {
		const {chat, keys, directory} = await setUp(['./key.sh', `$(echo ${key})`, key]);
		const path = join(directory, 'key.sh');
		writeFileSync(path, '#!/bin/sh\n[ "$1" = \'$(echo \'"$2)" ] && echo "$2"\n');
		chmodSync(path, 0o700);
		expect(await chat(['p'])).toMatchObject({exitCode: 0, stderr: ''});
		expect(keys()).toEqual([`Bearer ${key}`]);
	});

	test('goes only to the base URL beside it', async () => {
		const other = await startRecording(streamReply(['Hi.']));
		const {chat, keys} = await setUp(shell(`echo ${key}`));
		const run = await chat(['--base-url', other.variables.CHAT_BASE_URL, 'p']);
		expect(run).toMatchObject({exitCode: 0, stderr: ''});
		expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
		expect(keys()).toEqual([]);
	});

	test('is printed without our other keys in the environment of the command', async () => {
		const {variables, requests} = await startRecording(streamReply(['Hi.']));
		const other = 'sk-of-a-variable';
		const command = shell(`env | grep -q ${other} || echo "$VAULT"`);
		const work = {'base-url': variables.CHAT_BASE_URL, 'api-key-command': command};
		const {home} = createHome({config: {profiles: {work}}});
		const run = await runChat(['--profile', 'work', 'p'], {
			home,
			secrets: [key],
			variables: {PATH: '/usr/bin:/bin', VAULT: key, CHAT_API_KEY: other, OPENAI_API_KEY: other},
		});
		expect(run).toMatchObject({exitCode: 0, stderr: ''});
		expect(requests[0]?.headers).toMatchObject({authorization: `Bearer ${key}`});
	});

	test('is named by chat auth status, and its program alone by chat config list', async () => {
		const {chat} = await setUp(shell(`echo ${key}`));
		expect(await chat(['auth', 'status'])).toMatchObject({
			stdout: expect.stringContaining('key      from the command sh, ends in cdef\n'),
			exitCode: 0,
		});
		const list = await chat(['config', 'list']);
		expect(list.stdout).toMatch(/^api-key-command +sh … +config$/m);
		const trace = await chat(['-v', 'p']);
		expect(trace.stderr).toContain('= API key: ends in cdef (the command sh)\n');
	});

	test('that is refused is reported with the command', async () => {
		const {chat} = await setUp(shell(`echo ${key}`), errorReply(401, `bad key ${key}`));
		const run = await chat(['p']);
		expect(run.exitCode).toBe(77);
		expect(run.stderr).toContain('does not accept the key from the command sh.');
	});
});

describe('a command without a key', () => {
	test.each([
		[['false'], 77, 'the command false failed (exit code 1)\n'],
		[
			shell('echo first >&2; printf "the \\033[31mvault is\\007 locked\\n" >&2; exit 3'),
			77,
			'the command sh failed (exit code 3): the vault is locked\n',
		],
		[shell('kill -9 $$'), 77, 'the command sh failed (ended by SIGKILL)\n'],
		[['true'], 77, 'the output of the command true is empty\n'],
		[shell('printf "\\nkey"'), 77, 'the output of the command sh is empty\n'],
		[['echo', 'two words'], 77, 'the output of the command echo does not contain a valid API key'],
		[['no-such-program'], 78, 'cannot start the command no-such-program: no such program\n'],
		[['/etc/passwd'], 78, 'cannot start the command /etc/passwd: permission denied\n'],
	])(
		'fails with one clear message, and nothing is sent: %j',
		async (command, exitCode, message) => {
			const {chat, keys} = await setUp(command);
			const run = await chat(['p']);
			expect(run).toMatchObject({stdout: '', exitCode});
			expect(run.stderr).toContain(`chat: ${message}`);
			expect(run.stderr).not.toContain('\u001b');
			expect(keys()).toEqual([]);
		},
	);

	test('leads to the command, not to a place for the key', async () => {
		const {chat} = await setUp(['true']);
		const {stderr} = await chat(['p']);
		expect(stderr).toContain('Run it yourself');
		expect(stderr).not.toContain('Put the API key there');
	});

	test('is an error in JSON output as well', async () => {
		const {chat} = await setUp(['false']);
		const {error} = parseResult((await chat(['-o', 'json', 'p'])).stdout);
		expect(error).toMatchObject({kind: 'auth', message: 'the command false failed (exit code 1)'});
		expect(error?.hint).toContain('api-key-command');
	});

	test.each(['pass show x', [], [''], [1], {}, true, ['a\0']])(
		'is a mistake in the file: %j',
		async (command) => {
			const run = await (await setUp(command)).chat(['p']);
			expect(run).toMatchObject({stdout: '', exitCode: 78});
			expect(run.stderr).toMatch(
				/^chat: api-key-command in .* must be a program and its arguments/,
			);
		},
	);

	test('is a mistake beside a key file, or without a base URL', async () => {
		const both = {'base-url': 'http://127.0.0.1:9', 'api-key-file': 'key.txt'};
		for (const [values, message] of [
			[both, 'api-key-command and api-key-file are both set in'],
			[{}, 'has no base-url beside it'],
		] as const) {
			const {home} = createHome({config: {'api-key-command': ['true'], ...values}});
			const run = await runChat(['p'], {home});
			expect(run).toMatchObject({stdout: '', exitCode: 78});
			expect(run.stderr).toContain(message);
		}
	});

	test('is stopped after a time', async () => {
		const command = {argv: ['sleep', '60'], directory: '/'} as const;
		const {signal} = new AbortController();
		const options = {signal, onWaiting: () => {}, timeLimitMs: 50};
		await expect(runKeyCommand(command, options, createProcessEnvironment())).rejects.toThrow(
			'the command sleep failed (stopped after 0.05 s)',
		);
	});

	test.each([
		['a run', ['p']],
		['chat auth status', ['auth', 'status']],
	])('is ended by Ctrl-C, with %s', async (_, argv) => {
		const {home, directory} = await setUp(shell('echo $$ > pid; exec sleep 60'));
		const path = join(directory, 'pid');
		const run = startProcess(argv, {variables: {HOME: home, XDG_CONFIG_HOME: ''}});
		await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toMatch(/\n$/);
		run.child.kill('SIGINT');
		expect(await run.ended).toMatchObject({signal: 'SIGINT'});
		const pid = Number(readFileSync(path, 'utf8'));
		await expect.poll(() => isRunning(pid)).toBe(false);
	});
});

test('a command is stored by chat config set as an array', async () => {
	const {home, config} = createHome();
	const set = (text: string) => runChat(['config', 'set', 'api-key-command', text], {home});
	expect(await set('["pass","show","example/key"]')).toMatchObject({exitCode: 0, stderr: ''});
	expect(config()).toEqual({'api-key-command': ['pass', 'show', 'example/key']});
	expect(await set('pass show example/key')).toMatchObject({exitCode: 64});
});
