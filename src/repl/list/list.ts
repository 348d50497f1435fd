/** A list with a selected item. Keys move the selection, and a window shows the rows around it. */
import {type Found, findFuzzy} from '../../find-fuzzy.ts';
import {promptMark} from '../geometry.ts';
import {commandIn, type ListCommand, listBindings} from '../keys/key-bindings.ts';

export type List<Item> = {
	/** The items to choose from, from top to bottom. */
	readonly items: readonly Item[];
	/** The selected index. */
	readonly selected: number | undefined;
};

export function selectedItem<Item>({items, selected}: List<Item>): Item | undefined {
	return selected === undefined ? undefined : items[selected];
}

/** Selects the nearest existing item. */
export function selectAt<Shown extends List<unknown>>(list: Shown, place: number): Shown {
	const last = list.items.length - 1;
	return {...list, selected: last < 0 ? undefined : Math.max(0, Math.min(place, last))};
}

/** Keeps the selection on its item when the items change, or selects the first one. */
export function withItems<Item>(
	list: List<Item>,
	items: readonly Item[],
	isSame: (selected: Item, item: Item) => boolean,
): List<Item> {
	const item = selectedItem(list);
	const place = item === undefined ? -1 : items.findIndex((next) => isSame(item, next));
	return selectAt({items, selected: undefined}, place);
}

/**
 * Moves the selection. The first step goes to the first item, or up to the last one.
 *
 * @param options.isCyclic whether the first item follows the last one
 */
export function moveIn<Shown extends List<unknown>>(
	list: Shown,
	command: ListCommand,
	{pageRows = 1, isCyclic = false}: {readonly pageRows?: number; readonly isCyclic?: boolean} = {},
): Shown {
	const {length} = list.items;
	const step = steps[command](pageRows);
	const {selected = step < 0 ? length : -1} = list;
	const place = selected + step;
	const isRound = isCyclic && (command === 'above' || command === 'below');
	return selectAt(list, isRound ? (place + length) % length : place);
}

const steps: Readonly<Record<ListCommand, (pageRows: number) => number>> = {
	above: () => -1,
	below: () => 1,
	'page-above': (pageRows) => -pageRows,
	'page-below': (pageRows) => pageRows,
	first: () => Number.NEGATIVE_INFINITY,
	last: () => Number.POSITIVE_INFINITY,
};

/** Returns a list key's command. */
export function findListCommand(chord: string): ListCommand | undefined {
	return commandIn(listBindings, chord);
}

export type ListRow<Item> = {
	readonly item: Item;
	readonly index: number;
	readonly isSelected: boolean;
	/** Two cells: whether the row is selected, or there are more above or below. */
	readonly mark: string;
};

/** Returns at most `room` rows around the selected one. */
export function windowOf<Item>(
	{items, selected}: List<Item>,
	room: number,
): ReadonlyArray<ListRow<Item>> {
	const top = (selected ?? 0) - Math.floor(room / 2);
	const {start, end} = windowFrom(top, items.length, room);
	return items.slice(start, end).map((item, offset) => {
		const index = start + offset;
		const isSelected = index === selected;
		const isMoreAbove = offset === 0 && start > 0;
		const isMoreBelow = index === end - 1 && end < items.length;
		const more = isMoreAbove ? '↑ ' : isMoreBelow ? '↓ ' : '  ';
		return {item, index, isSelected, mark: isSelected ? promptMark : more};
	});
}

/** Returns the rows in [`start`, `end`) as far as they exist. */
export function windowFrom(
	top: number,
	length: number,
	room: number,
): {readonly start: number; readonly end: number} {
	const count = Math.max(0, Math.min(room, length));
	const start = Math.max(0, Math.min(top, length - count));
	return {start, end: start + count};
}

/** A list narrowed by a query. */
export type SearchList<Item> = List<Found<Item>> & {
	/** All items. */
	readonly all: readonly Item[];
	readonly query: string;
	/** The matching items, the best one first. Others may follow them. */
	readonly found: ReadonlyArray<Found<Item>>;
};

export function createSearchList<Item>(all: readonly Item[]): SearchList<Item> {
	const found = findFuzzy('', all, String);
	return {all, query: '', found, items: found, selected: undefined};
}

/** Finds matching items, selecting none. */
export function narrowList<Item>(
	list: SearchList<Item>,
	query: string,
	textOf: (item: Item) => string,
): SearchList<Item> {
	// A longer query only narrows the shorter one's results.
	const isNarrower = list.query !== '' && query.startsWith(list.query);
	const known = isNarrower ? list.found.map(({item}) => item) : list.all;
	const found = findFuzzy(query, known, textOf);
	return {...list, query, found, items: found, selected: undefined};
}

/** Returns the index for an entered number, where items are numbered lines. */
export function readNumber(line: string, count: number): number | undefined {
	const number = /^\d+$/.test(line) ? Number(line) : 0;
	return number >= 1 && number <= count ? number - 1 : undefined;
}
