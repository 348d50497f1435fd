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
	/** For settings adding up their sources: all, strongest last. */
	readonly allSources: Readonly<Partial<Record<SettingName, readonly SettingSource[]>>>;
	/** Texts as written; none for a default. */
	readonly texts: Readonly<Record<SettingName, readonly string[]>>;
};

type OnInvalid = (error: unknown) => void;

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
	const allSources: Partial<Record<SettingName, readonly SettingSource[]>> = {};
	const texts: Partial<Record<SettingName, readonly string[]>> = {};
	for (const name of settingNames) {
		const found = findSources(name, {chosen, flags, variables, layers});
		const [strongest = unset] = found;
		const {isMerged = false, defaultValue} = rowOf(name);
		const used = isMerged ? found.toReversed() : [strongest];
		sources[name] = strongest.source;
		if (isMerged && used.length > 0) allSources[name] = used.map((raw) => raw.source);
		texts[name] = used.flatMap(textsOf);
		settings[name] = used.reduce(
			(value, raw) => read(name, raw, {initial: value, variables, onInvalid}),
			defaultValue,
		);
	}
	return Object.freeze({
		settings: Object.freeze(settings) as Settings,
		sources: Object.freeze(sources) as Record<SettingName, SettingSource>,
		allSources: Object.freeze(allSources),
		texts: Object.freeze(texts) as Record<SettingName, readonly string[]>,
	});
}

function rethrow(error: unknown): never {
	throw error;
}

type RawSetting = {
	readonly source: SettingSource;
	/** For messages. */
	readonly location: string;
} & (
	| {readonly texts: readonly string[]}
	/** Neither a string nor a list of strings. */
	| {readonly json: JsonValue}
	| {readonly setting: unknown}
);

const unset: RawSetting = {source: 'default', texts: [], location: ''};

/**
 * Reads a setting from one config file layer; the default if missing.
 *
 * @throws {ChatError} `config` for an invalid value
 */
export function readInLayer<Name extends SettingName>(
	name: Name,
	layer: ConfigLayer,
): Settings[Name] {
	const raw = findInLayer(name, layer) ?? unset;
	const initial = rowOf(name).defaultValue;
	return read(name, raw, {initial, variables: {}, onInvalid: rethrow}) as Settings[Name];
}

type Sources = {
	readonly chosen: readonly ChosenLayer[];
	readonly flags: FlagTexts;
	readonly variables: Variables;
	readonly layers: readonly ConfigLayer[];
};

/** Strongest first. */
function findSources(
	name: SettingName,
	{flags, chosen, variables, layers}: Sources,
): readonly RawSetting[] {
	const found = (layer: ConfigLayer) => findInLayer(name, layer);
	const lastFirst = layers.toReversed();
	const all = [
		findFlag(name, flags),
		...chosen.toReversed().map((layer) => findChosen(name, layer)),
		...lastFirst.filter(({beatsVariables}) => beatsVariables).map(found),
		findVariable(name, variables),
		...lastFirst.filter(({beatsVariables}) => !beatsVariables).map(found),
	].filter((raw) => raw !== undefined);
	const saved = all.findIndex(({source}) => source === 'session');
	// A conversation keeps its complete set of request fields: weaker sources add none.
	return saved === -1 ? all : all.slice(0, saved + 1);
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

function findInLayer(name: SettingName, layer: ConfigLayer): RawSetting | undefined {
	const key = configKeyOf(name);
	if (key === undefined || !Object.hasOwn(layer.values, key)) return undefined;
	return place(name, {key, json: layer.values[key] ?? null}, layer);
}

function findChosen(name: SettingName, layer: ChosenLayer): RawSetting | undefined {
	const found = layer.values[name];
	return found && place(name, found, layer);
}

function place(
	name: SettingName,
	value: PlacedValue,
	{source, directory, location: where}: Omit<ConfigLayer | ChosenLayer, 'values'>,
): RawSetting {
	const at = {source, location: `${value.key} ${where}`};
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

function read(
	name: SettingName,
	raw: RawSetting,
	{initial, variables, onInvalid}: Reading,
): unknown {
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
function textsOf(raw: RawSetting): readonly string[] {
	if ('texts' in raw) return raw.texts;
	if ('setting' in raw) return [];
	return [isTooDeep(raw.json) ? '…' : JSON.stringify(raw.json)];
}
