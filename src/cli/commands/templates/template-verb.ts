/** A verb of `chat templates`. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {TemplatePlaces} from '../../../templates/find-templates.ts';
import type {FlagValues} from '../../command-line/read-flags.ts';
import type {templateRows} from '../../command-line/template-options.ts';

export type TemplateRun = {
	/** The words after the verb. */
	readonly words: readonly string[];
	readonly places: TemplatePlaces;
	readonly settings: Settings;
	readonly flags: FlagValues<typeof templateRows>;
	readonly environment: Environment;
};

export type RunTemplateVerb = (run: TemplateRun) => Promise<ExitCode>;
