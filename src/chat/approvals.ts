/** Decides who approves a call: the command line, an approval for the session, or the user. */
import type {Approve, ToolDefinition} from './tool.ts';

/**
 * Creates a function that adds to an `Approve` what needs no question. It remembers the approvals for
 * the session.
 *
 * @param allowed names of tools that are approved beforehand
 */
export function createApprovals(allowed: readonly string[]): (ask: Approve) => Approve {
	const approved = new Set<string>();
	return (ask) => async (request, signal) => {
		const {tool} = request;
		if (allowed.includes(tool.name)) return {type: 'run', decision: 'allowed'};
		const key = keyOf(tool);
		if (approved.has(key)) return {type: 'run', decision: 'session'};
		const approval = await ask(request, signal);
		if (approval.type === 'run' && approval.decision === 'session') approved.add(key);
		return approval;
	};
}

/** The whole definition: a tool that has changed needs another approval. */
function keyOf({name, description, parameters, command, cwd, environment}: ToolDefinition): string {
	return JSON.stringify([name, description, parameters, command, cwd, environment]);
}

/** For runs without a terminal. */
export const denyUnattended: Approve = async () => ({type: 'unattended'});
