/** A list as numbered lines: a line chooses an item by its number or its name, or narrows the list. */
import {foldText} from '../../fold-text.ts';
import {narrowList, readNumber, type SearchList} from './list.ts';

/** The number of items listed at once by default. */
const usualItems = 30;

/** Returns a line per listed item, and the number of omitted ones. */
export function numberItems<Item>(
	{items}: SearchList<Item>,
	describe: (item: Item) => string,
	most = usualItems,
): {readonly lines: readonly string[]; readonly left: number} {
	const listed = items.slice(0, most);
	const lines = listed.map(({item}, index) => `${index + 1}. ${describe(item)}`);
	return {lines, left: items.length - listed.length};
}

/** An item, or the items a line may mean. */
export type Chosen<Item> = {readonly item: Item} | {readonly list: SearchList<Item>};

export type LineOptions<Item> = {
	/** Finds items by a part of their names. */
	readonly search?: typeof narrowList<Item>;
	/** The listed items. */
	readonly most?: number | undefined;
};

/** Returns undefined for an unrecognized line. */
export function chooseByLine<Item>(
	list: SearchList<Item>,
	line: string,
	textOf: (item: Item) => string,
	{search = narrowList, most = usualItems}: LineOptions<Item> = {},
): Chosen<Item> | undefined {
	const listed = list.items.slice(0, most);
	const place = readNumber(line, listed.length);
	const numbered = place === undefined ? undefined : listed[place];
	if (numbered !== undefined || line === '') return numbered;
	const found = search({...list, query: ''}, line, textOf);
	const [only, ...others] = found.items;
	if (only === undefined) return undefined;
	const wanted = foldText(line);
	const named = found.items.find(({item}) => foldText(textOf(item)) === wanted);
	// A wrong number, or a line containing only some letters of a name, may mean something else.
	const isPart = !/^\d+$/.test(line) && foldText(textOf(only.item)).includes(wanted);
	const isSure = isPart && others.length === 0;
	return named ?? (isSure ? only : {list: found});
}
