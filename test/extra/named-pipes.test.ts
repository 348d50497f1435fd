/** Named pipes as the files of settings: they are read to their end, however late. */
import {execFileSync} from 'node:child_process';
import {closeSync, constants, openSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {runProcess, startProcess} from '../helpers/run-process.ts';
import {say, startScripted} from '../helpers/scripted-service.ts';
import {createDirectory} from '../input/input-helpers.ts';

function makePipe(): string {
	const path = join(createDirectory(), 'pipe');
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

test.each([
	['an answer', 'SIGINT', ['--base-url', 'http://127.0.0.1:9', '--api-key-file', 'PIPE', 'Hello']],
	['an answer', 'SIGTERM', ['--base-url', 'http://127.0.0.1:9', '--ca-file', 'PIPE', 'Hello']],
	['chat serve', 'SIGINT', ['serve', '--port', '0', '--api-key-file', 'PIPE']],
	['chat auth', 'SIGINT', ['auth', 'status', '--base-url', 'http://127.0.0.1:9']],
] as const)(
	'a pipe without data does not keep a signal from ending %s: %s',
	async (name, signal, words) => {
		const path = makePipe();
		const argv = words.map((word) => (word === 'PIPE' ? path : word));
		const variables = name === 'chat auth' ? {CHAT_API_KEY_FILE: path} : {};
		const {child, stderr, ended} = startProcess(argv, {variables});
		await holdOpen(path);
		child.kill(signal);
		expect(await ended).toEqual({code: null, signal});
		if (name === 'an answer') expect(stderr()).toBe(`chat: interrupted (${signal})\n`);
	},
);

test('a key from a pipe is sent', async () => {
	const {env} = await startScripted(say('Hi.'));
	const path = makePipe();
	const written = writeFile(path, 'sk-0123456789\n');
	const run = await runProcess(['-v', '--api-key-file', path, 'p'], {variables: env});
	await written;
	expect(run).toMatchObject({stdout: 'Hi.\n', code: 0});
	expect(run.stderr).toContain('ends in 6789');
});
