import {describe, expect, test} from 'vitest';
import {buildPrompt, joinPrompt, type PromptPieces} from '../../src/input/build-prompt.ts';

const part = {type: 'image', url: 'https://example.com/a.png'} as const;
const other = {type: 'image', url: 'https://example.com/b.png'} as const;

type Pieces = Omit<PromptPieces, 'text'> & {readonly piped: string; readonly written: string};

function build({files = [], piped = '', written = '', images = []}: Partial<Pieces>) {
	return buildPrompt({files, text: joinPrompt(piped, written), images});
}

function textOf(pieces: Partial<Pieces>): string | undefined {
	const [part, ...rest] = build(pieces).parts;
	expect(rest).toEqual([]);
	return part?.type === 'text' ? part.text : undefined;
}

describe('the text is put together from what there is', () => {
	const files = [
		{name: 'a.txt', text: 'first\n'},
		{name: 'b.txt', text: 'second'},
	];

	test('files, then piped text, then the prompt', () => {
		expect(textOf({files, piped: 'piped\n', written: 'explain'})).toBe(
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
		expect(textOf({written: '  explain \n'})).toBe('  explain \n');
	});

	test('piped text alone', () => {
		expect(textOf({piped: 'question?\n'})).toBe('question?');
	});

	test('piped text and the prompt', () => {
		expect(textOf({piped: 'diff', written: 'review'})).toBe('diff\n\nreview');
	});

	test('files and the prompt', () => {
		expect(textOf({files: files.slice(1), written: 'review'})).toBe(
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
	])('%j', (piped, expected) => {
		expect(textOf({piped})).toBe(expected);
		expect(textOf({files: [{name: 'f', text: piped}]})).toBe(
			`<file name="f">\n${expected}\n</file>`,
		);
	});
});

test('a name cannot end its own quotes, tag or line', () => {
	expect(textOf({files: [{name: 'a" b="<&>\n', text: 'x'}]})).toBe(
		'<file name="a&#34; b=&#34;&#60;&#38;&#62;&#10;">\nx\n</file>',
	);
});

test('images come after the text, in order', () => {
	expect(build({written: 'compare', images: [{part}, {part: other}]})).toEqual({
		role: 'user',
		parts: [{type: 'text', text: 'compare'}, part, other],
	});
});

test('images alone make a message without text', () => {
	expect(build({images: [{part}]})).toEqual({role: 'user', parts: [part]});
});

describe('white space alone is an empty text', () => {
	test.each([{}, {piped: ' \n\t\n'}, {written: '  '}, {piped: '\n', written: ''}])(
		'%j',
		(pieces) => {
			expect(textOf(pieces)).toBe('');
		},
	);

	test('and adds nothing to a prompt that it is piped in beside', () => {
		expect(textOf({piped: '\n', written: 'hello'})).toBe('hello');
	});
});
