import {describe, expect, test} from 'vitest';
import {createMarkdownStreamer, renderMarkdown} from '../../../src/terminal/markdown/streamer.ts';
import {plainOptions, richOptions, spell, visible} from './sample.ts';

const payloads = [
	'\x1b]52;c;aGFja2Vk\x07',
	'\x1b]52;c;aGFja2Vk\x1b\\',
	'\x9d52;c;aGFja2Vk\x9c',
	'\x1b]0;title\x07',
	'\x1b]9;7;calc\x07',
	'\x1b[2J\x1b[H',
	'\x1b[8mhidden\x1b[0m',
	'\x9b31m',
	'\x1bPq#0;2;0;0;0\x1b\\',
	'\x1b_APC\x1b\\',
	'\x1bc',
	'\x1b]8;;https://evil.example\x07bank\x1b]8;;\x07',
	'&#27;]52;c;aGFja2Vk&#7;',
	'&#x1b;]52;c;aGFja2Vk&#x07;',
	'&#x9d;52;c;aGFja2Vk&#x9c;',
	'&#155;31m',
	'&#27;[2J',
	'&#x1B;&#91;8mhidden',
	'&#8;&#8;&#8;&#13;over',
	'\u202eevil\u202c',
	'&#x202e;evil',
	'&#x200b;&#xfeff;&#xe0041;',
	'&#xd800;&#0;&#1114112;',
	'\x07\x08\x0b\x0c\x7f\x85\x00',
];

const places: ReadonlyArray<readonly [string, (payload: string) => string]> = [
	['text', (payload) => `before ${payload} after`],
	['emphasis', (payload) => `**${payload}** _a${payload}b_ ~~${payload}~~`],
	['a heading', (payload) => `# ${payload}\n\n${payload}\n===`],
	['inline code', (payload) => `\`a${payload}b\``],
	['a code block', (payload) => `\`\`\`js ${payload}\nlet ${payload}\n\`\`\``],
	['indented code', (payload) => `    ${payload}`],
	['a link label', (payload) => `[a${payload}b](https://e.example)`],
	[
		'a link address',
		(payload) => `[a](https://e.example/${payload}) [b](<${payload}>) [c](${payload})`,
	],
	['a link title', (payload) => `[a](https://e.example "${payload}")`],
	[
		'an address in text',
		(payload) => `https://e.example/${payload} <https://e.example/${payload}>`,
	],
	['an image', (payload) => `![a${payload}](https://e.example/${payload})`],
	['a definition', (payload) => `[r${payload}]: https://e.example/${payload}\n\n[r${payload}]`],
	['a table', (payload) => `| a${payload} | b |\n|---|---|\n| ${payload} | \`${payload}\` |`],
	['a list', (payload) => `- ${payload}\n  1. ${payload}\n- [ ] ${payload}`],
	['a quote', (payload) => `> ${payload}\n> > ${payload}`],
	['inline html', (payload) => `<b title="${payload}">${payload}</b>`],
	['an html block', (payload) => `<div>\n${payload}\n</div>`],
	['a comment', (payload) => `<!-- ${payload} -->`],
	['a formula', (payload) => `$a${payload}b$`],
	['a long paragraph', (payload) => `word ${payload} `.repeat(200)],
];

const sequence = /^(?:\[\d{1,2}m|\]8;;(?:https?:\/\/[!-~]+)?\ue001)/;
const control = /(?!\u200d)\p{C}/u;

describe.each(places)('in %s', (_, place) => {
	test.each(payloads)('%j leaves nothing but our own styling', (payload) => {
		const source = place(payload);
		for (const options of [richOptions, {...richOptions, width: 20}, plainOptions]) {
			const streamer = createMarkdownStreamer(options);
			const rows = [...source].flatMap((character) => streamer.push(character));
			const tail = streamer.tail(50);
			for (const row of [...rows, ...tail, ...streamer.end(), ...renderMarkdown(source, options)]) {
				const sequences = spell(row).split('\ue000').slice(1);
				expect(sequences.filter((text) => !sequence.test(text))).toEqual([]);
				expect(visible(row)).not.toMatch(control);
				expect(row).not.toContain('8;;https://evil');
				if (options === plainOptions) expect(row).not.toContain('\x1b');
			}
		}
	});
});

test('every link that is opened in a row is closed in it', () => {
	for (const [, place] of places) {
		for (const row of renderMarkdown(place('[x](https://e.example) '.repeat(9)), richOptions)) {
			const links = [...spell(row).matchAll(/\ue000\]8;;([^\ue001]*)\ue001/g)].map(
				(match) => match[1] !== '',
			);
			expect(links).toEqual(links.map((_, index) => index % 2 === 0));
			expect(links.length % 2).toBe(0);
		}
	}
});

test('an unterminated sequence hides no more than its line', () => {
	const rows = renderMarkdown('a\x1b]52;c;xxx\nb', plainOptions);
	expect(rows).toEqual(['a', 'b']);
});

describe('200 KB that are made to be dear', () => {
	const size = 200_000;
	const repeat = (unit: string, end = '') => unit.repeat(Math.ceil(size / unit.length)) + end;
	const nested = Array.from({length: 440}, (_, depth) => `${' '.repeat(2 * depth)}- a\n`).join('');
	const ticks = Array.from({length: 630}, (_, count) => `${'`'.repeat(count)}a`).join('');

	test.each<[string, string]>([
		['brackets', repeat('[')],
		['links without end', repeat('[a](b', ')')],
		['images', repeat('![')],
		['stars', repeat('a*')],
		['stars and underscores', repeat('*a_ ')],
		['tildes', repeat('~a')],
		['code marks', ticks],
		['tags', repeat('<a b="')],
		['comments', repeat('a<!--')],
		['backslashes', repeat('\\')],
		['dollars', repeat('$a ')],
		['quotes', repeat('>', 'a\nb')],
		['lists', repeat('- ', 'a')],
		['rules that are none', repeat('* ', 'a')],
		['nested lists', nested],
		['columns', `${repeat('|')}\n${repeat('|-')}\n|a|`],
		['table rows', `a|b\n-|-\n${repeat('|\n')}`],
		['definitions', repeat('[a]: b\n')],
		['addresses', repeat('http://a.b/(')],
		['mail addresses', repeat('a.b', '@')],
		['blanks', `a${repeat(' ')}b`],
		['blank lines', repeat('\n')],
		['hard breaks', repeat('a   \n')],
		['combining marks', `a${repeat('\u0301')}`],
		['open sequences', repeat('\x1b]52;c;')],
		['entities', repeat('&#27;]52;c;aGk=&#7;')],
		['one line of code', `\`\`\`\n${repeat('x(')}`],
	])('are harmless: %s', (_, source) => {
		const start = performance.now();
		const streamer = createMarkdownStreamer(plainOptions);
		for (let index = 0; index < source.length; index += 2_000) {
			streamer.push(source.slice(index, index + 2_000));
			streamer.tail(12);
		}
		streamer.end();
		// Far above what it takes, far below what a cost that grows would take.
		expect(performance.now() - start).toBeLessThan(6_000);
	});
});

test.each<[string, string]>([
	['a letter with marks', `a${'\u0301'.repeat(20_000)}`],
	['joiners', `a${'\u200d'.repeat(20_000)}`],
	['words with marks', `a${'\u0301'.repeat(300)} `.repeat(70)],
	['code', `\`\`\`\na${'\u0301'.repeat(20_000)}`],
])('a row without end is broken off: %s', (_, source) => {
	const streamer = createMarkdownStreamer(plainOptions);
	for (const piece of source.match(/.{1,64}/gsu) ?? []) streamer.push(piece);
	expect(streamer.tail(100).join('').length).toBeLessThan(8_000);
});

test('text that fakes a box of ours has none of our styles', () => {
	const rows = renderMarkdown('\x1b[7m Approve? \x1b[0m', richOptions);
	expect(rows).toEqual(['Approve?']);
	expect(rows.map(visible)).toEqual(rows);
});
