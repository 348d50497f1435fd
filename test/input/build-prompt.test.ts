import {describe, expect, test} from 'vitest';
import {buildPrompt, type PromptPieces} from '../../src/input/build-prompt.ts';

const image = {type: 'image', url: 'https://example.com/a.png'} as const;
const other = {type: 'image', url: 'https://example.com/b.png'} as const;

function build(pieces: Partial<PromptPieces>) {
	return buildPrompt({files: [], stdinText: '', prompt: '', images: [], ...pieces});
}

function textOf(pieces: Partial<PromptPieces>): string | undefined {
	const [part, ...rest] = build(pieces)?.parts ?? [];
	expect(rest).toEqual([]);
	return part?.type === 'text' ? part.text : undefined;
}

describe('the text is put together from what there is', () => {
	const files = [
		{name: 'a.txt', text: 'first\n'},
		{name: 'b.txt', text: 'second'},
	];

	test('files, then piped text, then the prompt', () => {
		expect(textOf({files, stdinText: 'piped\n', prompt: 'explain'})).toBe(
			[
				'<file name="a.txt">\nfirst\n</file>',
				'<file name="b.txt">\nsecond\n</file>',
				'',
				'piped',
				'',
				'explain',
			].join('\n'),
		);
	});

	test('the prompt alone, exactly', () => {
		expect(textOf({prompt: '  explain \n'})).toBe('  explain \n');
	});

	test('piped text alone', () => {
		expect(textOf({stdinText: 'question?\n'})).toBe('question?');
	});

	test('piped text and the prompt', () => {
		expect(textOf({stdinText: 'diff', prompt: 'review'})).toBe('diff\n\nreview');
	});

	test('files and the prompt', () => {
		expect(textOf({files: files.slice(1), prompt: 'review'})).toBe(
			'<file name="b.txt">\nsecond\n</file>\n\nreview',
		);
	});

	test('files alone', () => {
		expect(textOf({files: files.slice(1)})).toBe('<file name="b.txt">\nsecond\n</file>');
	});
});

describe('one line end at the end is dropped, and nothing else', () => {
	test.each([
		['a\n', 'a'],
		['a\r\n', 'a'],
		['a\n\n', 'a\n'],
		['a  ', 'a  '],
		['\n  a\n', '\n  a'],
	])('%j', (stdinText, expected) => {
		expect(textOf({stdinText})).toBe(expected);
		expect(textOf({files: [{name: 'f', text: stdinText}]})).toBe(
			`<file name="f">\n${expected}\n</file>`,
		);
	});
});

test('a name cannot end its own quotes, tag or line', () => {
	expect(textOf({files: [{name: 'a" b="<&>\n', text: 'x'}]})).toBe(
		'<file name="a&quot; b=&quot;&lt;&amp;&gt;&#10;">\nx\n</file>',
	);
});

test('images come after the text, in order', () => {
	expect(build({prompt: 'compare', images: [image, other]})).toEqual({
		role: 'user',
		parts: [{type: 'text', text: 'compare'}, image, other],
	});
});

test('images alone make a message without text', () => {
	expect(build({images: [image]})).toEqual({role: 'user', parts: [image]});
});

describe('nothing to send is no message', () => {
	test.each([{}, {stdinText: ' \n\t\n'}, {prompt: '  '}, {stdinText: '\n', prompt: ''}])(
		'%j',
		(pieces) => {
			expect(build(pieces)).toBeUndefined();
		},
	);

	test('white space piped in beside a prompt adds nothing to it', () => {
		expect(textOf({stdinText: '\n', prompt: 'hello'})).toBe('hello');
	});
});
