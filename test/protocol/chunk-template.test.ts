import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createChunkTemplate} from '../../src/protocol/chat-completions/chunk-template.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {decodeText, summarize} from './decode-bytes.ts';

const chunk = (content: string, fields: object = {}) =>
	JSON.stringify({
		id: 'content',
		choices: [{index: 0, delta: {role: 'assistant', content}, finish_reason: null}],
		...fields,
	});

function learn(json: string) {
	const template = createChunkTemplate();
	template.learn(json, JSON.parse(json));
	return template;
}

describe('a chunk that differs only in its text', () => {
	it.each(['', ' "}\\\n\u2028é😀'])('has %j read', (text) => {
		expect(learn(chunk('a')).match(chunk(text))).toBe(text);
	});
});

describe('a chunk is parsed whole', () => {
	it.each([
		['has another id', chunk('b', {id: 'other'})],
		['ends its text early', chunk('X').replace('X', 'b","refusal":"c')],
		['has a text that is not valid JSON', chunk('X').replace('X', 'a\nb')],
	])('when it %s', (_, json) => {
		expect(learn(chunk('a')).match(json)).toBeUndefined();
	});

	it.each([
		['calls', {choices: [{delta: {tool_calls: [{}]}}]}],
		['text and reasoning', {choices: [{delta: {content: 'a', reasoning: 'b'}}]}],
		['several choices', {choices: [{delta: {content: 'a'}}, {delta: {content: 'b'}}]}],
		['probabilities', {choices: [{delta: {content: 'a'}, logprobs: {content: [1]}}]}],
	])('after one with %s', (_, value) => {
		const json = JSON.stringify(value);
		expect(learn(json).match(json)).toBeUndefined();
	});

	it('after one whose text occurs elsewhere in it', () => {
		const other = chunk('content', {id: 'other'});
		expect(learn(chunk('content')).match(other)).toBeUndefined();
	});

	it('when a service gives every chunk another form', () => {
		const template = createChunkTemplate();
		const learnIds = (count: number) => {
			for (let id = 0; id < count; id++) {
				const json = chunk('a', {id});
				template.learn(json, JSON.parse(json));
			}
		};
		learnIds(16);
		expect(template.match(chunk('b', {id: 15}))).toBe('b');
		learnIds(17);
		expect(template.match(chunk('b', {id: 16}))).toBeUndefined();
	});
});

describe('chunks that repeat each other', () => {
	const text = fc.constantFrom('a', ' b', '"', '\\', '\n', '', 'é', '\ud83d', '\ude00', '</think>');
	const plain = text.map((content) => ({choices: [{index: 0, delta: {content}}]}));
	const other = fc.constantFrom(
		{choices: [{delta: {content: 'x'}, finish_reason: 'stop'}], usage: {total_tokens: 1}},
		{choices: [{delta: {content: 'x'}, logprobs: {content: [1]}}]},
		{choices: [{delta: {content: 'x'}}, {index: 1, delta: {content: 'y'}}]},
		{choices: [{delta: {reasoning: 'x'}}], service_tier: 'a'},
		{choices: [{delta: {content: 'x'}}], service_tier: 'b'},
		{choices: [{delta: {tool_calls: [{id: 'a', function: {name: 'f', arguments: '{}'}}]}}]},
		{choices: []},
	);

	fuzzProperty(
		'mean what chunks of different forms mean',
		100,
		fc.property(fc.array(fc.oneof({weight: 4, arbitrary: plain}, other)), (chunks) => {
			const events = (indent: (index: number) => number) => {
				const lines = chunks.map(
					(item, index) => `${' '.repeat(indent(index))}{"a":1,${JSON.stringify(item).slice(1)}`,
				);
				return summarize(decodeText(lines.map((line) => `data: ${line}\n\n`).join('')));
			};
			expect(events(() => 0)).toEqual(events((index) => (index % 2) + 1));
		}),
	);
});
