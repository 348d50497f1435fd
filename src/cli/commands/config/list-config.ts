/** `chat config list`: prints the settings. */
import type {Environment} from '../../../environment.ts';
import type {ExitCode} from '../../../errors.ts';
import {alignColumns} from '../../../output/align-columns.ts';
import {printList} from '../../../output/print.ts';
import {profilesKey} from '../../../settings/files/config-file.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {configKeys} from '../../../settings/options/settings.ts';
import {describeSettings} from '../../../settings/service/describe-settings.ts';
import {escapeInvisible} from '../../../terminal/safe-text.ts';
import {shorten} from '../../../wording.ts';

/** Prints the settings that are set, or all, with their sources; as text also what is in the file. */
export async function listConfig(
	loaded: LoadedSettings,
	isAll: boolean,
	environment: Environment,
): Promise<ExitCode> {
	// The flag of this command is not the setting of a run.
	const settings = describeSettings(loaded, environment.variables).filter(
		({source}) => source !== '--output' && (isAll || source !== 'default'),
	);
	return await printList(
		settings,
		{
			format: loaded.settings.output,
			toJson: ({key, text, source}) => ({key, value: text === '' ? null : text, source}),
			toText(rows) {
				const cells = rows.map(({key, text, source}) => [
					key,
					text === '' ? '(not set)' : escapeInvisible(shorten(text, 60)),
					source,
				]);
				const gap = rows.length === 0 ? '' : '\n';
				return `${alignColumns(cells)}${gap}${alignColumns(describeFile(loaded))}`;
			},
		},
		environment,
	);
}

function describeFile({config, layers}: LoadedSettings): ReadonlyArray<readonly string[]> {
	const {path = '(there is no home folder)', exists, problem} = config;
	const state = problem === undefined ? path : `${path} (not readable)`;
	const profiles = Object.keys(config.profiles).join(', ');
	const keys = layers.flatMap(({values}) => Object.keys(values));
	const unknown = keys.filter((key) => !configKeys.has(key)).join(', ');
	return [
		['file', exists ? state : `${path} (does not exist yet)`],
		[profilesKey, profiles === '' ? '(none)' : profiles],
		...(unknown === '' ? [] : [['unknown keys', `${unknown} (ignored)`]]),
	].map((cells) => cells.map(escapeInvisible));
}
