import {expect, test} from 'vitest';
import {renderMarkdown} from '../../../src/terminal/markdown/stream/streamer.ts';
import {plainOptions, visible} from './sample.ts';

const render = (source: string, width: number) =>
	renderMarkdown(source, {...plainOptions, width}).map(visible);

test('sizes columns by their contents and aligns them as declared', () => {
	const source =
		'| left | right | middle |\n|:--|--:|:-:|\n| a | b | c |\n| 1234567 | 12345678 | x |';
	expect(render(source, 80)).toEqual([
		'left    │    right │ middle',
		'────────┼──────────┼───────',
		'a       │        b │   c',
		'1234567 │ 12345678 │   x',
	]);
});

test('wide characters take two cells', () => {
	const rows = render('| 名前 | n |\n|---|---|\n| 林檎ジュース | 1 |', 80);
	expect(rows).toEqual(['名前         │ n', '─────────────┼──', '林檎ジュース │ 1']);
});

test('shrinks the widest column first, and wraps its cells', () => {
	const source = `| id | text |\n|---|---|\n| 12345 | ${'word '.repeat(8)}|\n| 2 | b |`;
	expect(render(source, 22)).toEqual([
		'id    │ text',
		'──────┼───────────────',
		'12345 │ word word word',
		'      │ word word word',
		'      │ word word',
		'──────┼───────────────',
		'2     │ b',
	]);
});

test('shows records when a column would have fewer than four cells', () => {
	const header = '| a1 | b1 | c1 | d1 | e1 | f1 |\n|---|---|---|---|---|---|\n';
	const rows = render(`${header}| long value | 2 |  | 4 | 5 | 6 |\n| 7 | 8 |`, 30);
	expect(rows.slice(0, 8)).toEqual([
		...['a1: long value', 'b1: 2', 'c1:', 'd1: 4', 'e1: 5', 'f1: 6', '', 'a1: 7'],
	]);
});

test('cells may be missing, escaped or broken into lines', () => {
	expect(render('a | b\n--|--\n1\n`x \\| y` | p<br>q', 80)).toEqual([
		'a       │ b',
		'────────┼──',
		'1       │',
		'────────┼──',
		'`x | y` │ p',
		'        │ q',
	]);
});
