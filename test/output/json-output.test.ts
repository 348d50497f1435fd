import {describe, expect, test} from 'vitest';
import {parseLines, parseResult} from '../helpers/json-output.ts';
import {errorReply, streamReply, wholeReply} from '../helpers/replies.ts';
import {runAgainst} from '../helpers/run-against.ts';
import {runChat} from '../helpers/run-chat.ts';
import {startRecording} from '../helpers/start-service.ts';

const usage = {prompt_tokens: 3, completion_tokens: 5, total_tokens: 8, cost: {eur: 0.1}};
const reply = streamReply([{reasoning: 'Hm.'}, 'Hi', ' – “你好” \u{1f600}'], {usage});

describe('--output json', () => {
	test('is one object with everything', async () => {
		const run = await runAgainst(reply, ['-o', 'json']);
		const {timing, ...result} = parseResult(run.stdout);
		expect(result).toEqual({
			id: 'chatcmpl-1',
			model: 'model-1',
			created: 1_700_000_000,
			content: 'Hi – “你好” \u{1f600}',
			refusal: null,
			reasoning: 'Hm.',
			tool_calls: [],
			finish_reason: 'stop',
			usage,
			total_usage: usage,
			cost: null,
			sources: [],
			quotes: null,
			seams: [],
			extra: null,
			complete: true,
			error: null,
			notices: [],
			steps: 1,
			attempts: 1,
			service: run.service,
			wire: 'chat',
			session: null,
		});
		expect(timing.total_ms).toBeGreaterThanOrEqual(timing.first_token_ms ?? Number.NaN);
		expect(run).toMatchObject({stderr: '', exitCode: 0});
	});

	test('has null for what the service did not send', async () => {
		const bare = 'data: {"choices":[{"index":0,"delta":{"content":"Hi."}}]}\n\n';
		const {stdout} = await runAgainst(
			{...streamReply([]), bodyChunks: [bare, 'data: [DONE]\n\n']},
			['-o', 'json'],
		);
		expect(parseResult(stdout)).toMatchObject({
			id: '',
			created: null,
			finish_reason: null,
			usage: null,
			content: 'Hi.',
			complete: true,
		});
	});

	test('of a refusal keeps its text apart from the content', async () => {
		const refusal = wholeReply({refusal: 'I cannot do that.'});
		for (const format of ['json', 'jsonl']) {
			const run = await runAgainst(refusal, ['-q', '-o', format]);
			const result = JSON.parse(run.stdout.trimEnd().split('\n').at(-1) ?? '');
			expect(result).toMatchObject({
				content: '',
				refusal: 'I cannot do that.',
				complete: true,
				error: null,
				finish_reason: 'stop',
			});
			expect(run.stderr).toBe('chat: the model refused: I cannot do that.\n');
			expect(run.exitCode).toBe(79);
		}
	});

	test.each(['length', 'content_filter'])(
		'of an answer cut by %s is complete, with a notice and no error',
		async (finishReason) => {
			const run = await runAgainst(streamReply(['Hi'], {finishReason}), ['-o', 'json']);
			expect(parseResult(run.stdout)).toMatchObject({
				content: 'Hi',
				complete: true,
				error: null,
				finish_reason: finishReason,
				notices: [{code: finishReason.replace('_', '-')}],
			});
			expect(run.stderr).toMatch(/^chat: the answer was cut off [^\n]*\n$/);
			expect(run.exitCode).toBe(79);
		},
	);

	test('has the other parts of a reply, for which text output has a notice', async () => {
		const reply = wholeReply({text: 'Hi.'});
		const [body] = reply.bodyChunks ?? [];
		const images = [{type: 'image_url', image_url: {url: 'data:image/png;base64,AAAA'}}];
		const more = `"images":${JSON.stringify(images)},"role"`;
		const shown = {...reply, bodyChunks: [String(body).replace('"role"', more)]};
		for (const format of ['json', 'jsonl']) {
			const {stdout} = await runAgainst(shown, ['-o', format]);
			const result = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
			expect(result).toMatchObject({extra: {images}, notices: [{code: 'not-text'}]});
		}
		expect(await runAgainst(shown, [])).toMatchObject({
			stdout: 'Hi.\n',
			stderr: 'chat: the reply also has images, which only JSON output shows\n',
			exitCode: 0,
		});
	});

	test('of a refused request has its status, code, id and next step', async () => {
		const refusal = errorReply(401, 'Who are you?', {'x-request-id': 'req-1'});
		const {stdout} = await runAgainst(refusal, ['-o', 'json']);
		expect(parseResult(stdout).error).toMatchObject({
			kind: 'auth',
			message: expect.stringContaining('Who are you?'),
			status: 401,
			code: 'some_code',
			request_id: 'req-1',
			hint: expect.stringContaining('chat auth set --base-url http://127.0.0.1:'),
			retryable: false,
		});
	});

	test('of an interrupted run keeps the partial text', async () => {
		let send = () => {};
		const run = await runAgainst(streamReply(['Half'], {end: 'stall'}), ['-o', 'jsonl'], {
			onListening(interrupt) {
				send = () => interrupt('SIGINT');
			},
			onStdout: (text) => text.includes('Half') && send(),
		});
		const last = parseLines(run.stdout).at(-1);
		expect(last).toMatchObject({
			type: 'result',
			content: 'Half',
			complete: false,
			error: {kind: 'interrupted'},
		});
		expect(run.exitCode).toBe(130);
	});
});

describe('--output jsonl', () => {
	test('prints every event, and the result last', async () => {
		const call = {id: 'call_1', name: 'clock', arguments: '{"zone":"UTC"}'};
		const {stdout} = await runAgainst(
			streamReply([{reasoning: 'Hm.'}, 'Hi', {call}], {finishReason: 'tool_calls', usage}),
			['-o', 'jsonl'],
		);
		const lines = parseLines(stdout);
		expect(lines.map(({type}) => type)).toEqual([
			'step-start',
			'reasoning-delta',
			'text-delta',
			'tool-call-start',
			'tool-call-delta',
			'tool-call',
			'step-end',
			'turn-end',
			'result',
		]);
		expect(lines).toContainEqual({type: 'tool-call', ...call, runnable: true});
		expect(lines).toContainEqual({
			type: 'step-end',
			finish_reason: 'tool_calls',
			usage,
			sources: [],
			extra: null,
		});
		expect(lines.at(-1)).toMatchObject({content: 'Hi', tool_calls: [{...call, runnable: true}]});
	});

	test('comes line by line, while the answer is written', async () => {
		let isEarly = false;
		const slow = {...streamReply(['one', ' two']), chunkDelayMs: 15};
		await runAgainst(slow, ['-o', 'jsonl'], {
			onStdout(text) {
				isEarly ||= text.includes('"one"') && !text.includes('" two"');
			},
		});
		expect(isEarly).toBe(true);
	});

	test('ends in an error and the result when the stream is cut', async () => {
		const {stdout} = await runAgainst(streamReply(['Hi'], {end: 'reset'}), ['-o', 'jsonl']);
		expect(parseLines(stdout).map(({type}) => type)).toEqual([
			'step-start',
			'text-delta',
			'error',
			'result',
		]);
	});

	test('has a notice for each retry before the step starts', async () => {
		const {variables} = await startRecording(
			errorReply(500, 'Oops.', {'retry-after-ms': '1'}),
			streamReply(['Hi.']),
		);
		const {stdout, stderr} = await runChat(['-o', 'jsonl', 'p'], {variables});
		const [first, second] = parseLines(stdout);
		expect(first).toMatchObject({type: 'notice', code: 'retry'});
		expect(second).toMatchObject({type: 'step-start', attempts: 2});
		expect(stderr).toBe('');
	});

	test('of the built-in service keeps the grammar for every kind of answer', async () => {
		for (const prompt of ['count to 5', 'Show me every Markdown construct']) {
			const {stdout, exitCode} = await runChat(['-o', 'jsonl', prompt]);
			const lines = parseLines(stdout);
			expect(lines.filter(({type}) => type === 'reasoning-delta').length).toBeGreaterThan(0);
			expect(exitCode).toBe(0);
		}
	});
});
