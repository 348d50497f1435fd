/** The state of the session picker, from which its view is drawn. */
import {foldText} from '../../fold-text.ts';
import {type EditorBuffer, emptyBuffer, expand} from '../editor/buffer.ts';
import type {TextField} from '../editor/change-editor.ts';
import type {Size} from '../geometry.ts';

/** A saved session as the picker lists it. Its texts come from a file. */
export type PickerSession = {
	readonly id: string;
	readonly title: string;
	/** Milliseconds since 1970. */
	readonly updated: number;
	/** The number of turns with an answer. */
	readonly turns: number;
	/** Whether any turn has an answer; without one, a session is only found by a query. */
	readonly isAnswered: boolean;
	readonly model: string | undefined;
	readonly cwd: string | undefined;
	/** The start of its prompts, folded. */
	readonly prompts: string;
};

/** Whether the sessions of one folder are listed, or those of all. */
export type PickerScope = 'folder' | 'all';

/** A session that matches the query. */
export type PickerHit = {
	readonly session: PickerSession;
	/** The place of the match, if the title does not show it. */
	readonly excerpt: string | undefined;
};

export type PreviewText = {readonly role: 'user' | 'assistant' | 'notice'; readonly text: string};

export type PickerMode =
	| {readonly type: 'browse'}
	| {readonly type: 'rename'; readonly session: PickerSession; readonly field: TextField}
	/** `y` deletes once the question is armed. */
	| {readonly type: 'delete'; readonly session: PickerSession; readonly isArmed: boolean};

export type PickerState = Size & {
	/** The folder of the scope `folder`. */
	readonly cwd: string;
	/** The wall clock when the picker opened, in milliseconds since 1970. */
	readonly date: number;
	/** The last updated session first. */
	readonly sessions: readonly PickerSession[];
	/** Whether all sessions are listed. */
	readonly isListed: boolean;
	readonly scope: PickerScope;
	/** Whether the user has chosen the scope. */
	readonly isScopeChosen: boolean;
	readonly query: EditorBuffer;
	/** The full texts that match the query, by session. */
	readonly excerpts: ReadonlyMap<string, string>;
	/** The number of the query; matches of an older one are dropped. */
	readonly searchNumber: number;
	readonly isSearching: boolean;
	readonly hits: readonly PickerHit[];
	/** Undefined if nothing is listed. */
	readonly selectedId: string | undefined;
	readonly isPreviewOpen: boolean;
	readonly preview: {readonly id: string; readonly texts: readonly PreviewText[]} | undefined;
	readonly mode: PickerMode;
	/** Shown until the next key. */
	readonly notice: string | undefined;
};

export function createPickerState(
	settings: Pick<PickerState, 'cwd' | 'date' | 'columns' | 'rows'>,
): PickerState {
	return {
		...settings,
		sessions: [],
		isListed: false,
		scope: 'folder',
		isScopeChosen: false,
		query: emptyBuffer,
		excerpts: new Map(),
		searchNumber: 0,
		isSearching: false,
		hits: [],
		selectedId: undefined,
		isPreviewOpen: false,
		preview: undefined,
		mode: {type: 'browse'},
		notice: undefined,
	};
}

/** Returns the words of the query, all of which a session must have. */
export function wordsOf(query: EditorBuffer): readonly string[] {
	return expand(query)
		.split(/\s+/)
		.filter((word) => word !== '');
}

/** Finds the hits again, and keeps the selection if it is one of them. */
export function withHits(state: PickerState): PickerState {
	const hits = findHits(state);
	const isKept = hits.some(({session}) => session.id === state.selectedId);
	return {...state, hits, selectedId: isKept ? state.selectedId : hits[0]?.session.id};
}

/** Adds older sessions. Only these are searched, unless hits by full text are last already. */
export function withOlder(state: PickerState, added: readonly PickerSession[]): PickerState {
	const next = {...state, sessions: [...state.sessions, ...added]};
	if (state.excerpts.size > 0) return withHits(next);
	const hits = [...state.hits, ...findHits({...state, sessions: added})];
	return {...next, hits, selectedId: state.selectedId ?? hits[0]?.session.id};
}

/** Sessions found by their full text come last, so that none moves while they are searched. */
function findHits({sessions, scope, cwd, query, excerpts}: PickerState): readonly PickerHit[] {
	const words = wordsOf(query).map(foldText);
	const direct: PickerHit[] = [];
	const others: PickerHit[] = [];
	for (const session of sessions) {
		if (scope === 'folder' && session.cwd !== cwd) continue;
		if (words.length === 0 && !session.isAnswered) continue;
		const excerpt = excerpts.get(session.id);
		const title = words.length === 0 ? '' : foldText(session.title);
		if (words.every((word) => title.includes(word))) direct.push({session, excerpt: undefined});
		else if (words.every((word) => title.includes(word) || session.prompts.includes(word)))
			direct.push({session, excerpt});
		else if (excerpt !== undefined) others.push({session, excerpt});
	}
	return [...direct, ...others];
}

export function selectedPlace({hits, selectedId}: PickerState): number {
	return hits.findIndex(({session}) => session.id === selectedId);
}

export function selectedSession(state: PickerState): PickerSession | undefined {
	return state.hits[selectedPlace(state)]?.session;
}
