/** The session picker's state: a list of sessions, narrowed by a query and a folder. */
import {foldText} from '../../fold-text.ts';
import {type EditorBuffer, emptyBuffer, expand} from '../editor/buffer.ts';
import type {TextField} from '../editor/change-editor.ts';
import type {Size} from '../geometry.ts';
import type {Question} from '../question/question.ts';
import {type List, selectedItem, withItems} from './list.ts';

/** A saved session as listed in the picker. Its texts come from a file. */
export type PickerSession = {
	readonly id: string;
	readonly title: string;
	/** Milliseconds since 1970. */
	readonly updated: number;
	/** The number of answered turns. */
	readonly turns: number;
	/** Whether any turn has an answer; without one, a session is only found by a query. */
	readonly isAnswered: boolean;
	readonly model: string | undefined;
	readonly cwd: string | undefined;
	/** Folded prompt openings. */
	readonly prompts: string;
};

/** A session, and where the query matched. */
export type PickerHit = {
	readonly session: PickerSession;
	/** Undefined if the query was not found, or not yet: the full text is searched last. */
	readonly foundIn: 'title' | 'prompts' | 'text' | undefined;
	/** The text around the match, once known, unless the title shows it. */
	readonly excerpt: string | undefined;
};

export type PreviewText = {readonly role: 'user' | 'assistant' | 'notice'; readonly text: string};

export type PickerState = Size & {
	/** The folder whose sessions come first. */
	readonly cwd: string;
	/** The wall clock when the picker opened, in milliseconds since 1970. */
	readonly date: number;
	/** All sessions, the last updated first. */
	readonly hits: readonly PickerHit[];
	/** Whether all sessions are known. */
	readonly isListed: boolean;
	/** The folder if undefined: nobody has chosen, and it may have sessions. */
	readonly scope: 'folder' | 'all' | undefined;
	readonly query: EditorBuffer;
	/** The query's number; older matches are dropped. */
	readonly searchNumber: number;
	readonly isSearching: boolean;
	/** The hits in the scope. */
	readonly list: List<PickerHit>;
	readonly isPreviewOpen: boolean;
	readonly preview: {readonly id: string; readonly texts: readonly PreviewText[]} | undefined;
	/** Set while a new title is written. */
	readonly renaming: {readonly session: PickerSession; readonly field: TextField} | undefined;
	/** Asks whether to delete a session; its answer is an id, or undefined. */
	readonly question: Question | undefined;
	/** Shown until the next key. */
	readonly notice: string | undefined;
};

export const noList: List<PickerHit> = {items: [], selected: undefined};

export function createPickerState(
	settings: Pick<PickerState, 'cwd' | 'date' | 'columns' | 'rows'>,
): PickerState {
	return {
		...settings,
		hits: [],
		isListed: false,
		scope: undefined,
		query: emptyBuffer,
		searchNumber: 0,
		isSearching: false,
		list: noList,
		isPreviewOpen: false,
		preview: undefined,
		renaming: undefined,
		question: undefined,
		notice: undefined,
	};
}

export function selectedSession({list}: PickerState): PickerSession | undefined {
	return selectedItem(list)?.session;
}

/** Returns the query's words, all required in a session. */
export function queryWords(query: EditorBuffer): readonly string[] {
	return expand(query)
		.split(/\s+/)
		.filter((word) => word !== '');
}

/** Searches the session texts in memory. */
export function findHits(
	sessions: readonly PickerSession[],
	{query}: PickerState,
): readonly PickerHit[] {
	const words = queryWords(query).map(foldText);
	return sessions.map((session) => ({session, foundIn: find(session, words), excerpt: undefined}));
}

function find(session: PickerSession, words: readonly string[]): PickerHit['foundIn'] {
	if (words.length === 0) return session.isAnswered ? 'title' : undefined;
	const title = foldText(session.title);
	if (words.every((word) => title.includes(word))) return 'title';
	const isFound = words.every((word) => title.includes(word) || session.prompts.includes(word));
	return isFound ? 'prompts' : undefined;
}

/**
 * Lists the hits in the scope. Full-text hits come last, so none moves while files are searched.
 * Reads no text: it runs for every few files.
 */
export function withHits(state: PickerState, hits: readonly PickerHit[]): PickerState {
	const {scope, cwd, list} = state;
	const shown = hits.filter(({session}) => scope === 'all' || session.cwd === cwd);
	const items = [
		...shown.filter(({foundIn}) => foundIn === 'title' || foundIn === 'prompts'),
		...shown.filter(({foundIn}) => foundIn === 'text'),
	];
	return {...state, hits, list: withItems(list, items, isSameSession)};
}

function isSameSession({session}: PickerHit, other: PickerHit): boolean {
	return session.id === other.session.id;
}

export type PickerLayout = ReturnType<typeof layoutPicker>;

/** The least width with the preview beside the list. */
const wideColumns = 100;

/** The least height with a row about the selected session. */
const tallRows = 9;

/** The window's last row stays free, so nothing scrolls, and a column for the cursor. */
export function layoutPicker({columns, rows, isPreviewOpen}: PickerState) {
	const height = Math.max(3, rows - 1);
	const width = Math.max(1, columns - 1);
	const hasDetails = height >= tallRows;
	// The query and the keys take two rows.
	const body = height - (hasDetails ? 3 : 2);
	const isBeside = isPreviewOpen && columns >= wideColumns;
	const rowsAbove = Math.max(1, Math.floor(body * 0.4));
	const isBelow = isPreviewOpen && !isBeside && body - rowsAbove >= 2;
	const listWidth = isBeside ? Math.floor(width * 0.45) : width;
	return {
		height,
		width,
		hasDetails,
		isBeside,
		listRows: isBelow ? rowsAbove : body,
		listWidth,
		/** None if the preview is closed, or has no room. */
		previewRows: isBeside ? body : isBelow ? body - rowsAbove : 0,
		previewWidth: isBeside ? width - listWidth - 2 : width,
	};
}
