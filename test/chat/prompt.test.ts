import {describe, expect, test} from 'vitest';
import {type Attachment, joinPrompt, promptMessage} from '../../src/chat/prompt.ts';

const part = {type: 'image', url: 'https://example.com/a.png'} as const;
const other = {type: 'image', url: 'https://example.com/b.png'} as const;
const image = {type: 'image', name: 'a.png', part} as const;

type Pieces = {
	readonly files: ReadonlyArray<{readonly name: string; readonly text: string}>;
	readonly piped: string;
	readonly written: string;
};

function textOf({files = [], piped = '', written = ''}: Partial<Pieces>): string | undefined {
	const attachments = files.map((file): Attachment => ({type: 'file', ...file}));
	const {parts} = promptMessage({text: joinPrompt(piped, written), attachments});
	const [first, ...rest] = parts;
	expect(rest).toEqual([]);
	return first?.type === 'text' ? first.text : undefined;
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
});

test.each([
	['a\n', 'a'],
	['a\n\n', 'a\n'],
	['\n  a\n', '\n  a'],
])('one line end at the end is dropped, and nothing else: %j', (piped, expected) => {
	expect(textOf({piped})).toBe(expected);
	expect(textOf({files: [{name: 'f', text: piped}]})).toBe(`<file name="f">\n${expected}\n</file>`);
});

test('a name cannot end its own quotes, tag or line', () => {
	expect(textOf({files: [{name: 'a" b="<&>\n', text: 'x'}]})).toBe(
		'<file name="a&#34; b=&#34;&#60;&#38;&#62;&#10;">\nx\n</file>',
	);
});

test('images come after the text, in order, or alone', () => {
	const attachments = [image, {...image, part: other}];
	const compare = {type: 'text', text: 'compare'};
	expect(promptMessage({text: 'compare', attachments}).parts).toEqual([compare, part, other]);
	expect(promptMessage({text: '', attachments: [image]}).parts).toEqual([part]);
});

test('white space alone is an empty text, and adds nothing beside a prompt', () => {
	expect(textOf({piped: ' \n\t\n'})).toBe('');
	expect(textOf({written: '  '})).toBe('');
	expect(textOf({piped: '\n', written: 'hello'})).toBe('hello');
});
