import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findCodeBlocks} from '../../../src/terminal/markdown/stream/code-blocks.ts';
import {
	createMarkdownStreamer,
	renderMarkdown,
} from '../../../src/terminal/markdown/stream/streamer.ts';
import {expectLinearCost} from '../../helpers/cost.ts';
import {fuzz, fuzzProperty} from '../../helpers/fuzz.ts';
import {
	plainOptions,
	renderWhole,
	richOptions,
	sample,
	stream,
	tooWide,
	visible,
} from './sample.ts';

function cutAt(source: string, cuts: readonly number[]): readonly string[] {
	const places = [0, ...cuts.map((cut) => cut % (source.length + 1)), source.length];
	places.sort((one, other) => one - other);
	return places.slice(1).map((place, index) => source.slice(places[index], place));
}

const cuts = fc.array(fc.nat(), {maxLength: 40});
const word = fc.constantFrom(
	...['alpha', 'beta', 'gamma_delta', '日本語', 'x', '🎉', '2 * 3', 'a-b', '$5', '$x_1$'],
	...['\\(a\\)', '2**10', 'é*à*ü', '__init__'],
);
const words = (maxLength: number) =>
	fc.array(word, {minLength: 1, maxLength}).map((list) => `The ${list.join(' ')} end`);
const marked = fc
	.tuple(words(5), fc.constantFrom('**', '_', '`', '~~', ''))
	.map(([text, mark]) => `${mark}${text}${mark}`);
const phrase = (maxLength: number) =>
	fc.array(marked, {minLength: 1, maxLength}).map((list) => list.join(' '));
const lines = (item: fc.Arbitrary<string>, maxLength: number, separator = '\n') =>
	fc.array(item, {minLength: 1, maxLength}).map((list) => list.join(separator));
const fence = lines(words(4), 12).map((code) => `\`\`\`\n${code}\n\n  ${code}\n\`\`\``);
const indentLines = (text: string) => text.replaceAll('\n', '\n  ');
const item = fc.oneof(
	phrase(3),
	fc.tuple(phrase(2), fence).map(([text, code]) => indentLines(`${text}\n${code}`)),
	fc.tuple(phrase(2), phrase(2)).map(([first, second]) => indentLines(`${first}\n\n${second}`)),
	fc.tuple(phrase(2), words(3)).map(([text, nested]) => indentLines(`${text}\n- ${nested}\n- b`)),
);
const list = lines(
	item.map((text) => `- ${text}`),
	6,
);
const looseList = lines(
	item.map((text) => `- ${text}`),
	4,
	'\n\n',
);
const numbered = fc
	.tuple(fc.nat({max: 20}), fc.array(phrase(2), {minLength: 1, maxLength: 12}))
	.map(([start, items]) => items.map((text, index) => `${start + index}. ${text}`).join('\n'));
const table = lines(
	fc.tuple(words(3), words(8)).map(([one, other]) => `| ${one} | ${other} |`),
	6,
).map((rows) => `| a | b |\n|---|:-:|\n${rows}`);
const base64 = 'iVBORw0K'.repeat(700);
const picture = `![a cat](data:image/png;base64,${base64})`;
const images: readonly string[] = [
	picture,
	`> ${picture}`,
	`| a | b |\n|---|---|\n| ${picture} | c |`,
	`![a cat](<data:image/png;base64,${base64}>)`,
	`![a cat](data:image/png;base64,${base64} "title")`,
	`![a cat](DATA:image/png;base64,${base64})`,
];
/** Data in text: a screen shortens them, and the lexer alone does not. */
const dataInText: readonly string[] = [
	`<img src="data:image/png;base64,${base64}">`,
	`\`data:image/png;base64,${base64}\``,
	`data:image/png;base64,${base64}`,
];
const block = fc.oneof(
	phrase(4),
	phrase(40),
	lines(phrase(2), 20),
	fence,
	list,
	looseList,
	numbered,
	table,
	fc.oneof(phrase(2), list, fence).map((text) => `> ${text.replaceAll('\n', '\n> ')}`),
	words(3).map((text) => `## ${text}`),
	words(3).map((text) => `${text}\n---`),
	fc.constantFrom(
		'$$\na\n+ b\n$$',
		'Then\n\\[\n- \\vec{a}\n\\]\nand',
		'---',
		'***',
		'<div>\nhtml\n</div>',
		'    code\n    more',
		'[r]: https://r.example',
		`At https://example.com/${'path/'.repeat(40)} and after it.`,
		...images,
	),
);
const document = fc.array(block, {maxLength: 8}).map((blocks) => blocks.join('\n\n'));
/** Read as a whole, these definitions would apply to the links above. */
const lateDefinitions: readonly string[] = [
	'See [the docs][1] and [R].\n\n[1]: https://docs.example/a\n[R]: <https://r.example>',
	`![a cat][image]\n\n[image]: data:image/png;base64,${base64}`,
];
const onlyStreamed = fc.constantFrom(...dataInText, ...lateDefinitions);
const streamedDocument = fc
	.array(fc.oneof({arbitrary: block, weight: 6}, onlyStreamed), {maxLength: 8})
	.map((blocks) => blocks.join('\n\n'));

const soup = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				...['\n', '\n\n', ' ', '  \n', '- ', '1. ', '> ', '# ', '```', '~~~', '`'],
				...['*', '**', '_', '~~', '[', ']', '(', ')', '![', '|', '|---|'],
				...['\n|-|-|\n', '<', '</b>', '<!--', '&#27;', '&amp;', '\\', '$', '$$'],
				...['\n$$\n', '\\(', '\n\\[', '\\]', '---', '===', '    ', '\t'],
				...['http://a.b', '[a]: b', '[^1]: c', '\x1b[31m', '\x1b]8;;http://x\x07'],
				...['\x9b', '中文', '👨‍👩‍👧', '\u202e', '\ud800', '\r\n'],
			),
			fc.string({maxLength: 8}),
			fc.constant('long words and more of them '.repeat(12)),
			fc.constant('x'.repeat(300)),
		),
		{maxLength: 40},
	)
	.map((parts) => parts.join(''));

/** The rows of these pieces, none of whose tails is too wide. */
function streamPieces(
	pieces: Iterable<string>,
	options: Parameters<typeof createMarkdownStreamer>[0],
): readonly string[] {
	const streamer = createMarkdownStreamer(options);
	const rows = [...pieces].flatMap((piece) => {
		const final = streamer.push(piece);
		expect(tooWide(streamer.tail(12), options.width)).toEqual([]);
		return final;
	});
	return [...rows, ...streamer.end()];
}

/** Seven characters at a time. */
const inSevens = sample.match(/.{1,7}/gsu) ?? [];

describe('the sample', () => {
	test('fits a width, and streams as it is rendered whole', () => {
		for (const width of [20, 80]) {
			const options = {...richOptions, width};
			const rows = streamPieces(inSevens, options);
			expect(tooWide(rows, width)).toEqual([]);
			expect(rows).toEqual(renderMarkdown(sample, options));
		}
	});

	test('leaves only finished lines of code and addresses wider than that, where they stay whole', () => {
		const options = {...richOptions, width: 20, hasLongRows: true};
		const code = sample.split('\n').map((line) => line.trim());
		const wide = tooWide(streamPieces(inSevens, options), 20).map(visible);
		expect(wide).not.toEqual([]);
		const others = wide.filter((row) => !/https?:/.test(row));
		expect(others.filter((row) => !code.includes(row.trim()))).toEqual([]);
	});

	fuzz('has no row that ends in a space or spans two lines, cut anywhere', (seed) => {
		// Sixty rounds try every length.
		for (let length = seed % 60; length <= sample.length; length += 60) {
			const rows = renderMarkdown(sample.slice(0, length), {...plainOptions, width: 40});
			expect(rows.filter((row) => /\s$|\n/.test(row))).toEqual([]);
		}
	});
});

test('a line of code without an end is left in few parts', () => {
	const endless = `x${'👍'.repeat(20_000)}`;
	const options = {...plainOptions, width: 20, hasLongRows: true};
	const rows = renderMarkdown(`\`\`\`\n${endless}\n\`\`\``, options).slice(1, -1);
	expect(rows.join('')).toBe(endless);
	expect(rows.length).toBeLessThan(5);
});

describe('how the source is cut', () => {
	fuzzProperty(
		'does not matter to well-formed documents',
		20,
		fc.property(streamedDocument, cuts, (source, places) => {
			expect(stream(cutAt(source, places), richOptions)).toEqual(
				renderMarkdown(source, richOptions),
			);
		}),
	);

	fuzzProperty(
		'does not matter for any text, and nothing throws or is too wide',
		40,
		fc.property(soup, cuts, fc.constantFrom(20, 33, 80), (source, places, width) => {
			const options = {...richOptions, width};
			const rows = streamPieces(cutAt(source, places), options);
			expect(tooWide(rows, width)).toEqual([]);
			expect(rows).toEqual(renderMarkdown(source, options));
		}),
	);
});

fuzzProperty(
	'a streamed document has the rows of one that is lexed whole',
	30,
	fc.property(document, fc.constantFrom(30, 80, 140), (source, width) => {
		const options = {...richOptions, width};
		expect(renderMarkdown(source, options)).toEqual(renderWhole(source, options));
	}),
);

describe('what is final', () => {
	const pushAll = (...deltas: readonly string[]) => {
		const streamer = createMarkdownStreamer(plainOptions);
		const final = deltas.flatMap((delta) => streamer.push(delta)).map(visible);
		return {final, tail: streamer.tail(10).map(visible), streamer};
	};

	test('each finished line of a code block is final at once', () => {
		const {final, tail} = pushAll('```js\na\nb\nc');
		expect(final).toEqual([expect.stringMatching(/^js ─+ 1$/), 'a', 'b']);
		expect(tail).toEqual(['c']);
	});

	test('each finished item of a list is final', () => {
		const {final, tail} = pushAll('1. one\n2. two\n3. three\n4. fo');
		expect(final).toEqual(['1. one', '2. two']);
		expect(tail).toEqual(['3. three', '4. fo']);
	});

	test('what follows a formula without an end is not held for long', () => {
		const lines = Array.from({length: 90}, (_, index) => `line ${index} of many\n`);
		const {final} = pushAll('$$\n', ...lines);
		expect(final.slice(0, 2)).toEqual(['$$', 'line 0 of many']);
	});

	test('a table that is taller than the tail keeps its header and its last rows', () => {
		const row = (index: number) => `| ${index} |\n`;
		const {tail, streamer} = pushAll(
			`| a |\n|---|\n${Array.from({length: 25}, (_, i) => row(i)).join('')}`,
		);
		expect(tail).toEqual(['a', '──', '… 18 rows above', '18', '19', '20', '21', '22', '23', '24']);
		streamer.push('| x |\n'.repeat(600));
		expect(streamer.tail(5).map(visible)).toEqual(['a', '──', '… 623 rows above', 'x', 'x']);
		expect(streamer.tail(3).map(visible)).toEqual(['a', '──', 'x']);
		expect(streamer.tail(1).map(visible)).toEqual(['x']);
	});
});

describe('the tail', () => {
	const tailOf = (source: string, maxRows = 10) => {
		const streamer = createMarkdownStreamer(plainOptions);
		streamer.push(source);
		return streamer.tail(maxRows).map(visible);
	};

	test.each([
		['some **bold and `code', 'some bold and `code`'],
		['see [label](https://exa', 'see label'],
		['2 * 3 * 4 and 2*3', '2 * 3 * 4 and 2*3'],
		['- `a` and `b', '• `a` and `b`'],
	])('holds back or closes the open marks of %j', (source, row) => {
		expect(tailOf(source).map(visible)).toEqual([row]);
	});

	test('does not take the first dash of a list for the line below a heading', () => {
		expect(tailOf('text\n-')).toEqual(['text']);
		expect(tailOf('text\n- i')).toEqual(['text', '', '• i']);
	});

	test('of a very long list item is its end', () => {
		const streamer = createMarkdownStreamer(plainOptions);
		streamer.push(`- first\n${'  many words in a line\n'.repeat(200)}  the last line`);
		expect(streamer.tail(2)).toEqual(['  many words in a line', '  the last line']);
	});
});

test('another width applies to the next lines of an open code block', () => {
	const streamer = createMarkdownStreamer({...plainOptions, width: 40});
	streamer.push('```\n');
	streamer.update({width: 10});
	expect(streamer.push(`${'x'.repeat(15)}\n`)).toEqual(['x'.repeat(10), 'x'.repeat(5)]);
});

describe('an embedded image', () => {
	const data = 'iVBORw0KGgoA'.repeat(200);
	const source = `Before ![a cat](data:image/png;base64,${data}) after.\n\nNext`;

	test.each([7, 256])('is one line, in pieces of %i', (size) => {
		const pieces = source.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
		const streamer = createMarkdownStreamer(plainOptions);
		const rows = pieces.flatMap((piece) => {
			const final = streamer.push(piece);
			expect(streamer.tail(50).length).toBeLessThan(3);
			return final;
		});
		const shown = ['Before a cat (PNG, 2 KiB) after.', '', 'Next'];
		expect([...rows, ...streamer.end()]).toEqual(shown);
	});

	test.each([...images, ...dataInText])('shows no row of its data: %#', (image) => {
		const streamer = createMarkdownStreamer(plainOptions);
		const rows = [...`${image}\n\nNext`].flatMap((letter, index) => {
			const final = streamer.push(letter);
			if (index % 50 === 0) expect(streamer.tail(50).length).toBeLessThan(8);
			return final;
		});
		rows.push(...streamer.end());
		expect(rows.length).toBeLessThan(8);
		expect(rows.join('\n')).not.toMatch(/iVBORw0K|length=/);
		expect(rows.join('\n')).toMatch(/4 KiB/);
	});

	test.each(['', '> ', '1. '])('is whole in code after %j, so that it can be copied', (mark) => {
		const indent = mark === '> ' ? mark : ' '.repeat(mark.length);
		const short = picture.replace(base64, base64.slice(0, 2_400));
		const source = `${mark}\`\`\`md\n${indent}${short}\n${indent}\`\`\``;
		expect(findCodeBlocks(source).map(({code}) => code)).toEqual([short]);
	});
});

describe('prose in a wide window', () => {
	const options = {...plainOptions, width: 158, hasLongRows: true};

	test('has at most 100 columns, and code and tables have all', () => {
		const code = `const x = ${'1 + '.repeat(34)}1;`;
		const rows = renderMarkdown(`${'word '.repeat(60)}\n\n\`\`\`\n${code}\n\`\`\``, options);
		expect(Math.max(...rows.filter((row) => /word/.test(row)).map(({length}) => length))).toBe(99);
		expect(rows).toContain(code);
	});

	test.each([1, 500])('has long addresses whole, in pieces of %i', (size) => {
		const address = `https://example.com/${'path/'.repeat(40)}`;
		const text = `See (${address}), and then ${'more words '.repeat(100)}`;
		const rows = stream(text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [], options);
		expect(rows.slice(0, 2).map(visible)).toEqual(['See', `(${address}),`]);
		expect(rows[2]).toMatch(/^and then more words/);
	});
});

describe('link definitions', () => {
	test('apply to all later blocks', () => {
		const rows = renderMarkdown('[r]: https://r.example/x\n\none\n\n[text][r]', plainOptions);
		expect(rows.map(visible)).toEqual(['one', '', 'text ↗1', '', '↗1 https://r.example/x']);
	});

	test('are shown below links that they come too late for', () => {
		const source = '[text][r] and [S].\n\n[r]: https://r.example/x\n[s]: https://s.example\n\nEnd';
		const shown = ['[r]: https://r.example/x', '[s]: https://s.example'];
		const rows = renderMarkdown(source, plainOptions);
		expect(rows).toEqual(['[text][r] and [S].', '', ...shown, '', 'End']);
	});
});

test('a table of hundreds of rows comes in parts, each with the header', () => {
	const source = `| head | b |\n|---|---|\n${'| some value | other |\n'.repeat(1_000)}`;
	const rows = renderMarkdown(source, plainOptions).map(visible);
	expect(rows.filter((row) => row.startsWith('head')).length).toBeGreaterThan(1);
	expect(rows.filter((row) => row.startsWith('some value'))).toHaveLength(1_000);
});

const vocabulary = ['the', 'quick', 'brown', '**fox**', 'jumps', '`over`', 'lazy', 'dogs,'];
const prose = (index: number) => ` ${vocabulary[index % 8]}`;

test.each<[string, start: string, token: (index: number) => string]>([
	['prose', '', (index) => (index % 90 === 89 ? '.\n\n' : prose(index))],
	['one code block', '```\n', (index) => (index % 9 === 8 ? '\n' : prose(index))],
	['one paragraph without blanks', '', () => '这是很长'],
	['one list item', '- ', (index) => (index % 15 === 14 ? '\n  ' : prose(index))],
	['one table', '| a |\n|---|\n| ', (index) => (index % 9 === 8 ? ' |\n| ' : prose(index))],
	['one comment', '<!-- ', (index) => (index % 9 === 8 ? '\n\n' : prose(index))],
])('%s takes linear time', {tags: ['cost']}, (_, start, token) => {
	expectLinearCost((size) => {
		const streamer = createMarkdownStreamer(plainOptions);
		streamer.push(start);
		for (let index = 0; index < size; index += 7) {
			streamer.push(Array.from({length: 7}, (__, next) => token(index + next)).join(''));
			streamer.tail(12);
		}
	}, 700);
});
