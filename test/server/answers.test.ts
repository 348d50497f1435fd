import {Ajv} from 'ajv';
import {describe, expect, test} from 'vitest';
import {ask, bodyOf, complete, converse, serve} from './helpers/service.ts';

const table: ReadonlyArray<readonly [prompt: string, answer: string]> = [
	['say pong', 'pong'],
	['Reply with exactly: PONG', 'PONG'],
	['Please reply with the single word: pong.', 'pong'],
	['echo "hello  world"', 'hello  world'],
	['Say hi and nothing else', 'hi'],
	['repeat the word banana 3 times', 'banana banana banana'],
	['Repeat the following text:\nline one\n\nline two', 'line one\n\nline two'],
	['count to 5', '1, 2, 3, 4, 5'],
	['count from 3 to 1', '3, 2, 1'],
	['count down from 3', '3, 2, 1'],
	['a\nb\n\ncount the lines', 'The text has 2 lines.'],
	['a\nb\n\n\ncount the lines', 'The text has 2 lines.'],
	['one two\nthree\n\nHow many words and lines are there?', 'The text has 2 lines and 3 words.'],
	['Count the words:\none two three', 'The text has 3 words.'],
	['How many words are in "the quick brown fox"?', '“the quick brown fox” has 4 words.'],
	["how many r's are in strawberry?", 'There are 3 “r” in “strawberry”.'],
	['<file name="a.txt">\nx\ny\n</file>\n\ncount the lines', '`a.txt` has 2 lines.'],
	['what is 17 * 23?', '17 * 23 = 391'],
	['What is 15% of 80?', '15 / 100 * 80 = 12'],
	['Please tell me what 0.1 + 0.2 is', '0.1 + 0.2 = 0.3'],
	['calculate (1 + 2) * -3 ^ 2', '(1 + 2) * -3 ^ 2 = -27'],
	['what is 10 divided by 4?', '10 / 4 = 2.5'],
	['17 % 5', '17 % 5 = 2'],
	['what is 1/0?', '1/0 has no value: it divides by zero.'],
	['a list of 2 items', '- Item 1\n- Item 2'],
];

describe('an answer by rule', () => {
	test.each(table)('%j', async (prompt, answer) => {
		const {url} = await serve();
		expect(await ask(url, prompt)).toBe(answer);
	});

	test('says what it is when asked, and when greeted', async () => {
		const {url} = await serve();
		for (const prompt of ['Hello', 'Who are you?', 'are you a language model?']) {
			expect(await ask(url, prompt)).toContain('answer by rule');
		}
	});

	test('is for the last part that says something, after the reminders of a client', async () => {
		const {url} = await serve();
		const reminder = 'This is the context for our chat:\nToday is Sunday.\n\nSay nothing of it.';
		const parts = [reminder, 'say pong', '\n'].map((text) => ({type: 'text', text}));
		expect(await ask(url, parts)).toBe('pong');
		const asked = [reminder, 'count the lines'].map((text) => ({type: 'text', text}));
		expect(await ask(url, asked)).toBe('The text has 4 lines.');
	});

	test('several files are counted one by one and together', async () => {
		const {url} = await serve();
		const files = '<file name="a.txt">x\ny</file>\n<file name="b.txt">z</file>';
		const answer = await ask(url, `${files}\n\ncount the lines`);
		expect(answer).toBe('`a.txt` has 2 lines.\n`b.txt` has 1 line.\nTogether: 3 lines.');
		const described = await ask(url, `${files}\n\nfrom stdin\n\nsummarize`);
		expect(described).toMatch(
			/`a\.txt`: 2 lines[\s\S]*`b\.txt`: 1 line[\s\S]*attached text: 1 line/,
		);
	});

	test('two prompts it has never seen get two answers that depend on them', async () => {
		const {url} = await serve();
		const prompts = [
			'Who painted this?',
			'Who wrote it?',
			'日本の首都はどこですか',
			'Qué hora es',
			'x'.repeat(5_000),
			`${'x'.repeat(5_000)}y`,
		];
		const answers = await Promise.all(prompts.map((prompt) => ask(url, prompt)));
		expect(new Set(answers).size).toBe(prompts.length);
		for (const [index, answer] of answers.entries()) {
			expect(answer).toContain(prompts[index]?.slice(0, 200));
			expect(answer).toContain('answer by rule');
		}
	});

	test('words come in the number that was asked for, the same ones each time', async () => {
		const {url} = await serve();
		const text = await ask(url, 'write 20,000 words');
		expect(text.split(/\s+/)).toHaveLength(20_000);
		expect(await ask(url, 'write 20,000 words')).toBe(text);
		expect((await ask(url, 'lorem 7 words')).split(/\s+/)).toHaveLength(7);
	});

	test('every construct of Markdown is there on request', async () => {
		const {url} = await serve();
		const text = await ask(url, 'show me every markdown construct');
		for (const piece of [
			'# One',
			'**bold**',
			'1. First',
			'- [x]',
			'| ---',
			'> A quote',
			'```python',
			'](https://',
			'---\n',
			'[^1]',
		]) {
			expect(text).toContain(piece);
		}
		expect(await ask(url, 'give me a table with 30 rows')).toMatch(/\| 30 \| Row 30 \|/);
		expect(await ask(url, 'write code in python and rust')).toMatch(/```python[\s\S]*```rust/);
		expect((await ask(url, 'show me 3 code blocks')).match(/^```\w/gm)).toHaveLength(3);
	});
});

describe('a conversation', () => {
	test.each([
		[['My name is Ada', 'ok', 'What is my name?'], 'Your name is Ada.'],
		[['I am Bob', 'ok', 'who am I?'], 'Your name is Bob.'],
		[['My name is Ada', 'ok', 'my name is Eve', 'ok', "what's my name"], 'Your name is Eve.'],
		[
			['My favourite colour is teal.', 'ok', 'What is my favourite colour?'],
			'Your favourite colour is teal.',
		],
		[['Remember the code 1234', 'ok', 'What is the code?'], 'The code is 1234.'],
		[['Remember that tea is at 5', 'ok', 'What did I ask you to remember?'], 'tea is at 5'],
		[['What is my name?'], 'You have not told me your name in this conversation.'],
		[['first words', 'a', 'more', 'b', 'what did I say first?'], 'First you said: “first words”'],
		[['first words', 'a', 'more', 'b', 'what did I say before?'], 'Before this you said: “more”'],
		[['x', 'The *exact* answer', 'repeat your last answer'], 'The *exact* answer'],
	])('is remembered: %j', async (turns, answer) => {
		const {url} = await serve();
		expect(await converse(url, ...turns)).toBe(answer);
	});

	test('nothing is remembered across requests', async () => {
		const {url} = await serve();
		await ask(url, 'My name is Ada');
		expect(await ask(url, 'What is my name?')).toContain('not told me');
	});
});

describe('what the request says', () => {
	test('is described on request', async () => {
		const {url} = await serve();
		const answer = await ask(url, '', {
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
			'`model`: MODEL-5.6-luna',
			'`temperature`: 0.3',
			'`top_p`: 0.9',
			'`max_tokens`: 500',
			'`tools`: get_weather',
			'`tool_choice`: none',
			'Be a pirate',
			'`messages`: 2 (1 system, 1 user)',
		]) {
			expect(answer).toContain(line);
		}
	});

	test.each([
		['Answer in one word.', 'what is 17 * 23?', '391'],
		['Write in capitals.', 'say hello', 'HELLO'],
		['End every answer with "over".', 'say hello', 'hello over'],
		['Always reply with "no".', 'what is 1 + 1?', 'no'],
	])('the system message %j is obeyed', async (system, prompt, answer) => {
		const {url} = await serve();
		const messages = [
			{role: 'system', content: system},
			{role: 'user', content: prompt},
		];
		expect(await ask(url, '', {messages})).toBe(answer);
	});
});

describe('reasoning', () => {
	test('is there for sol only, and names the rule', async () => {
		const {url} = await serve();
		for (const tier of ['sol', 'terra', 'luna']) {
			const {message} = (await complete(url, bodyOf('what is 2 + 2?', {model: `M-5.6-${tier}`})))
				.choices[0];
			expect('reasoning_content' in message).toBe(tier === 'sol');
			if (tier === 'sol') expect(message.reasoning_content).toMatch(/calculate[\s\S]*\./);
		}
	});

	test('is longer when asked to think', async () => {
		const {url} = await serve();
		const think = async (prompt: string): Promise<string> =>
			(await complete(url, bodyOf(prompt, {model: 'M-5.6-sol'}))).choices[0].message
				.reasoning_content;
		const short = await think('what is 2 + 2?');
		const long = await think('think step by step: what is 2 + 2?');
		expect(long.length).toBeGreaterThan(short.length * 2);
		expect((await think('think for 400 words, then say hi')).split(/\s+/).length).toBeGreaterThan(
			400,
		);
	});
});

describe('JSON mode', () => {
	const format = {response_format: {type: 'json_object'}};
	const json = async (prompt: string) => {
		const {url} = await serve();
		return JSON.parse(await ask(url, prompt, format));
	};

	test('answers in an object that depends on the prompt', async () => {
		expect(await json('what is 17 * 23?')).toMatchObject({answer: 391, rule: 'calculate'});
		expect((await json('hello')).answer).toBe('Hello!');
		expect((await json('Who won?')).prompt).toBe('Who won?');
	});

	test('fills the keys that the prompt names', async () => {
		const value = await json('Describe a user as JSON with keys "name", "age" and "email".');
		expect(Object.keys(value)).toEqual(['name', 'age', 'email']);
		expect(value.age).toBeTypeOf('number');
		expect(value.email).toContain('@');
	});

	test('fills a schema that stands in the prompt', async () => {
		const schema = {
			type: 'object',
			properties: {city: {type: 'string'}, days: {type: 'integer', minimum: 3}},
			required: ['city', 'days'],
		};
		const value = await json(
			`Plan a trip to Rome. Answer by this JSON Schema: ${JSON.stringify(schema)}`,
		);
		expect(value).toEqual({city: 'Rome', days: 3});
	});

	test.each([
		{
			type: 'object',
			properties: {city: {type: 'string'}, days: {type: 'integer', minimum: 1}},
			required: ['city', 'days'],
			additionalProperties: false,
		},
		{type: 'array', items: {type: 'number'}, minItems: 2},
		{enum: ['yes', 'no']},
	])('fits the schema of the request: %j', async (schema) => {
		const {url} = await serve();
		const named = {type: 'json_schema', json_schema: {name: 'trip', schema, strict: true}};
		const prompt = 'Plan a trip to Rome for 3 days.';
		const {choices} = await complete(url, bodyOf(prompt, {response_format: named}));
		const validate = new Ajv({strict: false}).compile(schema);
		expect(validate(JSON.parse(choices[0].message.content))).toBe(true);
	});

	test('fits a schema beside json_object too', async () => {
		const {url} = await serve();
		const schema = {type: 'object', properties: {days: {type: 'integer'}}, required: ['days']};
		const response_format = {type: 'json_object', schema};
		expect(JSON.parse(await ask(url, 'Rome for 3 days', {response_format}))).toEqual({days: 3});
	});

	test('is cut by the limit as text is', async () => {
		const {url} = await serve();
		const {choices} = await complete(url, bodyOf('hello', {...format, max_tokens: 4}));
		expect(choices[0].finish_reason).toBe('length');
	});
});

test('a long hostile message costs no more than reading it', async () => {
	const {url} = await serve();
	const start = performance.now();
	for (const unit of [
		'what is my ',
		'count the ',
		'1 + ',
		'(',
		'"',
		'in A, and A ',
		' \n',
		'{',
		'say ',
	]) {
		for (const length of [1_990, 300_000]) {
			const prompt = unit.repeat(Math.ceil(length / unit.length));
			await ask(url, prompt, format(length));
		}
	}
	expect(performance.now() - start).toBeLessThan(4_000);
});

function format(length: number) {
	return length > 2_000 ? {response_format: {type: 'json_object'}} : {};
}

describe('a request made to be slow', () => {
	test('gets the first word of an answer that has none', async () => {
		const {url} = await serve();
		const messages = [
			{role: 'system', content: 'answer in one word'},
			{role: 'user', content: `say ${'-'.repeat(200_000)}`},
		];
		expect(await ask(url, '', {messages})).toBe('-'.repeat(200_000));
	});

	test('gets its results told, with arguments of nothing but space', async () => {
		const {url} = await serve();
		const called = {name: 'f', arguments: `${' '.repeat(300_000)}x`};
		const messages = [
			{role: 'user', content: 'x'},
			{role: 'assistant', tool_calls: [{id: 'a', type: 'function', function: called}]},
			{role: 'tool', tool_call_id: 'a', content: 'done'},
		];
		expect(await ask(url, '', {messages})).toMatch(/`f` for `.*` says: done$/);
	});

	test('gets its results told, however many there are', async () => {
		const {url} = await serve();
		const ids = Array.from({length: 20_000}, (_, index) => `c${index}`);
		const called = {name: 'f', arguments: '{}'};
		const messages = [
			{role: 'user', content: 'x'},
			{role: 'assistant', tool_calls: ids.map((id) => ({id, type: 'function', function: called}))},
			...ids.map((id) => ({role: 'tool', tool_call_id: id, content: id})),
		];
		expect(await ask(url, '', {messages})).toMatch(/- `f` says: c19999$/);
	});
});
