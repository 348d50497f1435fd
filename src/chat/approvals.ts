/** Who approves a call: the command line, an answer for the whole session, else the one asked. */
import type {Approve, ToolDefinition} from './tool.ts';

/**
 * Makes an `Approve` of one that asks; what was approved for the session is remembered for as long
 * as the returned function lives.
 *
 * @param allowed names of tools that need no question
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

/** The whole definition: a tool that has changed is asked about again. */
function keyOf({name, description, parameters, command, cwd, environment}: ToolDefinition): string {
	return JSON.stringify([name, description, parameters, command, cwd, environment]);
}

/** For runs without a terminal. */
export const denyUnasked: Approve = async () => ({type: 'unasked'});
