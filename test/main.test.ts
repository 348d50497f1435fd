import {expect, test} from 'vitest';
import {streamReply} from './helpers/replies.ts';
import {brokenPipe, runChat} from './helpers/run-chat.ts';
import {openScene} from './helpers/run-table.ts';

const full = () => Object.assign(new Error('ENOSPC: no space left'), {code: 'ENOSPC'});

function failing(createError: () => Error) {
	return (): never => {
		throw createError();
	};
}

test.each([
	['before the end', ['Hi.', ' More.', ' And more.']],
	['at the last byte', ['Hi.\n']],
])('an output that fails %s ends the run', async (_, pieces) => {
	const {run, service} = await openScene({replies: [streamReply(pieces)]});
	const left = await run('Hello', {onStdout: failing(brokenPipe)});
	expect(left).toMatchObject({stderr: '', exitCode: 141});
	expect(service.requests).toHaveLength(1);
	const {stderr, exitCode} = await run('Hello', {onStdout: failing(full)});
	expect(stderr).toMatch(/^chat: cannot write the output: ENOSPC.*\n$/);
	expect(exitCode).toBe(74);
});

test.each([
	['is gone', brokenPipe],
	['has no space left', full],
])('no answer is lost when stderr %s', async (_, createError) => {
	const reply = streamReply([{reasoning: 'Hm.'}, {reasoning: ' So.'}, 'Hi.', ' There.']);
	const {run} = await openScene({replies: [reply]});
	const onStderr = failing(createError);
	const shown = await run('--reasoning show -u Hello', {onStderr});
	expect(shown).toMatchObject({stdout: 'Hi. There.\n', exitCode: 0});
	expect(await run('--bogus', {onStderr})).toMatchObject({stdout: '', exitCode: 64});
});

test.each([
	['Hello', false],
	['-v Hello', true],
])(
	'an unexpected failure is reported as a bug, with its stack only if asked: %s',
	async (line, isShown) => {
		const variables = {CHAT_API_KEY: 'sk-0123456789'};
		const {run} = await openScene({variables});
		const now = failing(() => new TypeError('the clock of sk-0123456789 is broken'));
		const {stderr, exitCode} = await run(line, {now: () => now()});
		expect(exitCode).toBe(1);
		expect(stderr).toContain('unexpected error: the clock of [redacted] is broken');
		expect(stderr).toContain('report the stack where you got chat from');
		expect(stderr.includes('    at ')).toBe(isShown);
	},
);

test.each([
	['-v config edit', {}, true],
	['config edit --no-verbose', {CHAT_VERBOSE: 'yes'}, false],
	['config edit', {CHAT_VERBOSE: 'yes'}, true],
	['config edit', {}, false],
])(
	'the stack of a bug outside of a chat depends on the settings: %s with %j',
	async (line, variables, isShown) => {
		const get = failing(() => new TypeError('the editor is broken'));
		const broken = Object.defineProperty({...variables}, 'VISUAL', {get});
		const result = await runChat(line, {variables: broken});
		expect(result).toMatchObject({stdout: '', exitCode: 1});
		expect(result.stderr).toContain('unexpected error: the editor is broken');
		expect(result.stderr.includes('    at ')).toBe(isShown);
	},
);

test('a signal outranks a closed output, and ends the process after the output too', async () => {
	const replies = [streamReply(['Hi.'], {end: 'stall'}), streamReply(['Hi.'])];
	const {run} = await openScene({replies});
	let send = () => {};
	const left = await run('Hello', {
		onListening(interrupt) {
			send = () => interrupt('SIGINT');
		},
		onStdout() {
			send();
			throw brokenPipe();
		},
	});
	expect(left.exitCode).toBe(130);
	const late = await run('-o json Hello', {
		onListening(interrupt) {
			send = () => interrupt('SIGTERM');
		},
		onStdout: () => send(),
	});
	expect(JSON.parse(late.stdout)).toMatchObject({complete: true, error: null});
	expect(late.exitCode).toBe(143);
});
