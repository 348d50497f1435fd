/** All output passes the sanitizer, which `test/terminal/safe-text.test.ts` tests text by text. */
import {describe, expect, test} from 'vitest';
import {hostileSample, hostileTexts, ordinaryTexts} from '../fixtures/hostile-texts.ts';
import {parseLines, parseResult} from '../helpers/json-output.ts';
import {errorReply, type ReplyDelta, streamReply} from '../helpers/replies.ts';
import {runAgainst} from '../helpers/run-against.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';

const terminals = {terminals: ['stdout', 'stderr']} as const;

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
	test.each(hostileSample)('an answer is safe: $name', async ({text, shown}) => {
		const run = await runAgainst(streamReply(cutText(text)), [], terminals);
		expect(run).toMatchObject({stdout: withLineEnd(shown), exitCode: 0});
		expect(run.stderr).not.toMatch(unsafe);
	});

	test.each(hostileSample)('reasoning is safe: $name', async ({text, shown}) => {
		const reply = streamReply([{reasoning: text}, 'Hi.']);
		const run = await runAgainst(reply, ['--reasoning', 'show'], terminals);
		expect(run.stderr).not.toMatch(unsafe);
		expect(run.stderr.replace(/^│ |\n/gm, '')).toBe(shown.replaceAll('\n', ''));
		expect(run.stdout).toBe('Hi.\n');
	});

	test.each(hostileSample)('every other text is safe: $name', async ({text}) => {
		const call = {id: text, name: text, arguments: JSON.stringify({argument: text})};
		const reply = streamReply([{reasoning: text}, {call}], {finishReason: text, model: text});
		const called = await runAgainst(reply, ['-v', '-u', '-m', text], terminals);
		expect(`${called.stdout}${called.stderr}`).not.toMatch(unsafe);
		expect(called.stdout.trimEnd().split('\n')).toHaveLength(1);

		const {variables} = await startRecording(
			errorReply(503, text, {'retry-after-ms': '1'}),
			errorReply(400, text),
		);
		const argv = ['-m', text, '-s', text, text];
		const failed = await runChat(argv, {...terminals, variables});
		expect(failed.exitCode).toBe(65);
		expect(failed.stderr).not.toMatch(unsafe);
		expect(failed.stderr.split('\n').filter((line) => /^(?!chat: | {6}|$)/.test(line))).toEqual([]);

		const wrong = await runChat(['--image', text, '-f', text, 'p'], terminals);
		expect(wrong.stderr).not.toMatch(unsafe);
	});

	test.each(hostileSample)('JSON is safe: $name', async ({text}) => {
		for (const format of ['json', 'jsonl']) {
			const reply = streamReply([{reasoning: text}, {text}]);
			const run = await runAgainst(reply, ['-o', format], terminals);
			expect(`${run.stdout}${run.stderr}`).not.toMatch(unsafe);
		}
	});

	test('an answer that is not the requested JSON or code is safe', async () => {
		for (const flags of [['-x'], ['--response-format', 'json_object']]) {
			const text = hostileTexts.map((hostile) => hostile.text).join('\n');
			const run = await runAgainst(streamReply([text]), flags, terminals);
			expect(run).toMatchObject({stdout: '', exitCode: 65});
			expect(run.stderr).not.toMatch(unsafe);
		}
	});

	test('ordinary text is unchanged', async () => {
		const text = ordinaryTexts.map((ordinary) => ordinary.text).join('\n');
		const run = await runAgainst(streamReply(cutText(text)), [], terminals);
		expect(run.stdout).toBe(withLineEnd(text));
	});
});

describe('in a pipe', () => {
	test.each(hostileSample)('an answer keeps its exact bytes: $name', async ({text}) => {
		const run = await runAgainst(streamReply(cutText(text)), [], {});
		const bytes = Buffer.from(text).toString();
		expect(run).toMatchObject({stdout: withLineEnd(bytes), stderr: '', exitCode: 0});
	});

	test.each(hostileSample)('code keeps its exact bytes: $name', async ({text}) => {
		const code = text.replace(/\r\n?|\n/g, ' ');
		const run = await runAgainst(streamReply([`\`\`\`\n${code}\n\`\`\``]), ['-x'], {});
		expect(run.stdout).toBe(`${Buffer.from(code).toString()}\n`);
	});

	test.each(hostileSample)(
		'JSON keeps the text, without a control character: $name',
		async ({text}) => {
			const reply = streamReply([{reasoning: text}, {text}]);
			const json = await runAgainst(reply, ['-o', 'json'], {});
			expect(parseResult(json.stdout)).toMatchObject({content: text, reasoning: text});
			const lines = await runAgainst(reply, ['-o', 'jsonl'], {});
			expect(parseLines(lines.stdout).at(-1)).toMatchObject({content: text});
			for (const {stdout} of [json, lines]) expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
		},
	);

	test('stdout has no bytes of ours, whatever stderr is', async () => {
		const reply = streamReply([{reasoning: 'Hm.'}, '# Title', ' **bold**']);
		for (const options of [{}, {terminals: ['stderr']} as const]) {
			const run = await runAgainst(reply, ['--reasoning', 'show', '-u'], options);
			expect(run.stdout).toBe('# Title **bold**\n');
			expect(run.stderr).not.toContain('\x1b');
		}
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
