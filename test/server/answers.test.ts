import {describe, expect, test} from 'vitest';
import {ask, serveAll} from './helpers/service.ts';

const service = serveAll();

const table: ReadonlyArray<readonly [prompt: string, answer: string]> = [
	['say pong', 'pong'],
	['Reply with exactly: PONG', 'PONG'],
	['echo "hello  world"', 'hello  world'],
	['repeat banana 3 times', 'banana banana banana'],
	['Repeat the following text:\nline one\n\nline two', 'line one\n\nline two'],
	['count to 5', '1, 2, 3, 4, 5'],
	['a list of 2 items', '- Item 1\n- Item 2'],
];

describe('an answer by rule', () => {
	test.each(table)('%j', async (prompt, answer) => {
		expect(await ask(service.url, prompt)).toBe(answer);
	});

	test('says what the service is, and that it is not a model', async () => {
		expect(await ask(service.url, 'what can you do?')).toMatch(
			/not a language model\. I can:\n\n- recall/,
		);
		expect(await ask(service.url, 'Hello')).toMatch(
			/^You wrote “Hello”: 1 word, 5 characters, fingerprint [\da-f]{8}\.\n\nI am the built-in service/,
		);
	});

	test('is for the last part that says something, after the reminders of a client', async () => {
		const reminder = 'This is the context for our chat:\nToday is Sunday.\n\nSay nothing of it.';
		const parts = [reminder, 'say pong', '\n'].map((text) => ({type: 'text', text}));
		expect(await ask(service.url, parts)).toBe('pong');
	});

	test('describes files and text', async () => {
		const files = '<file name="a.txt">\nx\ny\n</file>\n\n<file name="b.txt">z</file>';
		const answer = await ask(service.url, `${files}\n\none two\nthree\n\nsummarize`);
		expect(answer.replace(/fingerprint [\da-f]{8}/g, 'fingerprint …')).toBe(
			[
				'You wrote “summarize”. I received:',
				'',
				'- `a.txt`: 2 lines, 2 words, 3 bytes, fingerprint …, beginning with “x”',
				'- `b.txt`: 1 line, 1 word, 1 byte, fingerprint …, beginning with “z”',
				'- Text: 2 lines, 3 words, 13 bytes, fingerprint …, beginning with “one two”',
			].join('\n'),
		);
	});

	test('of two unknown prompts differs, and quotes them', async () => {
		const prompts = ['日本の首都はどこですか', 'x'.repeat(5_000), `${'x'.repeat(5_000)}y`];
		const answers = await Promise.all(prompts.map((prompt) => ask(service.url, prompt)));
		expect(new Set(answers).size).toBe(prompts.length);
		for (const [index, answer] of answers.entries()) {
			expect(answer).toContain(prompts[index]?.slice(0, 200));
		}
	});

	test('every construct of Markdown is there on request', async () => {
		const text = await ask(service.url, 'show me every markdown construct');
		for (const piece of ['# One', '**bold**', '1. First', '| ---', '```python', '[^1]']) {
			expect(text).toContain(piece);
		}
		expect(await ask(service.url, 'give me a table with 30 rows')).toMatch(/\| 30 \| Row 30 \|/);
		expect(await ask(service.url, 'write code in python and rust')).toMatch(
			/```python[\s\S]*```rust/,
		);
		expect((await ask(service.url, 'show me 3 code blocks')).match(/^```\w/gm)).toHaveLength(3);
	});
});

test.each([
	['what did I say first?', 'First you said: “first words”'],
	['what did I say before?', 'Before this you said: “more”'],
])('a conversation is remembered: %s', async (question, answer) => {
	const turns = ['first words', 'a', 'more', 'b', question];
	const messages = turns.map((content, index) => ({
		role: index % 2 === 0 ? 'user' : 'assistant',
		content,
	}));
	expect(await ask(service.url, '', {messages})).toBe(answer);
});

test('the parameters of a request are described on request', async () => {
	const answer = await ask(service.url, '', {
		messages: [
			{role: 'system', content: 'Be a pirate'},
			{role: 'user', content: 'what parameters did you receive?'},
		],
		temperature: 0.3,
		top_p: 0.9,
		max_tokens: 500,
		tools: [{type: 'function', function: {name: 'get_weather'}}],
		tool_choice: 'none',
	});
	for (const line of [
		...['`model`: MODEL-5.6-luna', '`temperature`: 0.3', '`top_p`: 0.9', '`max_tokens`: 500'],
		...['`tools`: get_weather', '`tool_choice`: none', 'Be a pirate'],
		...['`messages`: 2 (system, user)'],
	]) {
		expect(answer).toContain(line);
	}
});

describe('JSON mode', () => {
	const format = {response_format: {type: 'json_object'}};

	test('answers in an object that depends on the prompt', async () => {
		expect(JSON.parse(await ask(service.url, 'count to 3', format))).toEqual({
			answer: '1, 2, 3',
			rule: 'count',
			prompt: 'count to 3',
		});
	});

	test('fits the schema of the request, also beside json_object', async () => {
		const schema = {
			type: 'object',
			properties: {city: {type: 'string'}, days: {type: 'integer', minimum: 1}},
			required: ['city', 'days'],
		};
		for (const response_format of [
			{type: 'json_schema', json_schema: {name: 'trip', schema, strict: true}},
			{type: 'json_object', schema},
		]) {
			const answer = await ask(service.url, 'Plan 3 days in Rome.', {response_format});
			expect(JSON.parse(answer)).toEqual({city: 'Rome', days: 3});
		}
	});
});

describe('a request made to be slow', () => {
	test.each(['count ', '{', 'think hard '])('is answered: %j again and again', async (unit) => {
		for (const length of [1_990, 100_000]) {
			const prompt = unit.repeat(Math.ceil(length / unit.length));
			const tools = [{type: 'function', function: {name: 'f'}}];
			expect(await ask(service.url, prompt, {tools})).not.toBe('');
		}
	});
});
