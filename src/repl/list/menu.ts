/** The list below the prompt, which completes the word before the cursor. */

import {type Found, findFuzzy} from '../../find-fuzzy.ts';
import type {EditorBuffer} from '../editor/buffer.ts';
import {deleteTo, insertText} from '../editor/edit.ts';

export type MenuValue = {
	/** Replaces the word. */
	readonly text: string;
	/** Shown and searched in place of the text. */
	readonly label?: string;
	readonly meaning?: string;
	/** Whether more has to follow: a folder, or a setting without its value. */
	readonly isPartial?: boolean;
	/** Whether it is the word itself, as it is written. */
	readonly isWritten?: true;
	/** Those of a kind stay together: templates after commands, prompts of servers last. */
	readonly rank?: 1 | 2;
};

/** Values from outside the session. */
export type ValueSource =
	| {readonly type: 'models'}
	| {readonly type: 'sessions'}
	| {readonly type: 'templates'}
	| {readonly type: 'files'}
	/** Values that a server proposes for an argument of its prompt. */
	| {
			readonly type: 'arguments';
			readonly prompt: string;
			readonly argument: string;
			/** The part of it that is written, and the arguments before it. */
			readonly written: string;
			readonly before: string;
	  }
	/** The entries of a folder, as it is written. */
	| {readonly type: 'folder'; readonly path: string};

/** The values that an argument may have, and the part of it that is written. */
export type Completion = {
	/** The letters to look for; a value replaces them. */
	readonly query: string;
	readonly values: readonly MenuValue[] | ValueSource;
	/** Whether any other text fits as well: Enter takes a value only if it was chosen. */
	readonly isFree?: true;
};

/** The word before the cursor, and what it may be. */
export type MenuPlace = Completion & {
	/** More values, which come after those that are known. */
	readonly more?: ValueSource;
	/** The thing that Enter takes: a command or an argument, which run, or a file, which is inserted. */
	readonly kind: 'command' | 'argument' | 'file';
	/** Where it starts in the line of the cursor. */
	readonly start: number;
};

export type Menu = Omit<MenuPlace, 'values' | 'more'> & {
	readonly line: number;
	readonly source: ValueSource | undefined;
	/** Undefined until they are listed. */
	readonly values: readonly MenuValue[] | undefined;
	/** Those that match the query, best first. */
	readonly rows: ReadonlyArray<Found<MenuValue>>;
	/** The index of the row that Enter takes. */
	readonly selected: number | undefined;
	/** Whether the user has closed it, for this word. */
	readonly isClosed: boolean;
	/** Whether Tab opened it; then it also completes paths. */
	readonly isTab: boolean;
};

export function createMenu(
	{values, more, ...place}: MenuPlace,
	line: number,
	isTab: boolean,
): Menu {
	const isListed = !('type' in values);
	const menu: Menu = {
		...place,
		line,
		source: isListed ? more : values,
		values: undefined,
		rows: [],
		selected: undefined,
		isClosed: false,
		isTab,
	};
	return changeMenu(menu, {values: isListed ? values : undefined});
}

/** Changes the values or the query, and selects the first row where Enter may take it. */
export function changeMenu(menu: Menu, change: Partial<Pick<Menu, 'query' | 'values'>>): Menu {
	const {kind, query, source, isFree, values = []} = {...menu, ...change};
	// A longer query finds nothing that the shorter one has not found.
	const isLonger = menu.rows.length > 0 && change.values === undefined;
	const isNarrower = isLonger && menu.query !== '' && query.startsWith(menu.query);
	const shown = menu.rows.map(({item}) => item).filter(({isWritten}) => isWritten !== true);
	const known = isNarrower ? shown : values;
	// The first ones stay where they are when others follow, so that Enter runs what was seen.
	const found = findFuzzy(query, known, labelOf).toSorted(
		(one, other) => (one.item.rank ?? 0) - (other.item.rank ?? 0),
	);
	// An argument that is whole needs no list.
	const isWhole = kind !== 'command' && found.length === 1 && found[0]?.item.text === query;
	// A service may have models that it does not list.
	const isNew = source?.type === 'models' && query !== '' && found.length > 0;
	const isListed = found.some(({item}) => labelOf(item) === query);
	const rows = isWhole ? [] : isNew && !isListed ? [...found, writtenRow(query)] : found;
	const isCertain = kind === 'command' || (query !== '' && (kind === 'file' || isFree !== true));
	return {...menu, ...change, rows, selected: isCertain && rows.length > 0 ? 0 : undefined};
}

function writtenRow(text: string): Found<MenuValue> {
	return {item: {text, meaning: 'use this name as it is', isWritten: true}, places: []};
}

export function labelOf({text, label = text}: MenuValue): string {
	return label;
}

/** Selects the next row in a direction; after the last comes the first. */
export function moveSelection(menu: Menu, step: -1 | 1): Menu {
	const {rows, selected} = menu;
	const from = selected ?? (step === 1 ? -1 : rows.length);
	return {...menu, selected: (from + step + rows.length) % rows.length};
}

/** Puts a value in the place of the word; the slash of a command is typed already. */
export function takeValue(
	buffer: EditorBuffer,
	{start, kind}: Menu,
	{text}: MenuValue,
): EditorBuffer {
	const kept = kind === 'command' ? 1 : 0;
	const column = start + kept;
	return insertText(deleteTo(buffer, {line: buffer.cursor.line, column}), text.slice(kept));
}

/** Completes a path as it is written: the entries of the folder it names so far. */
export function completePath(written: string): Completion {
	const end = written.lastIndexOf('/') + 1;
	const path = written.slice(0, end);
	return {query: written.slice(end), values: {type: 'folder', path}, isFree: true};
}
