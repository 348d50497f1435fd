import {describe, expect, test} from 'vitest';
import {wrapLine} from '../../src/wording.ts';
import {type RunOptions, runChat} from '../helpers/run-chat.ts';

const argv = ['--base-url', 'example.com/a/path', 'p'];

async function failure(options: RunOptions) {
	const {stderr, exitCode} = await runChat(argv, options);
	expect(exitCode).toBe(64);
	return stderr.trimEnd().split('\n');
}

test.each([
	[40, 40],
	[undefined, 80],
	[200, 100],
])('a message is wrapped at words in a terminal of %s columns', async (columns, width) => {
	const piped = await failure({columns: 40});
	const shown = await failure({terminals: ['stderr'], ...(columns && {columns})});
	expect(shown.join(' ').split(/ +/)).toEqual(piped.join(' ').split(/ +/));
	expect(Math.max(...shown.map(({length}) => length))).toBeLessThanOrEqual(width);
	expect(shown.slice(1).filter((row) => !/^ {6}\S/.test(row))).toEqual([]);
	expect(piped.some(({length}) => length > 80)).toBe(true);
});

describe('a line', () => {
	test('keeps an address whole, which a terminal wraps and copies', () => {
		const url = `https://example.com/${'x'.repeat(30)}`;
		expect(wrapLine(`see ${url} now`, 20, '  ')).toEqual(['see', `  ${url}`, '  now']);
	});

	test.each([
		['Store it with: chat auth set, or not', ['Store it with:', '  chat auth set, or not']],
	])('keeps a command whole that fits in a row, so that it can be copied: %s', (line, rows) => {
		expect(wrapLine(line, 23, '  ')).toEqual(rows);
	});

	test('counts two cells for a Chinese character', () => {
		expect(wrapLine('中文中文 中文中文', 12, '')).toEqual(['中文中文', '中文中文']);
		expect(wrapLine('abcd efgh', 12, '')).toEqual(['abcd efgh']);
	});
});
