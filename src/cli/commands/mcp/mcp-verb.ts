/** The flags of `chat mcp`, and the input of its verbs. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {mcpPath, requirePath} from '../../../settings/files/config-path.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {inGroup, list, optional, toggle} from '../../../settings/options/option-row.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {parseName} from '../../../settings/options/parsers.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {type FlagValues, readFlags, type Verb} from '../../command-line/command.ts';
import {checkEntry} from '../../run/tools/find-server.ts';
import {findNamed} from '../../run/tools/open-servers.ts';

export const yesRows = inGroup('Options', {
	yes: toggle(false, {flags: ['-y, --yes'], summary: 'answer yes to every question'}),
});

const {flags, parse, defaultValue} = optionRows.header;

export const addRows = inGroup('Options', {
	url: optional(parseName, {
		flags: ['--url <url>'],
		summary: 'the address of a server that is reached by HTTP',
	}),
	env: list({
		flags: ['--env <name>'],
		summary: 'a variable that the program gets from your environment, or NAME=value; repeatable',
	}),
	header: {
		flags,
		parse,
		defaultValue,
		summary: "a header for --url, such as 'X-Token: ${TOKEN}'; repeatable",
	},
	cwd: optional(parseName, {
		flags: ['--cwd <folder>'],
		values: 'files',
		summary: 'the folder that the program runs in, if not your home folder',
	}),
});

const allRows = {...addRows, ...yesRows};

export type McpFlags = FlagValues<typeof allRows>;

export type McpRun = {
	readonly words: readonly string[];
	/** The words after `--`. */
	readonly program: readonly string[];
	readonly flags: McpFlags;
	/** The file of servers. */
	readonly path: string;
	readonly settings: Settings;
	readonly environment: Environment;
};

/** Nobody has agreed to a server without an answer. */
export function policyOf(verb: string, {flags, program, settings}: McpRun) {
	const isProgram = program.length > 0;
	return {
		kind: 'auth',
		command: `chat mcp ${verb}`,
		// Words after `--` are those of the program, `--yes` too.
		...(isProgram && {yesFlag: '--yes before the --'}),
		isYes: flags.yes,
		isPlain: settings.plain,
	} as const;
}

export function withServers(run: (run: McpRun) => Promise<ExitCode>): Verb['run'] {
	return async ({words, program, flags: texts, environment}) => {
		// The header of a server is not one of the service.
		const {header: _, ...others} = texts;
		const {settings} = loadSettings(others, environment);
		const path = requirePath(mcpPath(environment));
		const own = readFlags(allRows, texts);
		return await run({words, program, flags: own, path, settings, environment});
	};
}

/** Gives the work the entry of the server that the first word names, or each one of a file. */
export function withServer(run: (entry: ServerEntry, run: McpRun) => Promise<ExitCode>) {
	return withServers(async (given) => {
		const {words, settings, environment} = given;
		const {cwd} = environment;
		const found = await findNamed(words, 'input', {cwd}, settings, environment);
		const codes: ExitCode[] = [];
		for (const entry of found.map(checkEntry)) codes.push(await run(entry, given));
		return codes.find((code) => code !== 0) ?? 0;
	});
}
