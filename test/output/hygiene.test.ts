/** All output passes the sanitizer, which `test/terminal/safe-text.test.ts` tests text by text. */
import {describe, expect, test} from 'vitest';
import {hostileSample, hostileTexts, ordinaryTexts} from '../fixtures/hostile-texts.ts';
import {parseLines, parseResult} from '../helpers/json-output.ts';
import {errorReply, type ReplyDelta, streamReply} from '../helpers/replies.ts';
import {runAgainst} from '../helpers/run-against.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';

const terminals = {terminals: ['stdout', 'stderr']} as const;

/** One text of each kind, one after the other. */
const hostile = hostileSample.map(({text}) => text).join('--\n');
const harmless = hostileSample.map(({shown}) => shown).join('--\n');

/** Characters that control a terminal, reverse text or hide it. */
const unsafe =
	/(?![\t\n])\p{Cc}|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;

function withLineEnd(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Each code unit in a delta of its own, so that every sequence is cut everywhere. */
function cutText(text: string): readonly ReplyDelta[] {
	return Array.from(text, (character) => ({text: character}));
}

describe('on a terminal', () => {
	test('an answer is safe, and ordinary text unchanged', async () => {
		const run = await runAgainst(streamReply(cutText(hostile)), [], terminals);
		expect(run).toMatchObject({stdout: withLineEnd(harmless), exitCode: 0});
		expect(run.stderr).not.toMatch(unsafe);
		const text = ordinaryTexts.map((ordinary) => ordinary.text).join('\n');
		const plain = await runAgainst(streamReply(cutText(text)), [], terminals);
		expect(plain.stdout).toBe(withLineEnd(text));
	});

	test('reasoning is safe', async () => {
		const reply = streamReply([{reasoning: hostile}, 'Hi.']);
		const run = await runAgainst(reply, ['--reasoning', 'show'], terminals);
		expect(run.stderr).not.toMatch(unsafe);
		expect(run.stderr.replace(/^│ |\n/gm, '')).toBe(harmless.replaceAll('\n', ''));
		expect(run.stdout).toBe('Hi.\n');
	});

	test('calls, models and failures are safe', async () => {
		const call = {id: hostile, name: hostile, arguments: JSON.stringify({argument: hostile})};
		const finishReason = hostile;
		const reply = streamReply([{reasoning: hostile}, {call}], {finishReason, model: hostile});
		const called = await runAgainst(reply, ['-v', '-u', '-m', hostile], terminals);
		expect(`${called.stdout}${called.stderr}`).not.toMatch(unsafe);
		expect(called.stdout.trimEnd().split('\n')).toHaveLength(1);

		const {variables} = await startRecording(
			errorReply(503, hostile, {'retry-after-ms': '1'}),
			errorReply(400, hostile),
		);
		const argv = ['-m', hostile, '-s', hostile, hostile];
		const failed = await runChat(argv, {...terminals, variables});
		expect(failed.exitCode).toBe(65);
		expect(failed.stderr).not.toMatch(unsafe);
		expect(failed.stderr.split('\n').filter((line) => /^(?!chat: | {6}|$)/.test(line))).toEqual([]);
	});

	test.each(['--image', '-f'])('the name of a file that is not there is safe: %s', async (flag) => {
		for (const {text} of hostileSample) {
			const {stderr, exitCode} = await runChat([flag, text, 'p'], terminals);
			expect(exitCode).toBe(66);
			expect(stderr).not.toMatch(unsafe);
		}
	});

	test('JSON is safe', async () => {
		for (const format of ['json', 'jsonl']) {
			const reply = streamReply([{reasoning: hostile}, {text: hostile}]);
			const run = await runAgainst(reply, ['-o', format], terminals);
			expect(`${run.stdout}${run.stderr}`).not.toMatch(unsafe);
		}
	});

	test('an answer that is not the requested JSON or code is safe', async () => {
		for (const flags of [['-x'], ['--response-format', 'json_object']]) {
			const text = hostileTexts.map((each) => each.text).join('\n');
			const run = await runAgainst(streamReply([text]), flags, terminals);
			expect(run).toMatchObject({stdout: '', exitCode: 65});
			expect(run.stderr).not.toMatch(unsafe);
		}
	});
});

describe('in a pipe', () => {
	test('an answer and its code keep their exact bytes', async () => {
		const run = await runAgainst(streamReply(cutText(hostile)), [], {});
		const bytes = Buffer.from(hostile).toString();
		expect(run).toMatchObject({stdout: withLineEnd(bytes), stderr: '', exitCode: 0});
		const code = hostile.replace(/\r\n?|\n/g, ' ');
		const extracted = await runAgainst(streamReply([`\`\`\`\n${code}\n\`\`\``]), ['-x'], {});
		expect(extracted.stdout).toBe(`${Buffer.from(code).toString()}\n`);
	});

	test('JSON keeps the text, without a control character', async () => {
		const reply = streamReply([{reasoning: hostile}, {text: hostile}]);
		const json = await runAgainst(reply, ['-o', 'json'], {});
		expect(parseResult(json.stdout)).toMatchObject({content: hostile, reasoning: hostile});
		const lines = await runAgainst(reply, ['-o', 'jsonl'], {});
		expect(parseLines(lines.stdout).at(-1)).toMatchObject({content: hostile});
		for (const {stdout} of [json, lines]) expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
	});

	test('control characters are reported once if stderr is a terminal', async () => {
		const reply = streamReply(['a\x1b[31m', 'b\x1b[0m']);
		const run = await runAgainst(reply, [], {terminals: ['stderr']});
		expect(run.stdout).toBe('a\x1b[31mb\x1b[0m\n');
		expect(run.stderr).toMatch(/^chat: the answer contains control characters[^\n]*\n$/);
		const quiet = await runAgainst(reply, ['-q'], {terminals: ['stderr']});
		expect(quiet.stderr).toBe('');
	});
});
