import {describe, expect, test} from 'vitest';
import {streamReply, wholeReply} from '../helpers/replies.ts';
import {runAgainst} from '../helpers/run-against.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';

const both = ['stdout', 'stderr'] as const;

describe('the answer', () => {
	test.each([
		['Hi.', 'Hi.\n'],
		['Hi.\n', 'Hi.\n'],
		['a\r\nb\r', 'a\r\nb\r\n'],
	])('%j goes to a pipe unchanged, with one line end at the end', async (text, stdout) => {
		const reply = streamReply(Array.from(text));
		expect(await runAgainst(reply, [])).toMatchObject({stdout, stderr: '', exitCode: 0});
		expect(await runAgainst(wholeReply({text}), ['--no-stream'])).toMatchObject({stdout});
	});

	test.each([
		['', ''],
		[' \t', ' \t\n'],
	])('%j goes to a pipe unchanged, with a notice that it is empty', async (text, stdout) => {
		const run = await runAgainst(streamReply(Array.from(text)), []);
		const stderr = 'chat: the service gave an empty answer\n';
		expect(run).toMatchObject({stdout, stderr, exitCode: 0});
	});

	test.each([
		['hide', ''],
		['show', 'Hm.\n'],
	])('that is only reasoning prints nothing, with a notice: %s', async (mode, shown) => {
		const run = await runAgainst(streamReply([{reasoning: 'Hm.'}]), ['--reasoning', mode]);
		const stderr = `${shown}chat: the service gave no answer, only reasoning\n`;
		expect(run).toMatchObject({stdout: '', stderr, exitCode: 0});
	});
});

describe('reasoning', () => {
	const reply = streamReply([{reasoning: 'Hm.\nSo'}, {reasoning: '.'}, 'Hi.', ' There.']);
	const plain = 'Hm.\nSo.\n';
	const bars = '│ Hm.\n│ So.\n\n';
	type Terminals = RunOptions['terminals'] & object;
	const rows: ReadonlyArray<readonly [string, Terminals, string]> = [
		['auto', [], ''],
		['auto', ['stdout'], ''],
		['auto', both, bars],
		['show', [], plain],
		['show', ['stderr'], bars],
		['show', both, bars],
		['hide', [], ''],
	];

	test.each(rows)('%s with terminals %j: stderr gets %j', async (mode, terminals, stderr) => {
		const flags = mode === 'auto' ? [] : ['--reasoning', mode];
		const run = await runAgainst(reply, flags, {terminals});
		expect(run).toMatchObject({stdout: 'Hi. There.\n', stderr, exitCode: 0});
	});

	test('that interrupts the answer on a terminal has lines of its own', async () => {
		let screen = '';
		const show = () => {
			let shown = 0;
			return (text: string) => {
				screen += text.slice(shown);
				shown = text.length;
			};
		};
		const interleaved = {...streamReply(['One', {reasoning: 'Hm'}, ' two']), chunkDelayMs: 5};
		await runAgainst(interleaved, [], {terminals: both, onStdout: show(), onStderr: show()});
		expect(screen).toBe('One\n│ Hm\n\n two\n');
	});
});

describe('extracted code', () => {
	const reply = streamReply(['See:\n```js\nlet a', ';\n```\nand\n```\nb\n```\n']);

	test.each([
		[['-x'], 'let a;\n'],
		[['--extract-block', '2'], 'b\n'],
	])('with %j is all that stdout gets', async (flags, stdout) => {
		expect(await runAgainst(reply, flags)).toMatchObject({stdout, stderr: '', exitCode: 0});
	});
});

describe('a refusal', () => {
	const refusal = streamReply([{refusal: 'I cannot\n'}, {refusal: '\x1b[2Jdo that.'}]);

	test.each([[], ['-q'], ['-x']])(
		'leaves stdout empty and is one line on stderr: %s',
		async (...flags) => {
			const run = await runAgainst(refusal, flags);
			expect(run).toMatchObject({
				stdout: '',
				stderr: 'chat: the model refused: I cannot do that.\n',
				exitCode: 79,
			});
		},
	);
});

describe('the usage line', () => {
	test('has what the service reported, and the times', async () => {
		const usage = {prompt_tokens: 3, completion_tokens: 5, total_tokens: 8};
		const run = await runAgainst(streamReply(['Hi.'], {usage}), ['-u']);
		expect(run.stdout).toBe('Hi.\n');
		expect(run.stderr).toMatch(
			/^chat: 3 tokens in, 5 out, 8 total, first token after \d\.\d\d s, \d\.\d\d s total\n$/,
		);
	});

	test('invents no numbers, and comes after a failure too', async () => {
		const whole = await runAgainst(streamReply(['Hi.']), ['--usage']);
		expect(whole.stderr).toMatch(/^chat: no token counts reported, first token/);

		const run = await runAgainst(streamReply(['Hi.'], {end: 'reset'}), ['-u', '-q']);
		expect(run.stderr).toMatch(/^chat: no token counts[^\n]*\nchat: .*was cut off/);
	});
});

describe('notices', () => {
	const flags = ['--temperature', '1', '--top-p', '1'];

	test.each([
		['length', 'the answer was cut off at the token limit'],
		['content_filter', 'the answer was cut off by the service’s content filter'],
	])('-q keeps the one that says why an answer was cut: %s', async (finishReason, message) => {
		const reply = streamReply(['Hi.'], {finishReason});
		const run = await runAgainst(reply, ['-q', ...flags]);
		const stderr = `chat: ${message.replace('’', "'")}\n`;
		expect(run).toMatchObject({stdout: 'Hi.\n', stderr, exitCode: 79});
	});

	test('-v prints the request and the reply without header values', async () => {
		const {variables} = await startRecording(streamReply(['Hi.']));
		const keyed = {...variables, CHAT_API_KEY: 'sk-0123456789'};
		const run = await runChat(['-v', 'p'], {variables: keyed});
		expect(run.stdout).toBe('Hi.\n');
		expect(run.stderr).toMatch(/^> POST http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions \(\d+ b/m);
		expect(run.stderr).toMatch(/^> .*authorization/m);
		expect(run.stderr).toMatch(/^< 200 after (?:\d+ ms|\d\.\d s)$/m);
		expect(run.stderr).toMatch(/^< .*content-type/m);
		expect(run.stderr).not.toContain('Bearer');
	});
});
