/** A list as numbered lines: a line chooses an item by its number or its name, or narrows the list. */
import {foldText} from '../../fold-text.ts';
import {narrowList, readNumber, type SearchList} from './list.ts';

/** The items that are listed at once, unless there is a reason to list more. */
const usualItems = 30;

/** Returns a line for each item that is listed, and the number of the others. */
export function numberItems<Item>(
	{items}: SearchList<Item>,
	describe: (item: Item) => string,
	most = usualItems,
): {readonly lines: readonly string[]; readonly left: number} {
	const listed = items.slice(0, most);
	const lines = listed.map(({item}, index) => `${index + 1}. ${describe(item)}`);
	return {lines, left: items.length - listed.length};
}

/** An item, or the items that a line may mean. */
export type Chosen<Item> = {readonly item: Item} | {readonly list: SearchList<Item>};

export type LineOptions<Item> = {
	/** Finds the items that have a part of a name. */
	readonly search?: typeof narrowList<Item>;
	/** The items that are listed. */
	readonly most?: number | undefined;
};

/** Returns undefined for a line that means nothing. */
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
	// A wrong number, or a line that only has some letters of a name, may be meant for something else.
	const isPart = !/^\d+$/.test(line) && foldText(textOf(only.item)).includes(wanted);
	const isSure = isPart && others.length === 0;
	return named ?? (isSure ? only : {list: found});
}
