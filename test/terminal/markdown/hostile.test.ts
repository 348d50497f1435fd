import {beforeAll, describe, expect, test} from 'vitest';
import {
	createMarkdownStreamer,
	renderMarkdown,
} from '../../../src/terminal/markdown/stream/streamer.ts';
import {costOf, expectCost} from '../../helpers/cost.ts';
import {plainOptions, richOptions, spell, visible} from './sample.ts';

const payloads = [
	...['\x1b]52;c;aGFja2Vk\x07', '\x1b]52;c;aGFja2Vk\x1b\\', '\x9d52;c;aGFja2Vk\x9c'],
	...['\x1b]0;title\x07', '\x1b]9;7;calc\x07', '\x1b[2J\x1b[H', '\x1b[8mhidden\x1b[0m'],
	...['\x9b31m', '\x1bPq#0;2;0;0;0\x1b\\', '\x1b_APC\x1b\\', '\x1bc'],
	'\x1b]8;;https://evil.example\x07bank\x1b]8;;\x07',
	...['&#27;]52;c;aGFja2Vk&#7;', '&#x1b;]52;c;aGFja2Vk&#x07;', '&#x9d;52;c;aGFja2Vk&#x9c;'],
	...['&#155;31m', '&#27;[2J', '&#x1B;&#91;8mhidden', '&#8;&#8;&#8;&#13;over'],
	...['\u202eevil\u202c', '&#x202e;evil', '&#x200b;&#xfeff;&#xe0041;'],
	...['&#xd800;&#0;&#1114112;', '\x07\x08\x0b\x0c\x7f\x85\x00'],
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
	['a long paragraph', (payload) => `word ${payload} `.repeat(80)],
];

const sequence = /^(?:\[\d{1,2}m|\]8;;(?:https?:\/\/[!-~]+)?\ue001)/;
const control = /(?!\u200d)\p{C}/u;

/** Everything in the row that could do something to a terminal and is not ours. */
function findHarm(row: string): readonly string[] {
	const sequences = spell(row).split('\ue000').slice(1);
	return [
		...sequences.filter((text) => !sequence.test(text)),
		...(visible(row).match(control) ?? []),
		...(row.match(/8;;https:\/\/evil/) ?? []),
	];
}

test.each(places)('leaves only our own styling in %s', (_, place) => {
	for (const payload of payloads) {
		for (const options of [richOptions, {...richOptions, width: 20}, plainOptions]) {
			const streamer = createMarkdownStreamer(options);
			const rows = [...streamer.push(place(payload)), ...streamer.tail(50), ...streamer.end()];
			const harm = rows.flatMap(findHarm);
			expect(harm, JSON.stringify(payload)).toEqual([]);
		}
	}
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

/** The costliest of them takes 8 times as long; without the limits of the lexer, others take 50. */
const dearest = 25;

describe('text made to be expensive', {tags: ['cost']}, () => {
	const size = 50_000;
	const repeat = (unit: string, end = '') => unit.repeat(Math.ceil(size / unit.length)) + end;
	const nested = Array.from({length: 220}, (_, depth) => `${' '.repeat(2 * depth)}- a\n`).join('');
	const ticks = Array.from({length: 315}, (_, count) => `${'`'.repeat(count)}a`).join('');

	const stream = (source: string) => {
		const streamer = createMarkdownStreamer(plainOptions);
		for (let index = 0; index < source.length; index += 2_000) {
			streamer.push(source.slice(index, index + 2_000));
			streamer.tail(12);
		}
		streamer.end();
	};
	const prose = repeat('The quick **brown** fox jumps over `the` dog.\n\n');
	let proseMs = 0;
	beforeAll(() => {
		proseMs = costOf(() => stream(prose));
	});

	test.each<[string, string]>([
		['brackets', repeat('[')],
		['links without end', repeat('[a](b', ')')],
		['images', repeat('![')],
		['stars and underscores', repeat('*a_ ')],
		['code marks', ticks],
		['an embedded image without end', `![a](data:image/png;base64,${repeat('iVBORw0K')}`],
		['long addresses', repeat('https://a.example/b ')],
		['tags', repeat('<a b="')],
		['comments', repeat('a<!--')],
		['quotes', repeat('>', 'a\nb')],
		['lists', repeat('- ', 'a')],
		['lines that are almost rules', repeat('* ', 'a')],
		['nested lists', nested],
		['columns', `${repeat('|')}\n${repeat('|-')}\n|a|`],
		['addresses', repeat('http://a.b/(')],
		['blanks', `a${repeat(' ')}b`],
		['combining marks', `a${repeat('\u0301')}`],
		['open sequences', repeat('\x1b]52;c;')],
		['entities', repeat('&#27;]52;c;aGk=&#7;')],
		['one line of code', `\`\`\`\n${repeat('x(')}`],
	])('costs little more than prose: %s', (_, source) => {
		expectCost(() => stream(source), dearest * proseMs);
	});
});
