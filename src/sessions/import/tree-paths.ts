/** The branches of a conversation whose messages name the one before them. */
import type {ForeignConversation, ForeignMessage} from './foreign.ts';
import type {Tally} from './read-each.ts';

export type MessageTree = {
	/** In the order of the file. */
	readonly ids: readonly string[];
	/** Where the conversation stands; the last end of a branch if there is no such message. */
	readonly current: string;
	parentOf(id: string): string | undefined;
	read(id: string): readonly ForeignMessage[];
};

/** @param tally counts the branches that are left out */
export function pathsOf(
	tree: MessageTree,
	tally: Tally,
): Pick<ForeignConversation, 'messages' | 'branches'> {
	const ids = new Set(tree.ids);
	const parents = new Set(tree.ids.map(tree.parentOf));
	const ends = tree.ids.filter((id) => !parents.has(id));
	const current = ids.has(tree.current) ? tree.current : (ends.at(-1) ?? tree.ids.at(-1));
	const others = ends.filter((id) => id !== current);
	for (const _ of others.slice(maxBranches)) tally.add('branch');
	return {
		messages: current === undefined ? [] : pathTo(current, ids, tree),
		branches: others.slice(0, maxBranches).map((end) => pathTo(end, ids, tree)),
	};
}

/** Threat: as many branches as messages, each as long as all of them. */
const maxBranches = 100;

/** Threat: messages that follow each other in a circle. */
function pathTo(
	end: string,
	known: ReadonlySet<string>,
	tree: MessageTree,
): readonly ForeignMessage[] {
	const path = new Set<string>();
	for (let id: string | undefined = end; id !== undefined && known.has(id) && !path.has(id); ) {
		path.add(id);
		id = tree.parentOf(id);
	}
	return [...path].reverse().flatMap((id) => tree.read(id));
}
