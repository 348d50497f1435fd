/** The branches of a conversation whose messages name the one before them. */
import type {ForeignConversation, ForeignMessage} from './foreign.ts';

export type MessageNode = {
	/** The previous message's id. */
	readonly parent: string | undefined;
	/** Called once at most, as branches share their first messages. */
	readonly read: () => readonly ForeignMessage[];
};

type Nodes = ReadonlyMap<string, MessageNode>;

/**
 * @param nodes in file order
 * @param head where the conversation stands; the last branch end if there is no such message
 * @param omitted gets a word for each branch left out
 */
export function pathsOf(
	nodes: Nodes,
	head: string,
	omitted: string[],
): Pick<ForeignConversation, 'messages' | 'branches'> {
	const ids = [...nodes.keys()];
	const parents = new Set(ids.map((id) => nodes.get(id)?.parent));
	const ends = ids.filter((id) => !parents.has(id));
	const current = nodes.has(head) ? head : (ends.at(-1) ?? ids.at(-1) ?? '');
	const others = ends.filter((id) => id !== current);
	for (const _ of others.slice(maxBranches)) omitted.push('branch');
	const known = new Map<string, readonly ForeignMessage[]>();
	const read = (id: string) => {
		const messages = known.get(id) ?? nodes.get(id)?.read() ?? [];
		known.set(id, messages);
		return messages;
	};
	return {
		messages: pathTo(current, nodes).flatMap(read),
		branches: others.slice(0, maxBranches).map((end) => pathTo(end, nodes).flatMap(read)),
	};
}

/** Threat: as many branches as messages, each as long as all of them. */
const maxBranches = 100;

/** Threat: messages following each other in a circle. */
function pathTo(end: string, nodes: Nodes): readonly string[] {
	const path = new Set<string>();
	for (let id: string | undefined = end; id !== undefined && nodes.has(id) && !path.has(id); ) {
		path.add(id);
		id = nodes.get(id)?.parent;
	}
	return [...path].reverse();
}
