/** Describes the settings for `chat config list`. */
import type {Environment} from '../../environment.ts';
import {profilesKey} from '../../settings/files/config-file.ts';
import type {LoadedSettings} from '../../settings/options/load-settings.ts';
import {configKeys} from '../../settings/options/settings.ts';
import {describeSettings} from '../../settings/service/describe-settings.ts';
import {escapeInvisible} from '../../terminal/safe-text.ts';
import {shorten} from '../../wording.ts';
import {alignColumns} from '../align-columns.ts';

/** Returns every setting with its source, then the file, its profiles and its unknown keys. */
export function describeConfig(
	loaded: LoadedSettings,
	{variables}: Pick<Environment, 'variables'>,
): string {
	const settings = describeSettings(loaded, variables).map(({key, text, source}) => [
		key,
		text === '' ? '(not set)' : escapeInvisible(shorten(text, 60)),
		source,
	]);
	return `${alignColumns(settings)}\n${alignColumns(describeFile(loaded))}`;
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
