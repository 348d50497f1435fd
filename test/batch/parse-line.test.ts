import {describe, expect, test} from 'vitest';
import {type BatchLine, detectFormat, parseLine} from '../../src/batch/parse-line.ts';

test.each([
	['{"prompt": "a"}', 'lines'],
	[' {"prompt": ', 'lines'],
	['"Quoted" is a word', 'text'],
	['[1, 2] is a list', 'text'],
])('the first line decides about the file: %s', (line, format) => {
	expect(detectFormat(line)).toBe(format);
});

const system = {role: 'system', content: 'Be short.'};
const user = {role: 'user', content: 'Why?'};

function openAi(body: object, fields: object = {}): object {
	return {custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body, ...fields};
}

describe('a line', () => {
	test.each<[unknown, Partial<BatchLine>]>([
		['Why?', {id: 'line-3', prompt: 'Why?'}],
		[
			{prompt: 'Why?', id: 7},
			{id: '7', prompt: 'Why?'},
		],
		[
			{prompt: 'Why?', id: null, files: null},
			{id: 'line-3', prompt: 'Why?', files: undefined},
		],
		[{params: {a: 'x', b: 2, c: true}}, {params: {a: 'x', b: '2', c: 'true'}}],
		[
			{prompt: '', files: ['a.txt'], schema: 'age int'},
			{files: ['a.txt'], schema: 'age int'},
		],
		[
			openAi({model: 'terra', messages: [system, user], stream: true, top_k: 4}),
			{id: 'a', model: 'terra', system: 'Be short.', prompt: 'Why?', fields: {top_k: 4}},
		],
	])('has its fields: %j', (value, expected) => {
		expect(parseLine(JSON.stringify(value), 'lines', 3)).toMatchObject(expected);
	});

	test.each<[unknown, string]>([
		[7, 'the value must be an object'],
		[{promt: 'a'}, 'promt is not known; did you mean prompt?'],
		[{prompt: 7}, 'prompt must be a string, not a number'],
		[{files: ['a', 7]}, 'files[1] must be a string, not a number'],
		[{params: {a: []}}, 'params.a must be a string, a number or a boolean'],
		[openAi({messages: [user, user]}), 'must be system messages and one user message'],
		[openAi({messages: [user]}, {url: '/v1/embeddings'}), 'url must be "/v1/chat/completions"'],
	])('names the mistaken field: %j', (value, message) => {
		expect(() => parseLine(JSON.stringify(value), 'lines', 3)).toThrow(message);
	});

	test('names the column of a mistake in the JSON', () => {
		expect(() => parseLine('{"prompt" "a"}', 'lines', 3)).toThrow(
			'is not valid JSON: column 11: expected a colon',
		);
	});
});
