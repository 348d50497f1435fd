/** A verb of `chat sessions`. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {VerbRules} from '../../check-verb.ts';
import type {FlagValues} from '../../command-line/read-flags.ts';
import type {sessionRows} from '../../command-line/session-options.ts';

export type SessionFlags = FlagValues<typeof sessionRows>;

export type VerbRun = {
	/** The words after the verb. */
	readonly words: readonly string[];
	/** Those of `chat sessions` alone. */
	readonly flags: SessionFlags;
	/** The folder of saved conversations. */
	readonly directory: string;
	readonly settings: Settings;
	readonly environment: Environment;
};

export type RunVerb = (run: VerbRun) => Promise<ExitCode>;

export type Verb = VerbRules<typeof sessionRows> & {readonly load: () => Promise<RunVerb>};
