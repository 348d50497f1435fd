/** Decides who approves a call: the command line, an approval for the session, or the user. */
import type {Approve, ToolIdentity} from './tool.ts';

/**
 * Creates a function that answers known questions before an `Approve` is asked, and remembers
 * approvals for the session.
 *
 * @param allowed tools approved beforehand
 */
export function createApprovals(allowed: readonly ToolIdentity[]): (ask: Approve) => Approve {
	const approved = new Map<string, 'allowed' | 'session'>(
		allowed.map((tool) => [identify(tool), 'allowed']),
	);
	return (ask) => async (request, signal) => {
		const identity = identify(request.tool);
		const decision = approved.get(identity);
		if (decision !== undefined) return {type: 'run', decision};
		const approval = await ask(request, signal);
		if (approval.type === 'unattended') {
			const {name} = request.tool.definition;
			return {...approval, isChanged: allowed.some(({definition}) => definition.name === name)};
		}
		if (approval.type === 'run' && approval.decision === 'session') {
			approved.set(identity, 'session');
		}
		return approval;
	};
}

export function isSameTool(one: ToolIdentity, other: ToolIdentity): boolean {
	return one === other || identify(one) === identify(other);
}

/** Returns a unique text for each tool. */
function identify({definition, origin}: ToolIdentity): string {
	return JSON.stringify([definition, origin]);
}

/** Approvals without a terminal. */
export const denyUnattended: Approve = async () => ({type: 'unattended'});
