/** A verb of `chat mcp`. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {VerbRules} from '../../check-verb.ts';
import type {mcpRows} from '../../command-line/mcp-options.ts';
import type {FlagValues} from '../../command-line/read-flags.ts';

export type McpFlags = FlagValues<typeof mcpRows>;

export type McpRun = {
	/** The words after the verb, without those of `program`. */
	readonly words: readonly string[];
	/** The words after `--`. */
	readonly program: readonly string[];
	/** Those of `chat mcp` alone. */
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

export type RunMcpVerb = (run: McpRun) => Promise<ExitCode>;

export type McpVerb = VerbRules<typeof mcpRows> & {readonly load: () => Promise<RunMcpVerb>};
