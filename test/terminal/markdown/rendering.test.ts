import {describe, expect, test} from 'vitest';
import {renderMarkdown} from '../../../src/terminal/markdown/stream/streamer.ts';
import {plainOptions, richOptions, spell, visible} from './sample.ts';

const render = (source: string, width = 80) =>
	renderMarkdown(source, {...plainOptions, width}).map(visible);

/** The rule above the code block with this number, or the one below. */
function rule(number?: number, language = ''): string {
	if (number === undefined) return '─'.repeat(72);
	const start = language === '' ? '' : `${language} `;
	return `${start}${'─'.repeat(70 - start.length)} ${number}`;
}

describe('without colour', () => {
	test.each<[string, string, readonly string[]]>([
		['a paragraph keeps its line breaks', 'one\ntwo', ['one', 'two']],
		['code keeps its marks', '`a`', ['`a`']],
		['headings lose their marks', '# a\n\n### b ###', ['a', '', 'b']],
		['a rule is a line', 'a\n\n***\n\nb', ['a', '', '─'.repeat(40), '', 'b']],
		[
			'blocks are one row apart',
			'# a\nb\n```\nc\n```\nd',
			['a', '', 'b', '', rule(1), 'c', rule(), '', 'd'],
		],
		['lists start at their number', '9) a\n10) b', ['9. a', '10. b']],
		[
			'items are apart where the author left a blank line',
			'- a\n\n- b\n- c',
			['• a', '', '• b', '• c'],
		],
		[
			'code in an item is not indented',
			'1. a\n   ```js\n   b\n\n     c\n   ```\n   - ```\n     d\n     ```\n2. e',
			['1. a', rule(1, 'js'), 'b', '', '  c', rule(), '   ◦', rule(2), 'd', rule(), '2. e'],
		],
		['quotes have a bar', '> a\n> b\n>\n> c', ['│ a', '│ b', '│', '│ c']],
		[
			'an indented fence takes its indentation off',
			'  ```\n  a\n    b\n  ```',
			[rule(1), 'a', '  b', rule()],
		],
		[
			'tabs in code are four columns',
			'```\n\ta\tb\nabc\td\n```',
			[rule(1), '    a   b', 'abc d', rule()],
		],
		[
			'entities are decoded',
			'&lt;b&gt; &copy; &#65;&#x42; &nope; &amp;lt;',
			['<b> © AB &nope; &lt;'],
		],
		[
			'html is text',
			'a <b>c</b>\n\n<div>\n  d &amp;\n</div>',
			['a <b>c</b>', '', '<div>', '  d &amp;', '</div>'],
		],
		[
			'images show what they are and where',
			'![a *b*](https://x.example/y.png)',
			['a b ↗1', '', '↗1 https://x.example/y.png'],
		],
		[
			'names with underscores stay as written, and emphasis of words does not',
			'__init__.py has __all__ and foo__bar, __two words__ and a*b*c.',
			['__init__.py has __all__ and foo__bar, two words and a*b*c.'],
		],
		['marks between Chinese words are emphasis', '这是**重点**吗', ['这是重点吗']],
		[
			'simple formulas are in Unicode',
			'$a*b*c$ \\(x_{1}^2\\) $$\\{y\\}$$ the $n$th',
			['a*b*c x₁² {y} the nth'],
		],
		[
			'other formulas stay as typed',
			'$a_*\\vec*{b}$ and \\(x_{_a_}\\) and $e^{i\\pi}$',
			['$a_*\\vec*{b}$ and \\(x_{_a_}\\) and $e^{i\\pi}$'],
		],
		[
			'nor are the variables of a shell',
			'$HOME, $HOME/bin:$PATH, $a:$b, $(ls)/$(pwd), $1$2',
			['$HOME, $HOME/bin:$PATH, $a:$b, $(ls)/$(pwd), $1$2'],
		],
		[
			'a formula in lines of its own is not a list',
			'So:\n$$\na\n+ b\n= c\n$$\nthen\n\\[\n- \\vec d\n+ e_1_\n\\]',
			['So:', '', 'a + b = c', '', 'then', '', '\\[', '- \\vec d', '+ e_1_', '\\]'],
		],
		['blank lines and spaces at both ends are dropped', '  a  \n\n\n\n   b', ['a', '', 'b']],
	])('%s', (_, source, rows) => {
		expect(render(source)).toEqual(rows);
	});

	test('there are weights', () => {
		expect(renderMarkdown('`b` **c** _d_ ~~e~~', plainOptions)).toEqual([
			'`b` \x1b[1mc\x1b[22m \x1b[3md\x1b[23m \x1b[9me\x1b[29m',
		]);
	});
});

test('headings differ by their weight', () => {
	expect(renderMarkdown('# a\n## b\n### c', richOptions)).toEqual([
		'\x1b[1m\x1b[4ma\x1b[24m\x1b[22m',
		'',
		'\x1b[1mb\x1b[22m',
		'',
		'\x1b[1m\x1b[3mc\x1b[23m\x1b[22m',
	]);
});

test('a whole document can have a style', () => {
	expect(renderMarkdown('a **b** c\n\n- d', {...plainOptions, styles: ['quiet']})).toEqual([
		'\x1b[2ma \x1b[22m\x1b[2m\x1b[1mb\x1b[22m\x1b[22m\x1b[2m c\x1b[22m',
		'',
		'\x1b[2m• \x1b[22m\x1b[2md\x1b[22m',
	]);
});

describe('the rule above code', () => {
	const above = (info: string, width = 80) => render(`~~~${info}\na\n~~~`, width)[0];

	test('names the language as written, up to 40 cells', () => {
		expect(above('Rust title="main.rs"')).toBe(rule(1, 'Rust title="main.rs"'));
		expect(above('x'.repeat(100))).toBe(rule(1, 'x'.repeat(40)));
		expect(above('言'.repeat(100))).toMatch(/^言{20} ─{29} 1$/);
	});

	test('has nothing that moves, hides or reverses text', () => {
		expect(above('a\x1b[2Jb\tc\u202ed')).toBe(rule(1, 'ab  cd'));
		expect(above('a&#27;b')).toBe(rule(1, 'a&#27;b'));
	});

	test('has the number after its label, and without one none', () => {
		const labelled = (codeLabel: string | undefined) =>
			visible(renderMarkdown('```js\n```', {...plainOptions, codeLabel})[0] ?? '');
		expect(labelled('/copy ')).toBe(`js ${'─'.repeat(61)} /copy 1`);
		expect(labelled(undefined)).toBe(`js ${'─'.repeat(69)}`);
	});

	test('fits in a narrow window', () => {
		expect(above('rust', 8)).toBe('rust ─ 1');
		expect(above('rust', 5)).toBe('r ─ 1');
		expect(above('rust', 3)).toBe('─ 1');
		expect(above('rust', 2)).toBe('──');
	});
});

describe('with colour', () => {
	test('closes in each row what it opens', () => {
		const rows = renderMarkdown(`**bold${' text'.repeat(10)}**`, {...richOptions, width: 20});
		expect(rows.length).toBeGreaterThan(2);
		for (const row of rows) expect(spell(row)).toMatch(/^\ue000\[1m[^\ue000]+\ue000\[22m$/);
	});

	test('each row of a link is a link of its own', () => {
		const source = `[label ${'text '.repeat(10)}](https://e.example/)`;
		const rows = renderMarkdown(source, {...richOptions, width: 20});
		expect(rows.length).toBeGreaterThan(2);
		for (const row of rows) {
			expect(spell(row)).toMatch(/^\ue000\]8;;https:\/\/e\.example\/\ue001.+\ue000\]8;;\ue001$/);
		}
	});
});

describe('wrapping', () => {
	test('breaks Korean at its spaces, and a longer word at the edge', () => {
		const rows = ['한국어', '산문은', 'API는', '이렇다'];
		expect(render('한국어 산문은 API는 이렇다', 10)).toEqual(rows);
		expect(render('한국어산문', 6)).toEqual(['한국어', '산문']);
	});

	test('breaks between wide characters, but not before a closing mark', () => {
		expect(render('日本語の文章', 6)).toEqual(['日本語', 'の文章']);
		expect(render('日本語。文章', 6)).toEqual(['日本', '語。文', '章']);
		expect(render('日本「語」文', 6)).toEqual(['日本', '「語」', '文']);
	});

	test('cuts code at the edge and keeps its blanks', () => {
		expect(render('```\naaaa  bbbb\n```', 6)).toEqual(['──── 1', 'aaaa', 'bbbb', '──────']);
		expect(render('```\n日本語\n```', 5)).toEqual(['─── 1', '日本', '語', '─────']);
	});

	test('drops the marks of deep containers before text', () => {
		const rows = render(`${'> '.repeat(12)}text`, 20);
		expect(rows.at(-1)).toBe('│ │ │ │ │ text');
	});
});
