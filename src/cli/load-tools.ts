/** The tools of a run: what the model is told of, and what can be run here. */
import type {Tool} from '../chat/message.ts';
import type {RunnableTool} from '../chat/tool.ts';
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {loadTextFile} from '../input/load-file.ts';
import type {Settings} from '../settings/option-rows.ts';
import {createToolsFailure, parseTools} from '../tools/parse-tools.ts';

export type LoadedTools = {
	/** Undefined: none were asked for. */
	readonly tools: readonly Tool[] | undefined;
	readonly runnable: readonly RunnableTool[];
};

/**
 * Tools of other kinds join here.
 *
 * @throws {ChatError} `input` or `data` for the tools file, `usage` for an allowed tool it has not
 */
export async function loadTools(
	settings: Settings,
	signal: AbortSignal,
	{cwd, variables}: Environment,
): Promise<LoadedTools> {
	const {tools: path, toolTimeout, allowTool} = settings;
	if (path === undefined) return {tools: undefined, runnable: []};
	const fail = createToolsFailure(path);
	const {text} = await loadTextFile(path, {cwd, signal});
	const entries = parseTools(text, fail);
	const tools = entries.map(({tool}) => tool);
	checkAllowed(allowTool, tools);
	if (entries.every(({command}) => command === undefined)) return {tools, runnable: []};
	const {createCommandTools} = await import('../tools/command-tool.ts');
	const runner = {cwd, variables, timeLimitMs: toolTimeout};
	return {tools, runnable: await createCommandTools(entries, runner, fail)};
}

function checkAllowed(allowed: readonly string[], tools: readonly Tool[]): void {
	for (const name of allowed) {
		if (tools.some((tool) => tool.name === name)) continue;
		const known = tools.map((tool) => tool.name).join(', ');
		throw new ChatError('usage', `--allow-tool is "${name}", but it must be one of ${known}`);
	}
}
