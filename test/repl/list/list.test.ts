/** The list that menus, the tree, sessions and questions share. */
import {describe, expect, test} from 'vitest';
import type {ListCommand} from '../../../src/repl/keys/key-bindings.ts';
import {
	createSearchList,
	type List,
	moveIn,
	narrowList,
	readNumber,
	windowFrom,
	windowOf,
} from '../../../src/repl/list/list.ts';

function listOf(length: number, selected?: number): List<string> {
	return {items: Array.from({length}, (_, index) => `item ${index}`), selected};
}

describe('the selection', () => {
	const move = (list: List<string>, isCyclic: boolean, ...commands: readonly ListCommand[]) =>
		commands.reduce((moved, command) => moveIn(moved, command, {pageRows: 4, isCyclic}), list)
			.selected;

	test('moves by rows and pages, to both ends and not beyond', () => {
		expect(move(listOf(10, 0), false, 'above')).toBe(0);
		expect(move(listOf(10, 0), false, 'below', 'page-below')).toBe(5);
		expect(move(listOf(10, 7), false, 'page-below', 'below')).toBe(9);
		expect(move(listOf(10, 7), false, 'first')).toBe(0);
		expect(move(listOf(10, 7), false, 'last', 'page-above')).toBe(5);
	});

	test('starts at an end of the list', () => {
		expect(move(listOf(3), false, 'below')).toBe(0);
		expect(move(listOf(3), false, 'above')).toBe(2);
	});

	test('goes around in a cyclic list, by rows alone', () => {
		expect(move(listOf(10, 9), true, 'below')).toBe(0);
		expect(move(listOf(10, 0), true, 'above')).toBe(9);
		expect(move(listOf(10, 8), true, 'page-below')).toBe(9);
	});

	test('is none in an empty list', () => {
		expect(move(listOf(0, 0), true, 'below')).toBeUndefined();
		expect(move(listOf(0), false, 'last')).toBeUndefined();
	});
});

describe('the window', () => {
	const shown = (list: List<string>, room: number) =>
		windowOf(list, room).map(({index, mark}) => mark + index);

	test('has the rows around the selected one, and marks what is left out', () => {
		expect(shown(listOf(9, 4), 5)).toEqual(['↑ 2', '  3', '› 4', '  5', '↓ 6']);
		expect(shown(listOf(9, 0), 3)).toEqual(['› 0', '  1', '↓ 2']);
		expect(shown(listOf(9, 8), 3)).toEqual(['↑ 6', '  7', '› 8']);
		expect(shown(listOf(9), 2)).toEqual(['  0', '↓ 1']);
	});

	test('shows all of a short list, and only the selected row where there is room for one', () => {
		expect(shown(listOf(2, 1), 5)).toEqual(['  0', '› 1']);
		expect(shown(listOf(9, 6), 1)).toEqual(['› 6']);
		expect(shown(listOf(9, 6), 0)).toEqual([]);
	});

	test('never leaves a row empty below the last item', () => {
		expect(windowFrom(8, 10, 4)).toEqual({start: 6, end: 10});
		expect(windowFrom(-3, 10, 4)).toEqual({start: 0, end: 4});
	});
});

describe('a query', () => {
	const all = ['model', 'mode', 'demo'];
	const find = (...queries: readonly string[]) =>
		queries
			.reduce((list, query) => narrowList(list, query, (item) => item), createSearchList(all))
			.items.map(({item}) => item);

	test('finds the items that match, the best first', () => {
		expect(find('')).toEqual(all);
		expect(find('mo')).toEqual(['mode', 'model', 'demo']);
	});

	test('searches only what a shorter query has found, and all again for another one', () => {
		const looked: string[] = [];
		const look = (item: string) => {
			looked.push(item);
			return item;
		};
		const narrow = narrowList(createSearchList(all), 'mod', look);
		looked.length = 0;
		narrowList(narrow, 'mode', look);
		expect(looked).toEqual(['mode', 'model']);
		expect(find('mod', 'mode', 'dem')).toEqual(['demo']);
	});
});

test.each([
	['1', 0],
	['3', 2],
	['03', 2],
	['0', undefined],
	['4', undefined],
	['', undefined],
	['1.', undefined],
])('%j is the number of an item of three, or of none', (line, index) => {
	expect(readNumber(line, 3)).toBe(index);
});
