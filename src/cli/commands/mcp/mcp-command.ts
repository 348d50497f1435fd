/** `chat mcp`: adds, shows, checks and removes MCP servers. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {printExact} from '../../../output/print.ts';
import {mcpPath, requirePath} from '../../../settings/files/config-path.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {checkVerb} from '../../check-verb.ts';
import {mcpRows} from '../../command-line/mcp-options.ts';
import type {CommandLine} from '../../command-line/parse-argv.ts';
import {readFlags} from '../../command-line/read-flags.ts';
import type {mcpVerbs} from '../../command-line/resolve-command.ts';
import type {McpRun, McpVerb} from './mcp-verb.ts';

export const verbs: Readonly<Record<(typeof mcpVerbs)[number], McpVerb>> = {
	add: {
		usage: 'chat mcp add <name> -- <program> [argument...], or chat mcp add <name> --url <url>',
		minWords: 1,
		maxWords: 1,
		flags: ['url', 'env', 'header', 'cwd', 'yes'],
		load: async () => (await import('./add-server.ts')).addServer,
	},
	import: {
		usage: 'chat mcp import [file]',
		minWords: 0,
		maxWords: 1,
		flags: ['yes'],
		load: async () => (await import('./import-servers.ts')).importServers,
	},
	list: {
		usage: 'chat mcp list',
		minWords: 0,
		maxWords: 0,
		flags: [],
		load: async () => (await import('./list-servers.ts')).listServers,
	},
	show: {
		usage: 'chat mcp show <server>',
		minWords: 1,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./show-server.ts')).showServer,
	},
	test: {
		usage: 'chat mcp test <server>',
		minWords: 1,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./test-server.ts')).testServer,
	},
	refresh: {
		usage: 'chat mcp refresh <server>',
		minWords: 1,
		maxWords: 1,
		flags: ['yes'],
		load: async () => (await import('./refresh-server.ts')).refreshServer,
	},
	remove: {
		usage: 'chat mcp remove <server>',
		minWords: 1,
		maxWords: 1,
		flags: ['yes'],
		load: async () => (await import('./remove-server.ts')).removeServer,
	},
	login: {
		usage: 'chat mcp login <server>',
		minWords: 1,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./login.ts')).logInToServer,
	},
	logout: {
		usage: 'chat mcp logout <server>',
		minWords: 1,
		maxWords: 1,
		flags: [],
		load: async () => (await import('./logout.ts')).logOutOfServer,
	},
	path: {
		usage: 'chat mcp path',
		minWords: 0,
		maxWords: 0,
		flags: [],
		load: async () => printPath,
	},
};

async function printPath({path, environment}: McpRun): Promise<ExitCode> {
	return await printExact(path, environment);
}

export async function runMcpCommand(
	{words: [first, ...rest], flags}: CommandLine,
	environment: Environment,
): Promise<ExitCode> {
	const name = first?.text ?? 'list';
	const verb = Object.entries(verbs).find(([known]) => known === name)?.[1] ?? verbs.list;
	const isProgram = name === 'add';
	const words = rest.filter(({isLiteral}) => !(isProgram && isLiteral)).map(({text}) => text);
	const program = rest.map(({text}) => text).slice(words.length);
	checkVerb(`mcp ${name}`, verb, mcpRows, {words, flags});
	// The header of a server is not one of the service.
	const {header: _, ...others} = flags;
	const {settings} = loadSettings(others, environment);
	const path = requirePath(mcpPath(environment));
	const run = await verb.load();
	return await run({
		words,
		program,
		flags: readFlags(mcpRows, flags),
		path,
		settings,
		environment,
	});
}
