/** Orders the turns of a session: each names the one before it. */
import type {RecordOf, SessionRecord} from './session-record.ts';

export type TurnNode = {
	readonly user: RecordOf<'user'>;
	/** The turn before it; undefined for the first one. */
	readonly parent: TurnNode | undefined;
	/** The first answer; undefined if the run ended before it was whole. */
	answer: RecordOf<'answer'> | undefined;
	readonly partials: Array<RecordOf<'partial'>>;
	isRemoved: boolean;
};

export type SessionTree = {
	readonly header: RecordOf<'session'> | undefined;
	readonly settings: RecordOf<'settings'> | undefined;
	/** The one that was given, or the beginning of the first prompt. */
	readonly title: string;
	/** The turns up to the newest one, oldest first. */
	readonly path: readonly TurnNode[];
	/** How many turns have an answer, but nothing after it: more than 1 if several runs went on at once. */
	readonly branches: number;
	/** How many turns follow one that is not there. */
	readonly orphans: number;
};

export function buildTree(records: Iterable<SessionRecord>): SessionTree {
	let header: SessionTree['header'];
	let settings: SessionTree['settings'];
	let title: string | undefined;
	let newest: TurnNode | undefined;
	let orphans = 0;
	const turns = new Map<string, TurnNode>();
	const add = (user: RecordOf<'user'>) => {
		const named = user.parent === null ? undefined : turns.get(user.parent);
		const isOrphan = user.parent !== null && named === undefined;
		if (isOrphan) orphans += 1;
		const parent = isOrphan ? newest : named;
		newest = {user, parent, answer: undefined, partials: [], isRemoved: false};
		turns.set(user.id, newest);
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
				if (!turns.has(record.id)) add(record);
				break;
			default:
				changeTurn(turns.get(record.type === 'removed' ? record.id : record.of), record);
		}
	}
	const all = [...turns.values()];
	return {
		header,
		settings,
		title: title ?? titleOf(all[0]),
		path: pathTo(newest),
		branches: countBranches(all),
		orphans,
	};
}

function changeTurn(
	turn: TurnNode | undefined,
	record: RecordOf<'partial' | 'answer' | 'removed'>,
): void {
	if (turn === undefined) return;
	switch (record.type) {
		case 'partial':
			turn.partials.push(record);
			break;
		case 'answer':
			turn.answer ??= record;
			break;
		case 'removed':
			turn.isRemoved = true;
			break;
		default:
			record satisfies never;
	}
}

/** A parent comes before its children in the file, so that there is no circle. */
function pathTo(newest: TurnNode | undefined): readonly TurnNode[] {
	const path: TurnNode[] = [];
	for (let node = newest; node !== undefined; node = node.parent) {
		if (!node.isRemoved) path.push(node);
	}
	return path.reverse();
}

function countBranches(all: readonly TurnNode[]): number {
	const kept = all.filter(
		({answer, partials, isRemoved}) => !isRemoved && (answer !== undefined || partials.length > 0),
	);
	const parents = new Set(kept.flatMap((node) => keptParent(node) ?? []));
	return kept.filter((node) => !parents.has(node)).length;
}

/** Returns the closest turn before it that was not removed. */
function keptParent({parent}: TurnNode): TurnNode | undefined {
	let node = parent;
	while (node?.isRemoved === true) node = node.parent;
	return node;
}

const titleLength = 60;

function titleOf(first: TurnNode | undefined): string {
	if (first === undefined) return '';
	const {text, attachments} = first.user;
	const line = text.trim().split(/\s*\n/)[0] || attachments[0]?.name || '';
	const characters = Array.from(line);
	return characters.length <= titleLength
		? line
		: `${characters
				.slice(0, titleLength - 1)
				.join('')
				.trimEnd()}…`;
}
