/** Warns when server tools use a large part of every request. */
import type {Notice} from '../chat/event.ts';
import type {OfferedTool} from '../chat/tool.ts';
import {formatCount, plural} from '../wording.ts';

const maxTools = 40;
/** Share of the context window. */
const maxShare = 0.1;
/** Minimum tokens worth comparing: looking up the window takes 9 ms. */
const minTokens = 12_000;
const charactersPerToken = 4;

/** @param findWindow returns the model's context window in tokens, if known */
export async function describeBudget(
	tools: readonly OfferedTool[],
	servers: number,
	findWindow: () => Promise<number | undefined>,
): Promise<Notice | undefined> {
	const tokens = estimateTokens(tools);
	if (tools.length <= maxTools) {
		const window = tokens < minTokens ? undefined : await findWindow();
		if (window === undefined || tokens <= maxShare * window) return undefined;
	}
	const subject = `${plural(servers, 'server')} ${servers === 1 ? 'brings' : 'bring'}`;
	const message = `${subject} ${plural(tools.length, 'tool')}, about ${formatCount(tokens)} tokens a request`;
	return {code: 'many-tools', message, hint: toolsHint};
}

/** Returns the tokens that tools use in a request, rounded to two digits: it is an estimate. */
export function estimateTokens(tools: readonly OfferedTool[]): number {
	if (tools.length === 0) return 0;
	const {length} = JSON.stringify(tools.map(({definition}) => definition));
	return Number((length / charactersPerToken).toPrecision(2));
}

const toolsHint = {
	line: 'includeTools in mcp.json chooses among them',
	repl: '/mcp chooses',
};
