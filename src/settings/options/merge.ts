/**
 * Merges settings from all sources, a later one over an earlier one: defaults, config file, profile,
 * variables, a profile named on the command line, the continued conversation, the prompt template,
 * flags. A setting's row checks every text, whatever its source.
 */
import type {Variables} from '../../environment.ts';
import {isTooDeep, type JsonValue} from '../../json.ts';
import {type ConfigLayer, editHint} from '../files/config-file.ts';
import {longFlagOf, type OptionRow} from './option-row.ts';
import {parseSetting, ValueError} from './parsers.ts';
import {
	type ChosenLayer,
	configKeyOf,
	type FlagTexts,
	type PlacedValue,
	resolvePathIn,
	rowOf,
	type SettingName,
	type Settings,
	settingNames,
} from './settings.ts';

export type SettingSource =
	| 'default'
	| 'config'
	| 'profile'
	| 'environment'
	| 'session'
	| 'template'
	| 'flag';

export type MergedSettings = {
	readonly settings: Settings;
	/** The strongest source, if several count. */
	readonly sources: Readonly<Record<SettingName, SettingSource>>;
	/** Everything given for a setting, strongest first; of those adding up, only what counts. */
	readonly given: Readonly<Record<SettingName, readonly Given[]>>;
	/** Texts as written; none for a default. */
	readonly texts: Readonly<Record<SettingName, readonly string[]>>;
};

/** A value with its place. */
export type Given = {
	readonly source: SettingSource;
	/** The place in messages. */
	readonly location: string;
	/** The part of the config file. */
	readonly layer?: ConfigLayer | undefined;
	/** The service of a saved value. */
	readonly baseUrl?: string | undefined;
} & (
	| {readonly texts: readonly string[]}
	/** Neither a string nor a list of strings. */
	| {readonly json: JsonValue}
	| {readonly setting: unknown}
);

export type OnInvalid = (error: unknown) => void;

/**
 * @param chosen later layers win; mistakes in a conversation count as absent
 * @param onInvalid called for each invalid text, which then counts as absent
 * @throws {ChatError} by default: `usage` for a flag, `data` for a template, `config` otherwise
 */
export function mergeSettings(
	flags: FlagTexts,
	variables: Variables,
	layers: readonly ConfigLayer[] = [],
	chosen: readonly ChosenLayer[] = [],
	onInvalid: OnInvalid = rethrow,
): MergedSettings {
	const settings: Partial<Record<SettingName, unknown>> = {};
	const sources: Partial<Record<SettingName, SettingSource>> = {};
	const given: Partial<Record<SettingName, readonly Given[]>> = {};
	const texts: Partial<Record<SettingName, readonly string[]>> = {};
	for (const name of settingNames) {
		const found = findGiven(name, {chosen, flags, variables, layers});
		const {isMerged, defaultValue} = rowOf(name);
		const used = isMerged ? found.toReversed() : found.slice(0, 1);
		given[name] = found;
		sources[name] = found[0]?.source ?? 'default';
		texts[name] = used.flatMap(textsOf);
		settings[name] = used.reduce(
			(initial, one) => read(name, one, {initial, variables, onInvalid}),
			defaultValue,
		);
	}
	return Object.freeze({
		settings: Object.freeze(settings) as Settings,
		sources: Object.freeze(sources) as MergedSettings['sources'],
		given: Object.freeze(given) as MergedSettings['given'],
		texts: Object.freeze(texts) as MergedSettings['texts'],
	});
}

export function rethrow(error: unknown): never {
	throw error;
}

/**
 * Reads a value that need not be the one that counts.
 *
 * @throws {ChatError} `config` for an invalid value
 */
export function readGiven<Name extends SettingName>(name: Name, given: Given): Settings[Name] {
	const initial = rowOf(name).defaultValue;
	return read(name, given, {initial, variables: {}, onInvalid: rethrow}) as Settings[Name];
}

type Sources = {
	readonly chosen: readonly ChosenLayer[];
	readonly flags: FlagTexts;
	readonly variables: Variables;
	readonly layers: readonly ConfigLayer[];
};

/** Strongest first. */
function findGiven(
	name: SettingName,
	{flags, chosen, variables, layers}: Sources,
): readonly Given[] {
	const inLayers = (isStronger: boolean) =>
		layers
			.filter(({beatsVariables}) => beatsVariables === isStronger)
			.map((layer) => findInLayer(name, layer))
			.reverse();
	const all = [
		findFlag(name, flags),
		...chosen.toReversed().map((layer) => findChosen(name, layer)),
		...inLayers(true),
		findVariable(name, variables),
		...inLayers(false),
	].filter((given) => given !== undefined);
	const saved = all.findIndex(({source}) => source === 'session');
	// A conversation keeps its complete set of request fields: weaker sources add none.
	return rowOf(name).isMerged && saved !== -1 ? all.slice(0, saved + 1) : all;
}

function findFlag(name: SettingName, flags: FlagTexts): Given | undefined {
	const texts = flags[name];
	return texts && {source: 'flag', texts, location: longFlagOf(rowOf(name))};
}

function findVariable(name: SettingName, variables: Variables): Given | undefined {
	const {variable = '', isDropped} = rowOf(name);
	const text = variables[variable];
	// Many shells cannot unset a variable for one command, only empty it.
	if (text === undefined || (text === '' && !isDropped)) return undefined;
	return {source: 'environment', texts: [text], location: variable};
}

function findInLayer(name: SettingName, layer: ConfigLayer): Given | undefined {
	const key = configKeyOf(name);
	if (key === undefined || !Object.hasOwn(layer.values, key)) return undefined;
	return {...place(name, {key, json: layer.values[key] ?? null}, layer), layer};
}

function findChosen(name: SettingName, layer: ChosenLayer): Given | undefined {
	const found = layer.values[name];
	return found && place(name, found, layer);
}

function place(
	name: SettingName,
	value: PlacedValue,
	{source, directory, location: where}: Omit<ConfigLayer | ChosenLayer, 'values'>,
): Given {
	const at = {source, location: `${value.key} ${where}`, baseUrl: value.baseUrl};
	if ('setting' in value) return {...at, setting: value.setting};
	const {json} = value;
	if (json === null && source === 'session') return {...at, setting: rowOf(name).defaultValue};
	const texts = stringsOf(json, rowOf(name));
	if (texts === undefined) return {...at, json};
	return {...at, texts: texts.map((text) => resolvePathIn(text, name, directory))};
}

/** Returns several strings for a repeatable option only; undefined for anything but strings. */
function stringsOf(
	value: JsonValue,
	{defaultValue}: OptionRow<unknown>,
): readonly string[] | undefined {
	if (typeof value === 'string') return [value];
	const isList = Array.isArray(value) && Array.isArray(defaultValue);
	return isList && value.every((item) => typeof item === 'string') ? value : undefined;
}

type Reading = {
	/** Value from weaker sources, or the default. */
	readonly initial: unknown;
	readonly variables: Variables;
	readonly onInvalid: OnInvalid;
};

function read(name: SettingName, raw: Given, {initial, variables, onInvalid}: Reading): unknown {
	if ('setting' in raw) return raw.setting;
	const {source, location} = raw;
	const row = rowOf(name);
	const kind = source === 'flag' ? 'usage' : source === 'template' ? 'data' : 'config';
	const hint = source === 'config' || source === 'profile' ? editHint : undefined;
	let value = initial;
	const parse = (text: string) => {
		if (!('json' in raw)) return row.parse(text, value, variables);
		if (isTooDeep(raw.json)) throw new ValueError('must not be nested so deep');
		if (row.readJson !== undefined) return row.readJson(raw.json, value);
		const next = row.parse(text, value, variables);
		if (typeof next !== 'string' && typeof next !== 'object') return next;
		throw new ValueError('must be a string in quotes');
	};
	for (const text of textsOf(raw)) {
		try {
			value = parseSetting(kind, location, text, parse, hint);
		} catch (error) {
			if (source !== 'session') onInvalid(error);
		}
	}
	return value;
}

/** Returns the setting as written, for parsing and messages. */
function textsOf(raw: Given): readonly string[] {
	if ('texts' in raw) return raw.texts;
	if ('setting' in raw) return [];
	return [isTooDeep(raw.json) ? '…' : JSON.stringify(raw.json)];
}
