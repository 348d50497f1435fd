/** Opens a run's tool sources. */
import {dirname, resolve} from 'node:path';
import type {Notice} from '../../../chat/event.ts';
import type {OfferedTool, ToolSource} from '../../../chat/tool.ts';
import {createFixedSource, joinSources} from '../../../chat/tool-sources.ts';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import type {Hint} from '../../../hint.ts';
import {loadTextFile} from '../../../input/load-text.ts';
import type {FileSource} from '../../../input/read-bytes.ts';
import type {Servers} from '../../../mcp/server.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {shorten} from '../../../wording.ts';
import type {ServerRun} from './open-servers.ts';

/**
 * Opens one source kind; undefined unless the settings name any.
 *
 * @throws {ChatError} if it cannot be opened
 */
export type OpenToolSource = (
	loaded: Pick<LoadedSettings, 'settings' | 'sources'>,
	run: ServerRun,
	environment: Environment,
) => Promise<OpenedSource | undefined>;

type OpenedSource = {
	readonly tools: ToolSource;
	readonly servers?: Servers;
};

/** All source kinds. */
export const toolSources: readonly OpenToolSource[] = [
	async ({settings}, {files}, environment) => {
		const tools = await openToolFiles(settings, files, environment);
		return tools && {tools};
	},
	async (loaded, run, environment) => {
		if (loaded.settings.mcp.length === 0) return undefined;
		const {openNamedServers} = await import('./open-servers.ts');
		const servers = await openNamedServers(loaded, run, environment);
		return {tools: servers.tools, servers};
	},
];

type OpenedTools = {
	/** All tools as one source; undefined without any. */
	readonly tools: ToolSource | undefined;
	/** The MCP servers among the sources, if there are any. */
	readonly servers: Servers | undefined;
	readonly notices: readonly Notice[];
};

/** @throws {ChatError} if a source cannot be opened; `usage` for a flag naming no tool */
export async function openTools(
	kinds: readonly OpenToolSource[],
	loaded: Pick<LoadedSettings, 'settings' | 'sources'>,
	run: ServerRun,
	environment: Environment,
): Promise<OpenedTools> {
	const {settings} = loaded;
	const opened: OpenedSource[] = [];
	try {
		for (const open of kinds) {
			const source = await open(loaded, run, environment);
			if (source !== undefined) opened.push(source);
		}
		if (opened.length === 0) {
			checkWithoutTools(settings);
			return {tools: undefined, servers: undefined, notices: []};
		}
		const tools = joinSources(opened.map((source) => source.tools));
		checkAllowed(settings, tools.tools);
		const servers = opened.find((source) => source.servers !== undefined)?.servers;
		return {tools, servers, notices: tools.takeNotices()};
	} catch (error) {
		await joinSources(opened.map((source) => source.tools)).close();
		throw error;
	}
}

function checkWithoutTools({toolChoice, allowTool}: Settings): void {
	const hint: Hint = 'Name a tools file with --tools, or an MCP server with --mcp.';
	if (toolChoice !== undefined && toolChoice !== 'none') {
		throw new ChatError('usage', '--tool-choice needs --tools or --mcp', {hint});
	}
	if (allowTool.length > 0) {
		throw new ChatError('usage', '--allow-tool needs --tools or --mcp', {hint});
	}
}

function checkAllowed({allowTool, dryRun}: Settings, tools: readonly OfferedTool[]): void {
	const names = tools.map(({definition}) => definition.name);
	for (const text of allowTool) {
		// A dry run asks no server for its tools.
		const isUnknown = dryRun && text.startsWith('mcp__');
		if (isUnknown || names.some((name) => isAllowed(text, name))) continue;
		const rest = names.length > maxKnown ? ` and ${names.length - maxKnown} more` : '';
		const known = shorten(names.slice(0, maxKnown).join(', '), maxKnownLength) + rest;
		const problem = known === '' ? 'there are no tools' : `it must be one of ${known}`;
		throw new ChatError('usage', `--allow-tool is "${text}", but ${problem}`);
	}
}

const maxKnown = 8;
const maxKnownLength = 1000;

/**
 * Whether an `--allow-tool` value means a tool: its name, or `mcp__github__*` for a whole server.
 */
export function isAllowed(text: string, name: string): boolean {
	return (
		text === name || (/^mcp__[a-z0-9-]+__\*$/.test(text) && name.startsWith(text.slice(0, -1)))
	);
}

/** Opens `--tools` files, whose tools are commands. */
export async function openToolFiles(
	{tools: paths, toolTimeout}: Pick<Settings, 'tools' | 'toolTimeout'>,
	files: FileSource,
	{variables, platform, processes}: Pick<Environment, 'variables' | 'platform' | 'processes'>,
): Promise<ToolSource | undefined> {
	if (paths.length === 0) return undefined;
	const {createToolsFailure, parseTools} = await import('../../../tools/parse-tools.ts');
	const tools: OfferedTool[] = [];
	const runner = {cwd: files.cwd, variables, platform, processes, timeLimitMs: toolTimeout};
	for (const path of paths) {
		const fail = createToolsFailure(path);
		const {text} = await loadTextFile(path, files);
		const directory = dirname(resolve(files.cwd, path));
		const taken = tools.map(({definition}) => definition.name);
		const entries = parseTools(text, {fail, directory, taken});
		if (entries.every(({command}) => command === undefined)) {
			tools.push(...entries.map(({definition}) => ({definition})));
			continue;
		}
		const {createCommandTools} = await import('../../../tools/command-tool.ts');
		tools.push(...(await createCommandTools(entries, runner, fail)));
	}
	return createFixedSource(tools);
}
