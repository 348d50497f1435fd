/** The flags of `chat templates`, and its verbs' input. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {loadSettings} from '../../../settings/options/load-settings.ts';
import {inGroup, toggle} from '../../../settings/options/option-row.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import type {TemplatePlaces} from '../../../templates/find-templates.ts';
import {type FlagValues, readFlags, type Verb} from '../../command-line/command.ts';
import {findPlaces} from '../../run/template/template-places.ts';

export const yesRows = inGroup('Options', {
	yes: toggle(false, {flags: ['-y, --yes'], summary: 'answer yes to every question'}),
});

export type TemplateRun = {
	readonly words: readonly string[];
	readonly places: TemplatePlaces;
	readonly settings: Settings;
	readonly flags: FlagValues<typeof yesRows>;
	readonly environment: Environment;
};

export function withPlaces(run: (run: TemplateRun) => Promise<ExitCode>): Verb['run'] {
	return async ({words, flags, environment}) => {
		const {settings} = loadSettings(flags, environment);
		const places = findPlaces(settings, environment);
		return await run({words, places, settings, flags: readFlags(yesRows, flags), environment});
	};
}
