/** A `chat sessions` verb: it gets its own flags, and the session folder. */
import type {Environment} from '../../../environment.ts';
import {ChatError, type ExitCode} from '../../../errors.ts';
import {homeHint} from '../../../settings/files/config-path.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {
	type FlagTexts,
	type FlagValues,
	type OptionRows,
	readFlags,
	type Verb,
} from '../../command-line/command.ts';
import {findSessionsFolder} from '../../run/saving/save-conversation.ts';

export type SessionRun<Rows extends OptionRows = OptionRows> = {
	readonly words: readonly string[];
	readonly flags: FlagValues<Rows>;
	/** The session folder. */
	readonly directory: string;
	readonly settings: Settings;
	readonly environment: Environment;
};

type SessionVerb<Rows extends OptionRows> = Omit<Verb, 'flags' | 'run'> & {
	readonly flags: Rows;
	run(run: SessionRun<Rows>, flags: FlagTexts): Promise<ExitCode>;
};

export function sessionVerb<Rows extends OptionRows>({run, ...verb}: SessionVerb<Rows>): Verb {
	return {
		...verb,
		run: async ({words, flags, environment}) => {
			const {settings} = loadSettings(flags, environment);
			const directory = findSessionsFolder(settings, environment);
			if (directory === undefined) {
				throw new ChatError('input', 'there is no home folder for conversations', {hint: homeHint});
			}
			const own = readFlags(verb.flags, flags);
			return await run({words, flags: own, directory, settings, environment}, flags);
		},
	};
}
