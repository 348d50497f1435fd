/** The list below the prompt, which completes the word before the cursor. */

import type {Found} from '../../find-fuzzy.ts';
import {createSearchList, narrowList, type SearchList} from './list.ts';

export type MenuValue = {
	/** Replaces the word. */
	readonly text: string;
	/** Shown and searched in place of the text. */
	readonly label?: string;
	readonly meaning?: string;
	/** Whether more has to follow: a folder, or a setting without its value. */
	readonly isPartial?: boolean;
	/** Whether it is the written word itself. */
	readonly isWritten?: true;
	/** Whether it is in use; an empty query selects it. */
	readonly isCurrent?: true;
	/** Templates are listed after commands, and server prompts last. */
	readonly rank?: 1 | 2;
};

/** Sources for values outside the state. */
export type ValueSource =
	| {readonly type: 'models'}
	| {readonly type: 'profiles'}
	| {readonly type: 'sessions'}
	| {readonly type: 'templates'}
	| {readonly type: 'files'}
	/** A server's suggestions for a prompt argument. */
	| {
			readonly type: 'arguments';
			readonly prompt: string;
			readonly argument: string;
			/** The written part, and the arguments before it. */
			readonly written: string;
			readonly before: string;
	  }
	/** A folder's entries, with its path as written. */
	| {readonly type: 'folder'; readonly path: string};

/** The lists opened by bare commands, and the notice for an empty one. */
export const openedLists = {
	models: {
		title: 'Models',
		none: 'the service lists no models',
		next: 'another one: /model NAME',
	},
	profiles: {
		title: 'Profiles',
		none: 'there are no profiles',
		next: '/connect creates one',
	},
} as const;

/** An argument's possible values, and its written part. */
export type Completion = {
	/** The letters to look for; a value replaces them. */
	readonly query: string;
	/** Values from the state. */
	readonly values?: readonly MenuValue[];
	/** Lists more values, which come after them. */
	readonly source?: ValueSource;
	/** Whether any other text fits as well: Enter takes a value only if it was chosen. */
	readonly isFree?: true;
};

/** The word before the cursor, and its possible meaning. */
export type MenuPlace = Completion & {
	/** Enter runs a command or an argument, and inserts a file. */
	readonly kind: 'command' | 'argument' | 'file';
	/** Start index in the cursor's line. */
	readonly start: number;
};

export type Menu = Omit<MenuPlace, 'values'> &
	SearchList<MenuValue> & {
		readonly line: number;
		/** Whether values are known, even if more may come. */
		readonly isListed: boolean;
		/** Whether the user closed it for this word. */
		readonly isClosed: boolean;
		/** Whether Tab opened it; then it also completes paths. */
		readonly isTab: boolean;
		/** Whether a single match is taken once values come: nothing was typed since Tab. */
		readonly takesMatch: boolean;
	};

export function createMenu(
	{values, query, ...place}: MenuPlace,
	opening: Pick<Menu, 'line' | 'isTab' | 'takesMatch'>,
): Menu {
	const menu: Menu = {
		...createSearchList(values ?? []),
		...place,
		...opening,
		isListed: values !== undefined,
		isClosed: false,
	};
	return withQuery(menu, query);
}

export function withValues(menu: Menu, values: readonly MenuValue[]): Menu {
	return withQuery({...menu, ...createSearchList(values), isListed: true}, menu.query);
}

/** Changes the query, selecting the first row where Enter may take it. */
export function withQuery(menu: Menu, query: string): Menu {
	const {kind, source, isFree} = menu;
	const narrowed = narrowList(menu, query, labelOf);
	// The first rows stay in place when more values arrive, so Enter runs the row the user saw.
	const found = narrowed.found.toSorted(
		(one, other) => (one.item.rank ?? 0) - (other.item.rank ?? 0),
	);
	// A whole argument needs no list.
	const isWhole = kind !== 'command' && found.length === 1 && found[0]?.item.text === query;
	// A service may have unlisted models.
	const isNew = source?.type === 'models' && query !== '' && menu.all.length > 0;
	const isKnown = found.some(({item}) => labelOf(item) === query);
	const items = isWhole
		? []
		: isNew && !isKnown
			? [...found, writtenRow(query, found.length)]
			: found;
	const isCertain =
		kind === 'command' ||
		(query !== '' && found.length > 0 && (kind === 'file' || isFree !== true));
	return {
		...menu,
		...narrowed,
		items,
		selected: isCertain && items.length > 0 ? 0 : undefined,
	};
}

function writtenRow(text: string, others: number): Found<MenuValue> {
	const meaning = others > 0 ? 'use this name unchanged' : 'not in the list; use it anyway';
	return {item: {text, meaning, isWritten: true}, places: []};
}

/** Marks the current value. */
export function markCurrent(value: MenuValue, current: string): MenuValue {
	if (value.text !== current) return value;
	const meaning = value.meaning === undefined ? 'current' : `current · ${value.meaning}`;
	return {...value, meaning, isCurrent: true};
}

export function labelOf({text, label = text}: MenuValue): string {
	return label;
}

/** Completes a path as written, from the folder named so far. */
export function completePath(written: string): Completion {
	const end = written.lastIndexOf('/') + 1;
	const path = written.slice(0, end);
	return {query: written.slice(end), source: {type: 'folder', path}, isFree: true};
}
