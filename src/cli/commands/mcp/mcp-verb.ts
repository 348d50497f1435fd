/** The flags of `chat mcp`, and its verbs' input. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import type {ServerEntry} from '../../../mcp/server-entry.ts';
import {mcpPath, requirePath} from '../../../settings/files/config-path.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {inGroup, list, optional, toggle} from '../../../settings/options/option-row.ts';
import {optionRows} from '../../../settings/options/option-rows.ts';
import {HiddenValueError, integerFrom, parseName} from '../../../settings/options/parsers.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {type FlagValues, readFlags, type Verb} from '../../command-line/command.ts';
import {checkEntry} from '../../run/tools/find-server.ts';
import {findNamed} from '../../run/tools/open-servers.ts';

export const yesRows = inGroup('Options', {
	yes: toggle(false, {flags: ['-y, --yes'], summary: 'answer yes to every question'}),
});

const {flags, parse, defaultValue} = optionRows.header;

/** Threat: a secret in process arguments, which every user on the machine can read. */
function parseReference(text: string): string {
	if (/^\$\{\w+\}$/.test(text)) return text;
	throw new HiddenValueError(
		"needs a variable in quotes, such as '${CLIENT_SECRET}', not the secret",
	);
}

export const addRows = inGroup('Options', {
	url: optional(parseName, {
		flags: ['--url <url>'],
		summary: 'address of a server reached by HTTP',
	}),
	env: list({
		flags: ['--env <name>'],
		summary: 'variable to pass on from your environment, or NAME=value; repeatable',
	}),
	header: {
		flags,
		parse,
		defaultValue,
		summary: "a header for --url, such as 'X-Token: ${TOKEN}'; repeatable",
	},
	clientId: optional(parseName, {
		flags: ['--client-id <id>'],
		summary: 'registered client for logging in to --url, or the URL of its document',
	}),
	clientSecret: optional(parseReference, {
		flags: ['--client-secret <variable>'],
		summary: "the variable of its secret, such as '${CLIENT_SECRET}'",
	}),
	scope: list({
		flags: ['--scope <name>'],
		summary: "right to ask for when logging in, instead of the server's; repeatable",
	}),
	callbackPort: optional(integerFrom(1, 65_535), {
		flags: ['--callback-port <port>'],
		summary: 'port on this machine registered for the client',
	}),
	cwd: optional(parseName, {
		flags: ['--cwd <folder>'],
		values: 'files',
		summary: 'folder to run the program in, instead of your home folder',
	}),
});

const allRows = {...addRows, ...yesRows};

export type McpFlags = FlagValues<typeof allRows>;

export type McpRun = {
	readonly words: readonly string[];
	/** The words after `--`. */
	readonly program: readonly string[];
	readonly flags: McpFlags;
	/** The server file. */
	readonly path: string;
	readonly settings: Settings;
	readonly environment: Environment;
};

/** Servers without an answer count as refused. */
export function policyOf(verb: string, {flags, program, settings}: McpRun) {
	const isProgram = program.length > 0;
	return {
		kind: 'auth',
		command: `chat mcp ${verb}`,
		// Words after `--` belong to the program, even `--yes`.
		...(isProgram && {yesFlag: '--yes before the --'}),
		isYes: flags.yes,
		isPlain: settings.plain,
	} as const;
}

export function withServers(run: (run: McpRun) => Promise<ExitCode>): Verb['run'] {
	return async ({words, program, flags: texts, environment}) => {
		// A server's header is not the service's.
		const {header: _, ...others} = texts;
		const {settings} = loadSettings(others, environment);
		const path = requirePath(mcpPath(environment));
		const own = readFlags(allRows, texts);
		return await run({words, program, flags: own, path, settings, environment});
	};
}

/** Calls the work with the entry named by the first word, or with every entry in the file. */
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
