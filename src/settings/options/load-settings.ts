/** Loads settings from flags, variables and the config file. */
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {
	type ChosenProfile,
	type Config,
	type ConfigLayer,
	emptyConfig,
	readConfig,
	selectLayers,
} from '../files/config-file.ts';
import {configPath, type PathSource} from '../files/config-path.ts';
import {type MergedSettings, mergeSettings, type OnInvalid, rethrow} from './merge.ts';
import {type ChosenLayer, type FlagTexts, resolvePathIn, settingNames} from './settings.ts';
import {findUnknownKeys, type SettingsWarning} from './unknown-keys.ts';

export type SettingsSource = PathSource & Pick<Environment, 'variables'>;

export type LoadedSettings = MergedSettings & {
	readonly config: Config;
	/** Config file parts applying to this run. */
	readonly layers: readonly ConfigLayer[];
	readonly profile: string | undefined;
	readonly source: SettingsSource;
};

export type LoadOptions = {
	/** The continued conversation, then the template. */
	readonly chosen?: readonly ChosenLayer[];
	/** The file, if it has been read, or as it will be. */
	readonly config?: Config;
	/** Called for each mistake, which then counts as absent. */
	readonly onInvalid?: OnInvalid;
};

/** @throws {ChatError} by default, as `readConfig`, `selectLayers` and `mergeSettings` do */
export function loadSettings(
	flags: FlagTexts,
	source: SettingsSource,
	{chosen, config: given, onInvalid = rethrow}: LoadOptions = {},
): LoadedSettings {
	let config = given ?? emptyConfig(configPath(source));
	let layers: readonly ConfigLayer[] = [];
	let profile: string | undefined;
	try {
		config = given ?? readConfig(config.path, source.platform);
		const named = findProfile(flags, source);
		layers = selectLayers(config, named);
		profile = named?.name;
	} catch (error) {
		onInvalid(error);
	}
	const merged = mergeSettings(flags, source.variables, layers, chosen, onInvalid);
	return Object.freeze({...merged, config, layers, profile, source});
}

/** Loads settings as if the config file and the profile were these. */
export function previewSettings(
	config: Config,
	profile: string | undefined,
	source: SettingsSource,
	flags: FlagTexts = {},
): LoadedSettings {
	const variables = {...source.variables, CHAT_PROFILE: ''};
	const named = profile === undefined ? {} : {profile: [profile]};
	return loadSettings({...flags, ...named}, {...source, variables}, {config});
}

/** Loads settings, skipping invalid ones: a failed run still needs its output format. */
export function loadValidSettings(flags: FlagTexts, source: SettingsSource): LoadedSettings {
	return loadSettings(flags, source, {onInvalid: () => {}});
}

/**
 * Checks the config file and all its profiles. Returns a warning for each unknown key.
 *
 * @throws {ChatError} `config` for the first mistake
 */
export function checkConfig(path: string, platform: string): readonly SettingsWarning[] {
	const config = readConfig(path, platform);
	const profiles = Object.keys(config.profiles).map((name) => ({name, isFromFlag: false}));
	const parts = [undefined, ...profiles].flatMap((profile) => {
		const layers = selectLayers(config, profile);
		mergeSettings({}, {}, layers);
		return layers.slice(-1);
	});
	return findUnknownKeys(parts);
}

/**
 * Loads settings from flags alone, with absolute paths.
 *
 * @throws {ChatError} `usage` for an invalid value
 */
export function loadFlags(flags: FlagTexts, cwd: string): MergedSettings {
	const resolved: FlagTexts = {};
	for (const name of settingNames) {
		const texts = flags[name]?.map((text) => resolvePathIn(text, name, cwd));
		if (texts !== undefined) resolved[name] = texts;
	}
	return mergeSettings(resolved, {});
}

/**
 * Loads settings from a template, ignoring variables and the config file.
 *
 * @throws {ChatError} `data` for the first mistake
 */
export function loadTemplate(template: ChosenLayer): MergedSettings {
	return mergeSettings({}, {}, [], [template]);
}

/** @throws {ChatError} `usage` for a flag without a name */
function findProfile(flags: FlagTexts, {variables}: SettingsSource): ChosenProfile | undefined {
	const named = flags.profile?.at(-1);
	const name = named ?? (variables['CHAT_PROFILE'] || undefined);
	if (name === undefined) return undefined;
	if (name !== '') return {name, isFromFlag: named !== undefined};
	throw new ChatError('usage', '--profile needs a name', {
		hint: 'chat config profiles shows them.',
	});
}
