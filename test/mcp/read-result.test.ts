/** The results of a server as parts. */
import {describe, expect, test} from 'vitest';
import {readPrompt, readResource, readToolResult} from '../../src/mcp/read-result.ts';
import {costOf, expectCost} from '../helpers/cost.ts';

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const png = base64('\x89PNG\r\n\x1a\n0000');
const pdf = base64('%PDF-1.7 0000');
const wav = base64('RIFF0000WAVEfmt ');

/** Returns the texts of a result with these blocks. */
function textsOf(...content: readonly unknown[]) {
	const {parts} = readToolResult(JSON.parse(JSON.stringify({content})));
	return parts.map((part) => (part.type === 'text' ? part.text : part.type));
}

describe('a result', () => {
	const media = (type: string, mimeType: string, data: string) => ({type, mimeType, data});
	const embedded = (resource: object) => ({type: 'resource', resource});
	const link = {type: 'resource_link', uri: 'file:///a', name: 'A', description: 'B'};
	test.each([
		['a text', {type: 'text', text: 'hi'}, 'hi'],
		['an image with the wrong type', media('image', 'image/gif', png), 'image'],
		['no image', media('image', 'image/png', base64('<html>')), '[image/png, 6 bytes]'],
		['broken data', media('image', 'image/png', '<>'), '[data that cannot be read]'],
		['a sound', media('audio', 'audio/wav', wav), '[wav audio, 16 bytes]'],
		['a link', link, '[a link to A, file:///a: B]'],
		['an embedded text', embedded({uri: 'a:b', text: 'inside'}), 'inside'],
		['a document', embedded({uri: 'file:///x/a.pdf', blob: pdf}), '[PDF, 13 bytes: a.pdf]'],
		[
			'embedded data',
			embedded({uri: 'a:b', mimeType: 'application/zip', blob: base64('PK')}),
			'[application/zip, 2 bytes: a:b]',
		],
		['something unknown', {type: 'hologram'}, '[hologram]'],
		['something without a type', {}, '[unknown content]'],
	])('with %s', (_name, block, text) => {
		expect(textsOf(block)).toEqual([text]);
	});

	test('without content says so', () => {
		for (const result of [{content: []}, {}, null, {content: [{type: 'text', text: ''}]}]) {
			expect(readToolResult(result).parts).toEqual([{type: 'text', text: '[no output]'}]);
		}
	});
});

describe('structured content', () => {
	const partsOf = (texts: readonly string[], structuredContent: unknown) => {
		const content = texts.map((text) => ({type: 'text', text}));
		return readToolResult({content, structuredContent} as never).parts.map(({type}) => type);
	};

	test.each([
		['in another order', ['{"b":1,"a":2}'], {a: 2, b: 1}],
		['as a text that had to be wrapped', ['the content'], {content: 'the content'}],
		['as a list that had to be wrapped', ['[1,2]'], {result: [1, 2]}],
		['as texts of a list', ['one', 'two'], {result: ['one', 'two']}],
	])('is left out when the text says it, %s', (_name, texts, value) => {
		expect(partsOf(texts, value)).toEqual(texts.map(() => 'text'));
	});

	test('is added when the text says something else', () => {
		expect(partsOf(['2 results'], {result: [1, 2]})).toEqual(['text', 'json']);
		expect(partsOf([], {a: 1})).toEqual(['json']);
	});

	test('repeats no medium of the content', () => {
		const image = {type: 'image', mimeType: 'image/png', data: png};
		const resultWith = (structuredContent: unknown) =>
			readToolResult({content: [image], structuredContent}).parts.slice(1);
		expect(resultWith({content: [image]})).toEqual([]);
		expect(resultWith({width: 1, picture: {base64: png}})).toEqual([
			{type: 'json', value: {width: 1, picture: {base64: '[the data above]'}}},
		]);
	});

	test('that is a list in many lists costs no more than its length', {tags: ['cost']}, () => {
		const value = JSON.parse(`${'['.repeat(500)}1${']'.repeat(500)}`);
		const long = JSON.stringify(Array.from({length: 20_000}, (_, index) => ({index})));
		expect(partsOf([long], {result: value})).toEqual(['text', 'json']);
		const plain = costOf(() => partsOf([long], {result: 1}));
		expectCost(() => partsOf([long], {result: value}), 32 * plain);
	});

	test('that is nested too deep is left out', () => {
		for (const depth of [1000, 100_000]) {
			const value = JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
			expect(partsOf(['x'], value)).toEqual(['text']);
		}
	});
});

test('a prompt has the media of its messages', () => {
	const image = {type: 'image', mimeType: 'image/png', data: png};
	const messages = [
		{role: 'user', content: {type: 'text', text: 'Look:'}},
		{role: 'user', content: image},
	];
	expect(readPrompt({messages})).toEqual([
		{type: 'text', text: 'Look:'},
		{type: 'image', url: `data:image/png;base64,${png}`},
	]);
});

test('a resource may be a document or a sound', () => {
	const contents = [
		{uri: 'file:///x/a.pdf', blob: pdf},
		{uri: 'a:b', blob: wav},
	];
	expect(readResource({contents})).toEqual([
		{type: 'document', name: 'a.pdf', url: `data:application/pdf;base64,${pdf}`},
		{type: 'audio', format: 'wav', data: wav},
	]);
});
