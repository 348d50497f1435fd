/** The settings of a run from all that holds some: flags, variables, the config file, a profile. */
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {
	type ChosenProfile,
	type Config,
	type ConfigLayer,
	readConfig,
	selectLayers,
} from '../files/config-file.ts';
import {configPath, type PathSource} from '../files/config-path.ts';
import {type FlagTexts, type MergedSettings, mergeSettings, mergeValidSettings} from './merge.ts';

/** What a run reads its settings from. */
export type SettingsSource = PathSource & Pick<Environment, 'variables'>;

export type LoadedSettings = MergedSettings & {
	readonly config: Config;
	/** What the config file says for this run. */
	readonly layers: readonly ConfigLayer[];
	/** The profile that is in use. */
	readonly profile: string | undefined;
};

/**
 * @throws {ChatError} `usage` for the value of a flag; `config` for any other one, for a config
 * file that is no JSON, and for a profile that does not exist
 */
export function loadSettings(flags: FlagTexts, source: SettingsSource): LoadedSettings {
	const {variables} = source;
	const config = readConfig(configPath(source), source.platform);
	const profile = findProfile(flags, source);
	const layers = selectLayers(config, profile);
	const merged = mergeSettings(flags, variables, layers);
	return Object.freeze({...merged, config, layers, profile: profile?.name});
}

/** The settings of a run that has failed already. Nothing throws; what is wrong is left out. */
export function loadValidSettings(flags: FlagTexts, source: SettingsSource): MergedSettings {
	const {variables} = source;
	try {
		const layers = selectLayers(
			readConfig(configPath(source), source.platform),
			findProfile(flags, source),
		);
		return mergeValidSettings(flags, variables, layers);
	} catch {
		return mergeValidSettings(flags, variables);
	}
}

/** @throws {ChatError} `usage` for a flag without a name */
function findProfile(flags: FlagTexts, {variables}: SettingsSource): ChosenProfile | undefined {
	const named = flags.profile?.at(-1);
	const name = named ?? (variables['CHAT_PROFILE'] || undefined);
	if (name === undefined) return undefined;
	if (name !== '') return {name, isFromFlag: named !== undefined};
	throw new ChatError('usage', 'the name of the profile is empty', {
		hint: 'chat config list shows the profiles.',
	});
}
