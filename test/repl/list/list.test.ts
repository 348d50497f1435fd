/** The list that menus, the tree, sessions and questions share. */
import {expect, test} from 'vitest';
import {
	createSearchList,
	type List,
	narrowList,
	readNumber,
	type SearchList,
	windowFrom,
	windowOf,
} from '../../../src/repl/list/list.ts';

function listOf(length: number, selected?: number): List<string> {
	return {items: Array.from({length}, (_, index) => `item ${index}`), selected};
}

test('the window has the rows around the selected one, and marks what is left out', () => {
	const shown = (list: List<string>, room: number) =>
		windowOf(list, room).map(({index, mark}) => mark + index);
	expect(shown(listOf(9, 4), 5)).toEqual(['↑ 2', '  3', '› 4', '  5', '↓ 6']);
	expect(shown(listOf(9, 0), 3)).toEqual(['› 0', '  1', '↓ 2']);
	expect(shown(listOf(9, 8), 3)).toEqual(['↑ 6', '  7', '› 8']);
	expect(shown(listOf(9), 2)).toEqual(['  0', '↓ 1']);
	// All of a short list, and only the selected row where there is room for one.
	expect(shown(listOf(2, 1), 5)).toEqual(['  0', '› 1']);
	expect(shown(listOf(9, 6), 1)).toEqual(['› 6']);
	expect(shown(listOf(9, 6), 0)).toEqual([]);
	// No row is left empty below the last item.
	expect(windowFrom(8, 10, 4)).toEqual({start: 6, end: 10});
	expect(windowFrom(-3, 10, 4)).toEqual({start: 0, end: 4});
});

test.each([
	['3', 2],
	['03', 2],
	['0', undefined],
	['4', undefined],
	['1.', undefined],
])('%j is the number of an item of three, or of none', (line, index) => {
	expect(readNumber(line, 3)).toBe(index);
});

test('another query searches all items again', () => {
	const narrow = (list: SearchList<string>, query: string) =>
		narrowList(list, query, (item) => item);
	const {items} = ['mod', 'mode', 'dem'].reduce(narrow, createSearchList(['model', 'demo']));
	expect(items.map(({item}) => item)).toEqual(['demo']);
});
