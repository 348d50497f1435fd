import {describe, expect, test} from 'vitest';
import {dataUrl, makeSolidPng} from './helpers/images.ts';
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
		const plain = JSON.parse(await ask(service.url, 'count to 3', format));
		expect(plain).toMatchObject({answer: '1, 2, 3', prompt: 'count to 3'});
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

const sol = {model: 'MODEL-5.6-sol'};
const red = dataUrl('image/png', makeSolidPng(4, 3, [255, 0, 0]));

function imagePart(url: string) {
	return {type: 'image_url', image_url: {url}};
}

describe('attachments', () => {
	test('are described by type, size and fingerprint, and addresses are not fetched', async () => {
		const parts = [
			{type: 'text', text: 'compare'},
			imagePart(red),
			imagePart('http://127.0.0.1:1/cat.png'),
			{
				type: 'file',
				file: {filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjcKJSVFT0YK'},
			},
			{type: 'file', file: {file_id: 'file-1'}},
			{type: 'input_audio', input_audio: {data: 'UklGRiQAAABXQVZFZm10IA==', format: 'wav'}},
		];
		const answer = await ask(service.url, parts, sol);
		expect(answer.replace(/fingerprint [\da-f]{12}/g, 'fingerprint …')).toBe(
			[
				'You wrote “compare”. I received:',
				'',
				'- Image: PNG, 4 x 3 pixels, 73 bytes, fingerprint …',
				'- Image: http://127.0.0.1:1/cat.png, which is not fetched',
				'- File: a.pdf, application/pdf, 15 bytes, fingerprint …',
				'- File: id file-1, which is not fetched',
				'- Audio: WAV audio, 16 bytes, fingerprint …',
			].join('\n'),
		);
	});

	test.each([
		['gif', 'GIF89a\n\0\x2c\x01\0\0\0', 'GIF, 10 x 300 pixels'],
		['jpeg', '\xff\xd8\xff\xe0\0\x04\0\0\xff\xc2\0\x11\b\0\x07\0\x09\x03', 'JPEG, 9 x 7 pixels'],
		[
			'webp',
			`RIFF\x64\0\0\0WEBPVP8X\n\0\0\0\x10\0\0\0\xff\0\0\x2b\x01\0`,
			'WEBP, 256 x 300 pixels',
		],
		['webp', `RIFF\x64\0\0\0WEBPVP8L....\x2f\x08\x80\x01\0`, 'WEBP, 9 x 7 pixels'],
		['png', '\x89PNG\r\n\x1a\n', 'PNG, unknown size'],
	])('have the size that the header of a %s has', async (type, content, described) => {
		const image = dataUrl(`image/${type}`, Buffer.from(content, 'latin1'));
		expect(await ask(service.url, [imagePart(image)], sol)).toContain(`- Image: ${described}, `);
	});
});
