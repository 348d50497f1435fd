/** Named pipes as the files of settings: they are read to their end, however late. */
import {execFileSync} from 'node:child_process';
import {closeSync, constants, mkdtempSync, openSync, rmSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {streamReply} from '../helpers/replies.ts';
import {runProcess, startProcess} from '../helpers/run-process.ts';
import {startRecording} from '../helpers/start-service.ts';

function makePipe(): string {
	const folder = mkdtempSync(join(tmpdir(), 'chat-pipe-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const path = join(folder, 'pipe');
	execFileSync('mkfifo', [path]);
	return path;
}

/** Opens the pipe for writing, which fails until a process reads it; writes nothing. */
async function holdOpen(path: string): Promise<void> {
	await expect
		.poll(() => {
			const file = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
			onTestFinished(() => closeSync(file));
			return file;
		})
		.toBeGreaterThan(0);
}

describe('a pipe without data', () => {
	test.each([
		['SIGINT', '--api-key-file'],
		['SIGTERM', '--ca-file'],
	] as const)(
		'does not keep %s from ending a run that reads it as its %s',
		async (signal, flag) => {
			const path = makePipe();
			const argv = [flag, path, '--base-url', 'http://127.0.0.1:9', 'Hello'];
			const {child, stderr, ended} = startProcess(argv);
			await holdOpen(path);
			child.kill(signal);
			expect(await ended).toEqual({code: null, signal});
			expect(stderr()).toBe(`chat: interrupted (${signal})\n`);
		},
	);

	test.each([
		['serve', ['serve', '--port', '0']],
		['auth status', ['auth', 'status', '--base-url', 'http://127.0.0.1:9']],
	])('does not keep a signal from ending chat %s', async (_, argv) => {
		const path = makePipe();
		const flags = argv.includes('serve') ? ['--api-key-file', path] : [];
		const variables = {CHAT_API_KEY_FILE: path};
		const {child, ended} = startProcess([...argv, ...flags], {variables});
		await holdOpen(path);
		child.kill('SIGINT');
		expect(await ended).toEqual({code: null, signal: 'SIGINT'});
	});
});

test('a key from a pipe is sent', async () => {
	const {variables, requests} = await startRecording(streamReply(['Hi.']));
	const path = makePipe();
	const written = writeFile(path, 'sk-0123456789\n');
	const run = await runProcess(['--api-key-file', path, 'p'], {variables});
	await written;
	expect(run).toMatchObject({stdout: 'Hi.\n', stderr: '', code: 0});
	expect(requests[0]?.headers['authorization']).toBe('Bearer sk-0123456789');
});
