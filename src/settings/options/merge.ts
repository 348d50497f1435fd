/**
 * Merges the settings of all sources, a later one over an earlier one: defaults, config file,
 * profile, variables, a profile named on the command line, flags. The row of a setting checks every
 * text, whatever its source.
 */
import type {JsonValue} from '../../json.ts';
import {type ConfigLayer, editHint} from '../files/config-file.ts';
import {longFlagOf, type OptionRow} from './option-row.ts';
import {parseSetting, ValueError} from './parsers.ts';
import {
	configKeyOf,
	type FlagTexts,
	rowOf,
	type SettingName,
	type Settings,
	settingNames,
} from './settings.ts';

export type SettingSource = 'default' | 'config' | 'profile' | 'environment' | 'flag';

export type MergedSettings = {
	readonly settings: Settings;
	readonly sources: Readonly<Record<SettingName, SettingSource>>;
	/** The texts that the values were read from; none for a default. */
	readonly texts: Readonly<Record<SettingName, readonly string[]>>;
};

export type Variables = Readonly<Record<string, string | undefined>>;

type OnInvalid = (error: unknown) => void;

/**
 * @param onInvalid called for each text that is not valid, which then counts as absent
 * @throws {ChatError} by default: `usage` for the value of a flag, `config` for any other
 */
export function mergeSettings(
	flags: FlagTexts,
	variables: Variables,
	layers: readonly ConfigLayer[] = [],
	onInvalid: OnInvalid = rethrow,
): MergedSettings {
	const settings: Partial<Record<SettingName, unknown>> = {};
	const sources: Partial<Record<SettingName, SettingSource>> = {};
	const texts: Partial<Record<SettingName, readonly string[]>> = {};
	for (const name of settingNames) {
		const raw =
			findFlag(name, flags) ??
			findInLayers(name, layers, true) ??
			findVariable(name, variables) ??
			findInLayers(name, layers, false) ??
			unset;
		sources[name] = raw.source;
		texts[name] = raw.texts;
		settings[name] = readTexts(name, raw, variables, onInvalid);
	}
	return Object.freeze({
		settings: Object.freeze(settings) as Settings,
		sources: Object.freeze(sources) as Record<SettingName, SettingSource>,
		texts: Object.freeze(texts) as Record<SettingName, readonly string[]>,
	});
}

function rethrow(error: unknown): never {
	throw error;
}

type RawSetting = {
	readonly source: SettingSource;
	readonly texts: readonly string[];
	/** Where the texts are, for messages. */
	readonly location: string;
	/** Whether the config file has another type there, such as a number. */
	readonly isNonString?: boolean;
};

const unset: RawSetting = {source: 'default', texts: [], location: ''};

/**
 * Returns the value of a setting in one layer of the config file; the default if it is not there.
 *
 * @throws {ChatError} `config` when it is not valid
 */
export function readInLayer<Name extends SettingName>(
	name: Name,
	layer: ConfigLayer,
): Settings[Name] {
	const raw = findInLayers(name, [layer], false) ?? unset;
	return readTexts(name, raw, {}, rethrow) as Settings[Name];
}

function findFlag(name: SettingName, flags: FlagTexts): RawSetting | undefined {
	const texts = flags[name];
	return texts && {source: 'flag', texts, location: longFlagOf(rowOf(name))};
}

function findVariable(name: SettingName, variables: Variables): RawSetting | undefined {
	const {variable = ''} = rowOf(name);
	const text = variables[variable];
	// Many shells cannot unset a variable for one command, only empty it.
	return text ? {source: 'environment', texts: [text], location: variable} : undefined;
}

/** The last layer with the key decides. */
function findInLayers(
	name: SettingName,
	layers: readonly ConfigLayer[],
	beatsVariables: boolean,
): RawSetting | undefined {
	const key = configKeyOf(name);
	if (key === undefined) return undefined;
	const layer = layers.findLast(({values}) => Object.hasOwn(values, key));
	if (layer === undefined || (beatsVariables && !layer.beatsVariables)) return undefined;
	const {source, values, directory} = layer;
	const value = values[key];
	const location = `${key} ${layer.location}`;
	const texts = stringsOf(value, rowOf(name));
	if (texts === undefined) {
		return {source, texts: [JSON.stringify(value)], location, isNonString: true};
	}
	const resolvePath = rowOf(name).resolvePath ?? ((text: string) => text);
	return {source, texts: texts.map((text) => resolvePath(text, directory)), location};
}

/** Returns a string, or for a repeatable option several of them; undefined for anything else. */
function stringsOf(
	value: JsonValue | undefined,
	{defaultValue}: OptionRow<unknown>,
): readonly string[] | undefined {
	if (typeof value === 'string') return [value];
	const isList = Array.isArray(value) && Array.isArray(defaultValue);
	return isList && value.every((item) => typeof item === 'string') ? value : undefined;
}

function readTexts(
	name: SettingName,
	{source, texts, location, isNonString = false}: RawSetting,
	variables: Variables,
	onInvalid: OnInvalid,
): unknown {
	const row = rowOf(name);
	const kind = source === 'flag' ? 'usage' : 'config';
	const hint = source === 'config' || source === 'profile' ? editHint : undefined;
	let value = row.defaultValue;
	const parse = (text: string) => {
		const next = row.parse(text, value, variables);
		const isText = typeof next === 'string' || Array.isArray(next);
		if (!isNonString || row.isJson || !isText) return next;
		throw new ValueError('must be a string in quotes');
	};
	for (const text of texts) {
		try {
			value = parseSetting(kind, location, text, parse, hint);
		} catch (error) {
			onInvalid(error);
		}
	}
	return value;
}
