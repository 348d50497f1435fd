/** Lists as numbered lines: for screen readers, and for questions where nothing may be redrawn. */
import {expect, test} from 'vitest';
import {createSearchList} from '../../../src/repl/list/list.ts';
import {chooseByLine, numberItems} from '../../../src/repl/list/numbered.ts';

const itself = (item: string) => item;
const animals = createSearchList(['Kätzchen', 'cat', 'wildcat', 'dog']);

function choose(line: string, list = animals): string | readonly string[] | undefined {
	const chosen = chooseByLine(list, line, itself);
	if (chosen === undefined) return undefined;
	return 'item' in chosen ? chosen.item : chosen.list.items.map(({item}) => item);
}

test.each([
	['4', 'dog'],
	['kätz', 'Kätzchen'],
	['CAT', 'cat'],
	['do', 'dog'],
])('%j chooses one: by its number, its name, or a part that only it has', (line, item) => {
	expect(choose(line)).toBe(item);
});

test('what several have narrows the list, and so do letters that are not together', () => {
	expect(choose('ca')).toEqual(['cat', 'wildcat']);
	expect(choose('dg')).toEqual(['dog']);
});

test.each(['', '0', '5', 'zebra'])('%j means nothing', (line) => {
	expect(choose(line)).toBeUndefined();
});

test('the items after the thirtieth are counted, and found by their names', () => {
	const list = createSearchList(Array.from({length: 40}, (_, index) => `item-${index}`));
	const {lines, left} = numberItems(list, itself);
	expect(lines).toHaveLength(30);
	expect(lines.at(-1)).toBe('30. item-29');
	expect(left).toBe(10);
	expect(choose('31', list)).toEqual(['item-31']);
	expect(choose('item-35', list)).toBe('item-35');
});
