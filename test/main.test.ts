import {describe, expect, test} from 'vitest';
import {streamReply} from './helpers/replies.ts';
import {brokenPipe, runChat} from './helpers/run-chat.ts';
import {startRecording} from './helpers/start-service.ts';

const full = () => Object.assign(new Error('ENOSPC: no space left'), {code: 'ENOSPC'});

describe('the program', () => {
	test.each([
		['before the end', ['Hi.', ' More.', ' And more.']],
		['at the last byte', ['Hi.\n']],
	])('prints nothing when the reader of its output is gone %s', async (_, pieces) => {
		const {variables, requests} = await startRecording(streamReply(pieces));
		const breakPipe = () => {
			throw brokenPipe();
		};
		const run = await runChat(['Hello'], {variables, onStdout: breakPipe});
		expect(run).toMatchObject({stderr: '', exitCode: 141});
		expect(requests).toHaveLength(1);
	});

	test.each([
		['piece of it', ['Hi.', ' More.', ' And more.']],
		['byte', ['Hi.\n']],
	])('reports that a %s cannot be written', async (_, pieces) => {
		const {variables} = await startRecording(streamReply(pieces));
		const failWrite = () => {
			throw full();
		};
		const run = await runChat(['Hello'], {variables, onStdout: failWrite});
		expect(run.stderr).toMatch(/^chat: cannot write the output: ENOSPC/);
		expect(run.stderr.match(/\n/g)).toHaveLength(1);
		expect(run.exitCode).toBe(74);
	});

	test.each([
		['is gone', brokenPipe],
		['has no space left', full],
	])('loses no answer when stderr %s', async (_, createError) => {
		const {variables} = await startRecording(
			streamReply([{reasoning: 'Hm.'}, {reasoning: ' So.'}, 'Hi.', ' There.']),
		);
		const failWrite = () => {
			throw createError();
		};
		const argv = ['--reasoning', 'show', '-u', 'Hello'];
		const run = await runChat(argv, {variables, onStderr: failWrite});
		expect(run).toMatchObject({stdout: 'Hi. There.\n', exitCode: 0});
		const wrong = await runChat(['--bogus'], {variables, onStderr: failWrite});
		expect(wrong).toMatchObject({stdout: '', exitCode: 64});
	});

	test.each([
		['', []],
		[' and shows the stack with -v', ['-v']],
	])('reports an unexpected failure as a bug%s', async (_, flags) => {
		const {variables} = await startRecording(streamReply(['Hi.']));
		const now = () => {
			throw new TypeError('the clock of sk-0123456789 is broken');
		};
		const keys = {CHAT_API_KEY: 'sk-0123456789'};
		const run = await runChat([...flags, 'Hello'], {variables: {...variables, ...keys}, now});
		expect(run.exitCode).toBe(1);
		expect(run.stderr).toContain('unexpected error: the clock of [redacted] is broken');
		expect(run.stderr).toContain('report the stack where you got chat from');
		expect(run.stderr.includes('    at ')).toBe(flags.length > 0);
	});
});

describe('the stack of a bug outside of a chat', () => {
	test.each([
		[['-v', 'config', 'edit'], {}, true],
		[['config', 'edit', '--no-verbose'], {CHAT_VERBOSE: 'yes'}, false],
		[['config', 'edit'], {}, false],
	])('depends on the settings: %j with %j: %j', async (argv, variables, isShown) => {
		const broken: Record<string, string> = {...variables};
		Object.defineProperty(broken, 'VISUAL', {
			get() {
				throw new TypeError('the editor is broken');
			},
		});
		const run = await runChat(argv, {variables: broken});
		expect(run).toMatchObject({stdout: '', exitCode: 1});
		expect(run.stderr).toContain('unexpected error: the editor is broken');
		expect(run.stderr.includes('    at ')).toBe(isShown);
	});
});

describe('several reasons to end', () => {
	test('a signal outranks a closed output', async () => {
		const {variables} = await startRecording(streamReply(['Hi.'], {end: 'stall'}));
		let send = () => {};
		const run = await runChat(['Hello'], {
			variables,
			onListening(interrupt) {
				send = () => interrupt('SIGINT');
			},
			onStdout() {
				send();
				throw brokenPipe();
			},
		});
		expect(run.exitCode).toBe(130);
	});

	test('a signal after the output still ends the process', async () => {
		const {variables} = await startRecording(streamReply(['Hi.']));
		let send = () => {};
		const run = await runChat(['-o', 'json', 'Hello'], {
			variables,
			onListening(interrupt) {
				send = () => interrupt('SIGTERM');
			},
			onStdout: () => send(),
		});
		expect(JSON.parse(run.stdout)).toMatchObject({complete: true, error: null});
		expect(run.exitCode).toBe(143);
	});
});
