/** Describes the settings for `chat config list`. */
import type {Environment} from '../../environment.ts';
import {toJsonLine} from '../../json.ts';
import {profilesKey} from '../../settings/files/config-file.ts';
import type {LoadedSettings} from '../../settings/options/load-settings.ts';
import {configKeys} from '../../settings/options/settings.ts';
import {describeSettings} from '../../settings/service/describe-settings.ts';
import {escapeInvisible} from '../../terminal/safe-text.ts';
import {shorten} from '../../wording.ts';
import {alignColumns} from '../align-columns.ts';

/** Returns the settings that are set, or all, with their sources; as text also what is in the file. */
export function describeConfig(
	loaded: LoadedSettings,
	isAll: boolean,
	{variables}: Pick<Environment, 'variables'>,
): string {
	// The flag of this command is not the setting of a run.
	const settings = describeSettings(loaded, variables).filter(
		({source}) => source !== '--output' && (isAll || source !== 'default'),
	);
	const values = settings.map(({key, text, source}) => ({
		key,
		value: text === '' ? null : text,
		source,
	}));
	const rows = settings.map(({key, text, source}) => [
		key,
		text === '' ? '(not set)' : escapeInvisible(shorten(text, 60)),
		source,
	]);
	const texts = {
		text: () =>
			`${alignColumns(rows)}${rows.length === 0 ? '' : '\n'}${alignColumns(describeFile(loaded))}`,
		json: () => toJsonLine(values),
		jsonl: () => values.map(toJsonLine).join(''),
	};
	return texts[loaded.settings.output]();
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
