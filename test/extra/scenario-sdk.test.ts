/** Scripted faults as the official SDK meets them. */
import OpenAI from 'openai';
import {describe, expect, test} from 'vitest';
import {play} from '../server/helpers/scenario.ts';
import {countReplies, type Reply, until} from '../server/helpers/service.ts';

const messages = [{role: 'user' as const, content: 'hello'}];
const request = {model: 'MODEL-5.6-luna', messages};

async function connect(yaml: string, options: {maxRetries?: number; timeout?: number} = {}) {
	const {url} = await play(yaml);
	const client = new OpenAI({
		baseURL: `${url}/v1`,
		apiKey: 'any',
		maxRetries: 0,
		logLevel: 'off',
		...options,
	});
	const readStream = async () => {
		let text = '';
		for await (const chunk of await client.chat.completions.create({...request, stream: true})) {
			text += chunk.choices[0]?.delta.content ?? '';
		}
		return text;
	};
	return {url, readStream, create: () => client.chat.completions.create(request), client};
}

async function readAttempts(url: string): Promise<number> {
	const response = await fetch(`${url}/requests`);
	return ((await response.json()) as Reply).data.length;
}

describe('the official SDK', () => {
	test.each([
		[400, OpenAI.BadRequestError],
		[401, OpenAI.AuthenticationError],
		[403, OpenAI.PermissionDeniedError],
		[404, OpenAI.NotFoundError],
		[422, OpenAI.UnprocessableEntityError],
		[429, OpenAI.RateLimitError],
		[503, OpenAI.InternalServerError],
	])('raises its own error for the status %d', async (status, type) => {
		const {create} = await connect(
			`replies: [{fault: {status: ${status}, body: {error: {message: no, code: c1}}}}]`,
		);
		const error = await create().catch((failure: unknown) => failure);
		expect(error).toBeInstanceOf(type);
		expect(error).toMatchObject({status, code: 'c1', message: `${status} no`});
	});

	test('waits as long as the service asks, then retries', async () => {
		const {create, url} = await connect(
			'replies: [{times: 1, fault: {status: 429, retry_after: 1s}}, {reply: ok}]',
			{maxRetries: 1},
		);
		const start = performance.now();
		expect((await create()).choices[0]?.message.content).toBe('ok');
		expect(performance.now() - start).toBeGreaterThan(950);
		expect(await readAttempts(url)).toBe(2);
	});

	test('tries again after a connection that closed without a response', async () => {
		const {create, url} = await connect(
			'replies: [{times: 1, fault: {close_before_head: reset}}, {reply: ok}]',
			{maxRetries: 1},
		);
		expect((await create()).choices[0]?.message.content).toBe('ok');
		expect(await readAttempts(url)).toBe(2);
	});

	test.each(['fin', 'reset'])('fails in a stream that is cut by %s', async (how) => {
		const {readStream} = await connect(
			`replies: [{reply: one two three, fault: {cut: {after_events: 3, how: ${how}}}}]`,
		);
		await expect(readStream()).rejects.toThrow();
	});

	test('takes a stream that ends too early, but well, for a whole one', async () => {
		const {readStream} = await connect(
			'replies: [{reply: one two three, fault: {cut: {after_events: 3, how: end}}}]',
		);
		expect(await readStream()).toBe('one two');
	});

	test('fails at an event that is malformed, and at one that is an error', async () => {
		const malformed = await connect('replies: [{reply: a b c, fault: {malformed: {event: 3}}}]');
		await expect(malformed.readStream()).rejects.toThrow(SyntaxError);
		const failed = await connect('replies: [{reply: a b c, fault: {error: {after_events: 2}}}]');
		await expect(failed.readStream()).rejects.toThrow(OpenAI.APIError);
	});

	test('can leave a stream that stalls, and the service notices', async () => {
		const {client, url} = await connect(
			'replies: [{reply: one two three, fault: {stall: {after_events: 3}}}]',
		);
		const leave = new AbortController();
		const stream = await client.chat.completions.create(
			{...request, stream: true},
			{signal: leave.signal},
		);
		let text = '';
		for await (const chunk of stream) {
			text += chunk.choices[0]?.delta.content ?? '';
			if (text === 'one two') leave.abort();
		}
		await until(async () => (await countReplies(url)) === 0);
	});

	test('gives up on a reply that does not begin in time', async () => {
		const {create} = await connect('replies: [{reply: ok, fault: {delay: 10s}}]', {timeout: 100});
		await expect(create()).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
	});

	test('can leave a reply that stalls after its head', async () => {
		const {client, url} = await connect('replies: [{reply: ok, fault: {stall: {after_bytes: 9}}}]');
		const leave = new AbortController();
		const reply = client.chat.completions.create(request, {signal: leave.signal});
		const failed = expect(reply).rejects.toThrow();
		await until(async () => (await countReplies(url)) === 1);
		leave.abort();
		await failed;
		await until(async () => (await countReplies(url)) === 0);
	});

	test('builds a message of odd chunks, calls and comments', async () => {
		const {client} = await connect(`
replies:
  - reply:
      chunks:
        - ""
        - {content: null}
        - {tool_calls: [{index: 0, id: call_1, type: function, function: {name: f, arguments: '{'}}]}
        - {tool_calls: [{index: 0, function: {arguments: '}'}}]}
    fault: {keep_alive_comments: 10ms, stall: {after_events: 2, for: 40ms}}`);
		const stream = client.chat.completions.stream(request);
		const [choice] = (await stream.finalChatCompletion()).choices;
		expect(choice?.finish_reason).toBe('tool_calls');
		expect(choice?.message.tool_calls).toMatchObject([
			{id: 'call_1', function: {name: 'f', arguments: '{}'}},
		]);
	});
});
