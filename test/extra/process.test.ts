import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {
	readAll,
	runProcess,
	startProcess,
	waitForText,
	waitUntilIdle,
} from '../helpers/run-process.ts';
import {createHome} from '../helpers/settings-home.ts';
import {startRecording} from '../helpers/start-service.ts';
import {loadWireCases} from '../helpers/wire-cases.ts';
import {zipOf} from '../helpers/zip.ts';

const isLinux = process.platform === 'linux';

const inDeleted = 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$@"';
const enospc = expect.stringMatching(/chat: cannot write the output: ENOSPC[^\n]*\n$/);

const ends: ReadonlyArray<readonly [string, readonly string[], string, object]> = [
	['stdin is closed', ['-q', 'say yes'], 'exec "$@" <&-', {stdout: 'yes\n', code: 0}],
	['stdin is an empty pipe', ['-q', 'say yes'], ': | "$@"', {stdout: 'yes\n', code: 0}],
	['there is no prompt', [], 'exec "$@" <&-', {stdout: '', code: 64}],
	['stderr is closed', ['say yes'], 'exec "$@" 2>&-', {stdout: 'yes\n', stderr: '', code: 0}],
	['stderr is full', ['say yes'], 'exec "$@" 2>/dev/full', {stdout: 'yes\n', code: 0}],
	['its folder is deleted', ['-q', 'say yes'], inDeleted, {stdout: 'yes\n', code: 0}],
	['its folder is deleted', ['-f', 'a.txt', 'p'], inDeleted, {stdout: '', code: 66}],
	['the output is full', ['-q', 'Hello'], 'exec "$@" >/dev/full', {stderr: enospc, code: 74}],
	['the output is full', ['--help'], 'exec "$@" >/dev/full', {stderr: enospc, code: 74}],
];

/** More than a pipe can hold, with different lines. */
const long = Array.from({length: 80_000}, (_, index) => `${index}: ${'x'.repeat(56)}\n`).join('');
const longReply = streamReply(long.match(/[\s\S]{1,50000}/g) ?? []);
const stalled = streamReply(['Half', ' an'], {end: 'stall'});

describe('the command', () => {
	test.each(ends.filter(([, , shell]) => isLinux || !shell.includes('/dev/full')))(
		'ends as it should when %s: %j',
		async (_, argv, shell, expected) => {
			expect(await runProcess(argv, {shell})).toMatchObject(expected);
		},
	);

	test('reads an archive with the library of its bundle', async () => {
		const {home} = createHome();
		const path = join(home, 'export.zip');
		const messages = [
			{role: 'user', content: 'Name a bird'},
			{role: 'assistant', content: 'Gull'},
		];
		writeFileSync(path, zipOf({'conversations.json': {content: JSON.stringify(messages)}}));
		const run = await runProcess(['sessions', 'import', path], {variables: {HOME: home}});
		expect(run).toMatchObject({stdout: expect.stringContaining('Name a bird'), code: 0});
	});

	test('answers at once with stdin turned off, even if it stays open', async () => {
		const run = await runProcess(['--no-stdin', '-q', 'say yes'], {stdin: 'open'});
		expect(run).toMatchObject({stdout: 'yes\n', code: 0});
	});

	test('reads a compressed reply with the library of its bundle', async () => {
		const [compressed] = loadWireCases().filter(({id}) => id === 'C029');
		const {variables} = await startRecording(...(compressed?.replies ?? []));
		const {stdout, code} = await runProcess(['p'], {variables});
		expect({stdout, code}).toEqual({stdout: `${compressed?.expect.content}\n`, code: 0});
	});

	test.runIf(isLinux)('shows its key to nobody who lists the processes', async () => {
		const {variables, requests} = await startRecording(stalled);
		const key = 'sk-0123456789';
		const {pid, stdout, child, ended} = startProcess(['-v', 'p'], {
			variables: {...variables, CHAT_API_KEY: key},
		});
		await waitForText(stdout, 'Half an');
		expect(requests[0]?.headers['authorization']).toBe(`Bearer ${key}`);
		const listed = ['cmdline', 'comm', 'status'].map((name) =>
			readFileSync(`/proc/${pid}/${name}`, 'utf8'),
		);
		expect(listed.join('\n')).not.toContain(key);
		child.kill('SIGTERM');
		await ended;
	});
});

describe('a pipe', () => {
	test.runIf(isLinux)('with a slow reader gets all of 5 MB', async () => {
		const {variables, requests} = await startRecording(longReply);
		const {pid, stdout, stderr, ended} = startProcess(['p'], {variables});
		await expect.poll(() => requests.length).toBe(1);
		await waitUntilIdle(pid);
		const text = await readAll(stdout);
		expect(text.length).toBe(long.length);
		expect(text === long).toBe(true);
		expect(await ended).toEqual({code: 0, signal: null});
		expect(stderr()).toBe('');
	});

	test('whose reader exits after the first byte ends the run with 141', async () => {
		const {variables} = await startRecording(longReply);
		const {stdout, stderr, ended} = startProcess(['p'], {variables});
		stdout.once('data', () => stdout.destroy());
		expect(await ended).toEqual({code: 141, signal: null});
		expect(stderr()).toBe('');
	});
});

describe('a signal', () => {
	test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
		'%s ends the process as a signal does, and keeps what came',
		async (signal) => {
			const {variables} = await startRecording(stalled);
			const {child, stdout, stderr, ended} = startProcess(['p'], {variables});
			const text = readAll(stdout);
			await waitForText(stdout, 'Half an');
			child.kill(signal);
			expect(await ended).toEqual({code: null, signal});
			expect(await text).toBe('Half an\n');
			expect(stderr()).toBe(`chat: interrupted (${signal})\n`);
		},
	);

	test('that the process cannot send to itself still decides its exit code', async () => {
		const {variables} = await startRecording(stalled);
		// As the first process of a container, which the system keeps from dying so.
		const script = encodeURIComponent('process.kill = () => true');
		const NODE_OPTIONS = `--import=data:text/javascript,${script}`;
		const {child, stdout, ended} = startProcess(['p'], {variables: {...variables, NODE_OPTIONS}});
		const text = readAll(stdout);
		await waitForText(stdout, 'Half an');
		child.kill('SIGTERM');
		expect(await ended).toEqual({code: 143, signal: null});
		expect(await text).toBe('Half an\n');
	});

	test('also ends a shell loop around it', async () => {
		const {variables, requests} = await startRecording(stalled);
		const shell = 'for i in 1 2 3; do "$@"; echo "after $i"; done';
		const {pid, stdout, ended} = startProcess(['p'], {variables, shell, isDetached: true});
		const text = readAll(stdout);
		await waitForText(stdout, 'Half an');
		// Like the terminal, to all foreground processes.
		process.kill(-pid, 'SIGINT');
		await ended;
		expect(await text).toBe('Half an\n');
		expect(requests).toHaveLength(1);
	});

	test('ends the wait for a prompt', async () => {
		const {child, stderr, ended} = startProcess([], {stdin: 'open'});
		// More than a pipe can hold: the write completes once the command reads.
		await new Promise((resolve) => child.stdin?.write('x'.repeat(1_000_000), resolve));
		child.kill('SIGINT');
		expect(await ended).toEqual({code: null, signal: 'SIGINT'});
		expect(stderr()).toContain('interrupted (SIGINT)');
	});

	test.runIf(isLinux)('that comes twice kills, though nobody reads', async () => {
		const {variables, requests} = await startRecording(longReply);
		const {pid, child, ended} = startProcess(['p'], {variables});
		await expect.poll(() => requests.length).toBe(1);
		await waitUntilIdle(pid);
		child.kill('SIGINT');
		await waitUntilIdle(pid);
		expect(child.exitCode ?? child.signalCode).toBeNull();
		child.kill('SIGINT');
		expect(await ended).toEqual({code: null, signal: 'SIGINT'});
	});
});

test('chat serve prints its address, serves, and ends on SIGTERM with 0', async () => {
	const {child, stdout, stderr, ended} = startProcess(['serve', '--port', '0']);
	const url = (await waitForText(stdout, '\n')).trim();
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	const health = await fetch(`${url}/health`);
	expect(await health.json()).toMatchObject({status: 'ok'});
	child.kill('SIGTERM');
	expect(await ended).toEqual({code: 0, signal: null});
	expect(stderr()).toBe('');
});
