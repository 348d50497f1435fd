/** Orders a session's turns: each names the one before it. */
import type {RecordOf, SessionRecord} from './session-record.ts';
import {titleOfPrompt} from './session-title.ts';

export type TurnNode = {
	readonly user: RecordOf<'user'>;
	/** The turn before it; undefined for the first one. */
	readonly parent: TurnNode | undefined;
	/** The last answer: one that was cut may go on. Undefined if the run ended before its end. */
	answer: RecordOf<'answer'> | undefined;
	/** Parts that came after that answer. */
	readonly partials: Array<RecordOf<'partial'>>;
};

export type SessionTree = {
	readonly header: RecordOf<'session'> | undefined;
	readonly settings: RecordOf<'settings'> | undefined;
	/** The given title, or the first prompt's beginning. */
	readonly title: string;
	/** All turns, each after its parent. */
	readonly turns: readonly TurnNode[];
	/**
	 * The turns up to the head, oldest first. Without a head record, the newest turn is the head.
	 */
	readonly path: readonly TurnNode[];
	/** Compactions that have their turns, in order. */
	readonly compactions: ReadonlyArray<RecordOf<'compact'>>;
	/** How many turns follow a missing one. */
	readonly orphans: number;
};

export function buildTree(records: Iterable<SessionRecord>): SessionTree {
	let header: SessionTree['header'];
	let settings: SessionTree['settings'];
	let title: string | undefined;
	let newest: TurnNode | undefined;
	let head: TurnNode | undefined;
	let orphans = 0;
	const nodes = new Map<string, TurnNode>();
	const compactions = new Map<string, RecordOf<'compact'>>();
	const add = (user: RecordOf<'user'>) => {
		const named = user.parent === null ? undefined : nodes.get(user.parent);
		const isOrphan = user.parent !== null && named === undefined;
		if (isOrphan) orphans += 1;
		newest = {user, parent: isOrphan ? newest : named, answer: undefined, partials: []};
		head = newest;
		nodes.set(user.id, newest);
	};
	for (const record of records) {
		switch (record.type) {
			case 'session':
				header ??= record;
				break;
			case 'settings':
				settings = record;
				break;
			case 'title':
				title = record.text;
				break;
			case 'user':
				if (!nodes.has(record.id)) add(record);
				break;
			case 'head':
				if (record.at === null) head = undefined;
				else head = nodes.get(record.at) ?? head;
				break;
			case 'compact':
				if (nodes.has(record.from) && nodes.has(record.to)) compactions.set(record.id, record);
				break;
			case 'uncompact':
				compactions.delete(record.of);
				break;
			case 'partial':
				nodes.get(record.of)?.partials.push(record);
				break;
			case 'answer': {
				const node = nodes.get(record.of);
				if (node === undefined) break;
				node.answer = record;
				node.partials.length = 0;
				break;
			}
			default:
				record satisfies never;
		}
	}
	const turns = [...nodes.values()];
	const [first] = turns;
	return {
		header,
		settings,
		title: title ?? (first === undefined ? '' : titleOfPrompt(first.user)),
		turns,
		path: pathTo(head),
		compactions: [...compactions.values()],
		orphans,
	};
}

/** In the file a parent comes before its children, which rules out circles. */
function pathTo(head: TurnNode | undefined): readonly TurnNode[] {
	const path: TurnNode[] = [];
	for (let node = head; node !== undefined; node = node.parent) path.push(node);
	return path.reverse();
}
