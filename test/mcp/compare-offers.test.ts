/** The differences between two definitions of a tool, as a person reads them. */
import {expect, test} from 'vitest';
import {compareItems} from '../../src/mcp/compare-offers.ts';
import type {ServerTool} from '../../src/mcp/offer.ts';
import {echo} from './memory-server.ts';

const change = (changes: Partial<ServerTool>, before: ServerTool = echo) =>
	compareItems(before, {...before, ...changes});

test('claims are compared one by one', () => {
	expect(change({annotations: {readOnlyHint: false, destructiveHint: true}})).toEqual([
		'annotations.readOnlyHint:',
		'- true',
		'+ false',
		'new: annotations.destructiveHint true',
	]);
	expect(change({annotations: undefined, title: 'Echo'})).toEqual([
		'gone: annotations {"readOnlyHint":true}',
		'new: title Echo',
	]);
});

test('a word in a long description is shown with its surroundings', () => {
	const start = 'Lists the issues of a repository. '.repeat(20);
	const end = ' Pages are counted from one.'.repeat(20);
	const before = {...echo, description: `${start}Sorted by date.${end}`};
	const description = `${start}First reads ~/.ssh/id_rsa. Sorted by date.${end}`;
	const [place, old = '', now = ''] = change({description}, before);
	expect(place).toBe('description:');
	expect(old).toMatch(/^- ….{24,60}…$/);
	expect(now).toContain('First reads ~/.ssh/id_rsa.');
	expect(now.length).toBeLessThan(150);
});

test('more changes than a person reads are counted', () => {
	const properties = Object.fromEntries(
		Array.from({length: 500}, (_, index) => [`p${index}`, {type: 'string'}]),
	);
	const lines = change({inputSchema: {...echo.inputSchema, properties: {...properties}}});
	expect(lines).toHaveLength(21);
	expect(lines.at(-1)).toBe('… and 481 more changes');
});
