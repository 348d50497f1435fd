/** Lists MCP servers and their known tools, starting none. */
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {shortAccess} from '../../mcp/describe-entry.ts';
import {findSaved} from '../../mcp/manifest.ts';
import {isWanted} from '../../mcp/mcp-source.ts';
import {readOwnEntries} from '../../mcp/own-entries.ts';
import {requestName} from '../../mcp/tool-name.ts';
import type {MenuValue} from '../../repl/list/menu.ts';

export function listServers(environment: Environment): readonly MenuValue[] {
	return readOwnEntries(environment).map(({name, entry}) => ({
		text: name,
		meaning: entry instanceof ChatError ? entry.message : shortAccess(entry),
	}));
}

/** @param names the servers in use */
export function listServerTools(
	names: readonly string[],
	environment: Environment,
): readonly MenuValue[] {
	return readOwnEntries(environment).flatMap(({name, entry}): readonly MenuValue[] => {
		if (!names.includes(name) || entry instanceof ChatError) return [];
		const {manifest} = findSaved(entry, environment);
		if (manifest === undefined) return [];
		const tools = manifest.offer.tools
			.filter((tool) => isWanted(entry, tool))
			.map((tool) => ({text: requestName(name, tool.name), meaning: tool.description ?? ''}));
		return [...tools, {text: `mcp__${name}__*`, meaning: `all tools of the MCP server ${name}`}];
	});
}
