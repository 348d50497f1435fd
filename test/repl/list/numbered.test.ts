/** Lists as numbered lines: for screen readers, and for questions where nothing may be redrawn. */
import {expect, test} from 'vitest';
import {createSearchList} from '../../../src/repl/list/list.ts';
import {chooseByLine} from '../../../src/repl/list/numbered.ts';

const itself = (item: string) => item;
const animals = createSearchList(['Kätzchen', 'cat', 'wildcat', 'dog']);

function choose(line: string): string | readonly string[] | undefined {
	const chosen = chooseByLine(animals, line, itself);
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
