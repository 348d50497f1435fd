/** Loads the tools of a run. */
import {dirname, resolve} from 'node:path';
import type {ToolDefinition} from '../chat/message.ts';
import type {Tool} from '../chat/tool.ts';
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {loadTextFile} from '../input/load-file.ts';
import type {FileSource} from '../input/read-bytes.ts';
import type {Settings} from '../settings/options/settings.ts';
import {createToolsFailure, parseTools, type ToolEntry} from '../tools/parse-tools.ts';

export type LoadedTools = {
	/** All tools, for the request; undefined without `--tools`. */
	readonly tools: readonly ToolDefinition[] | undefined;
	/** The tools that can be run here. */
	readonly runnable: readonly Tool[];
};

/**
 * Tools of other kinds join here.
 *
 * @throws {ChatError} `input` or `data` for a tools file, `usage` for `--allow-tool` with an unknown
 * name
 */
export async function loadTools(
	settings: Settings,
	source: FileSource,
	{variables, platform, processes}: Environment,
): Promise<LoadedTools> {
	const {tools: paths, toolTimeout, allowTool} = settings;
	if (paths.length === 0) return {tools: undefined, runnable: []};
	const entries: ToolEntry[] = [];
	const runnable: Tool[] = [];
	const runner = {cwd: source.cwd, variables, platform, processes, timeLimitMs: toolTimeout};
	for (const path of paths) {
		const fail = createToolsFailure(path);
		const {text} = await loadTextFile(path, source);
		const directory = dirname(resolve(source.cwd, path));
		const taken = entries.map(({definition}) => definition.name);
		const found = parseTools(text, {fail, directory, taken});
		entries.push(...found);
		if (found.every(({command}) => command === undefined)) continue;
		const {createCommandTools} = await import('../tools/command-tool.ts');
		runnable.push(...(await createCommandTools(found, runner, fail)));
	}
	const tools = entries.map(({definition}) => definition);
	checkAllowed(allowTool, tools);
	return {tools, runnable};
}

function checkAllowed(allowed: readonly string[], tools: readonly ToolDefinition[]): void {
	for (const name of allowed) {
		if (tools.some((tool) => tool.name === name)) continue;
		const known = tools.map((tool) => tool.name).join(', ');
		throw new ChatError('usage', `--allow-tool is "${name}", but it must be one of ${known}`);
	}
}
