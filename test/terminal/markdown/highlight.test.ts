import {beforeAll, describe, expect, test} from 'vitest';
import {type Highlight, loadHighlighter} from '../../../src/terminal/markdown/render/highlight.ts';
import {textOf} from '../../../src/terminal/markdown/render/span.ts';
import {
	createMarkdownStreamer,
	renderMarkdown,
} from '../../../src/terminal/markdown/stream/streamer.ts';
import {richOptions, visible} from './sample.ts';

let highlight: Highlight;

beforeAll(async () => {
	highlight = await loadHighlighter();
});

const color = (language: string, ...lines: readonly string[]) => {
	const highlighter = highlight(language);
	return lines.map((line) => highlighter?.next(line) ?? []);
};

test('words get the style of what they are', () => {
	expect(color('js', "const a = 'b <c> &amp; d'; // e")[0]).toEqual([
		{text: 'const', styles: ['keyword']},
		{text: ' a = ', styles: []},
		{text: "'b <c> &amp; d'", styles: ['string']},
		{text: '; ', styles: []},
		{text: '// e', styles: ['italic']},
	]);
});

test('a comment or string that is open goes on in the next line', () => {
	const [, second, third] = color('c', '/* one', 'two */ int', 'int x;');
	expect(second?.[0]).toEqual({text: 'two */', styles: ['italic']});
	expect(third?.[0]).toEqual({text: 'int', styles: ['identifier']});
	expect(color('python', 'x = """a', 'b', 'c"""', 'def f():')[1]).toEqual([
		{text: 'b', styles: ['string']},
	]);
});

test('a comment keeps its colour to its end, however long it is', () => {
	const words = Array.from({length: 300}, () => 'int is a word');
	const rows = color('c', '/*', ...words, '*/ int x;');
	expect(rows.at(-2)).toEqual([{text: 'int is a word', styles: ['italic']}]);
	expect(rows.at(-1)?.slice(0, 3)).toEqual([
		{text: '*/', styles: ['italic']},
		{text: ' ', styles: []},
		{text: 'int', styles: ['identifier']},
	]);
});

test('leaves a part of expensive code plain', () => {
	const rows = color('python', ...Array.from({length: 500}, () => "f'{a"));
	const isPlain = (row: (typeof rows)[number]) => row.every(({styles}) => styles.length === 0);
	expect(isPlain(rows[0] ?? [])).toBe(false);
	expect(rows.some(isPlain)).toBe(true);
});

test('looking at an unfinished line changes nothing', () => {
	const highlighter = highlight('js');
	highlighter?.peek('/* open');
	expect(highlighter?.next('let a')[0]).toEqual({text: 'let', styles: ['keyword']});
});

test('the text is never changed', () => {
	const lines = [
		'<a href="x">&amp;</a>',
		'\'"`$\u007ba}`',
		'a < b && c > d',
		'',
		'  \u00a0x',
		'x'.repeat(2_000),
	];
	for (const language of ['html', 'js', 'python', 'bash', 'css', 'markdown', 'json', 'diff']) {
		expect(color(language, ...lines).map(textOf)).toEqual(lines);
	}
});

test('has no highlighter for an unknown language', () => {
	expect(highlight('klingon')).toBeUndefined();
	expect(highlight('__proto__')).toBeUndefined();
});

describe('in an answer', () => {
	const source =
		'```js\nconst a = 1;\n/* b\n c */ let d;\n```\n\n- x\n  ```py\n  def f(): pass\n  ```\n';

	test('blocks and blocks in lists are coloured', () => {
		const rows = renderMarkdown(source, {...richOptions, highlight});
		expect(rows[1]).toContain('\x1b[35mconst\x1b[39m');
		expect(rows[3]).toContain('\x1b[3m c */\x1b[23m');
		expect(rows.join('\n')).toContain('\x1b[35mdef\x1b[39m');
		expect(rows.map(visible)).toEqual(renderMarkdown(source, richOptions).map(visible));
	});

	test('a streamed block has the colours of a whole one', () => {
		const streamer = createMarkdownStreamer({...richOptions, highlight});
		const rows = [...source].flatMap((character) => {
			streamer.tail(5);
			return streamer.push(character);
		});
		expect([...rows, ...streamer.end()]).toEqual(
			renderMarkdown(source, {...richOptions, highlight}),
		);
	});

	test('colours the unfinished line too', () => {
		const streamer = createMarkdownStreamer({...richOptions, highlight});
		streamer.push('```js\nconst');
		expect(streamer.tail(5)).toEqual(['\x1b[35mconst\x1b[39m']);
	});

	test('a highlighter that comes late serves the blocks that follow', () => {
		const streamer = createMarkdownStreamer(richOptions);
		const before = streamer.push('```js\nlet a\n```\n');
		streamer.update({highlight});
		const after = streamer.push('```js\nlet b\n```\n');
		expect(before).toContain('let a');
		expect(after).toContain('\x1b[35mlet\x1b[39m b');
	});
});
