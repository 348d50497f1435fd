/**
 * Merges the settings of all sources, a later one over an earlier one: defaults, config file,
 * profile, variables, a profile named on the command line, the conversation that continues, the
 * prompt template, flags.
 * The row of a setting checks every text, whatever its source.
 */
import type {Variables} from '../../environment.ts';
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
import type {TemplateLayer} from './template-layer.ts';

export type SettingSource =
	| 'default'
	| 'config'
	| 'profile'
	| 'environment'
	| 'session'
	| 'template'
	| 'flag';

/** Sources that the command line names. */
export type ChosenSources = {
	/** The settings of the conversation that continues; what is not valid in them is left out. */
	readonly saved?: FlagTexts | undefined;
	/** The base URL of that conversation. */
	readonly savedService?: string | undefined;
	readonly template?: TemplateLayer | undefined;
};

export type MergedSettings = {
	readonly settings: Settings;
	/** The source of each value; the strongest one if several count. */
	readonly sources: Readonly<Record<SettingName, SettingSource>>;
	/** All sources that count, the strongest last. */
	readonly allSources: Readonly<Record<SettingName, readonly SettingSource[]>>;
	/** The texts that the values were read from; none for a default. */
	readonly texts: Readonly<Record<SettingName, readonly string[]>>;
};

type OnInvalid = (error: unknown) => void;

/**
 * @param onInvalid called for each text that is not valid, which then counts as absent
 * @throws {ChatError} by default: `usage` for the value of a flag, `data` for one of a template,
 * `config` for any other
 */
export function mergeSettings(
	flags: FlagTexts,
	variables: Variables,
	layers: readonly ConfigLayer[] = [],
	chosen: ChosenSources = {},
	onInvalid: OnInvalid = rethrow,
): MergedSettings {
	const settings: Partial<Record<SettingName, unknown>> = {};
	const sources: Partial<Record<SettingName, SettingSource>> = {};
	const allSources: Partial<Record<SettingName, readonly SettingSource[]>> = {};
	const texts: Partial<Record<SettingName, readonly string[]>> = {};
	for (const name of settingNames) {
		const found = findSources(name, {...chosen, flags, variables, layers});
		const [strongest = unset] = found;
		const used = rowOf(name).isMerged ? found.toReversed() : [strongest];
		sources[name] = strongest.source;
		allSources[name] = used.map((raw) => raw.source);
		texts[name] = used.flatMap((raw) => raw.texts);
		settings[name] = used.reduce(
			(value, raw) => readTexts(name, raw, {initial: value, variables, onInvalid}),
			rowOf(name).defaultValue,
		);
	}
	return Object.freeze({
		settings: Object.freeze(settings) as Settings,
		sources: Object.freeze(sources) as Record<SettingName, SettingSource>,
		allSources: Object.freeze(allSources) as Record<SettingName, readonly SettingSource[]>,
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
	const raw = findInLayer(name, layer) ?? unset;
	const initial = rowOf(name).defaultValue;
	return readTexts(name, raw, {initial, variables: {}, onInvalid: rethrow}) as Settings[Name];
}

type Sources = ChosenSources & {
	readonly flags: FlagTexts;
	readonly variables: Variables;
	readonly layers: readonly ConfigLayer[];
};

/** Returns what the sources say, the strongest first. */
function findSources(
	name: SettingName,
	{flags, template, saved = {}, variables, layers}: Sources,
): readonly RawSetting[] {
	const found = (layer: ConfigLayer) => findInLayer(name, layer);
	const lastFirst = layers.toReversed();
	return [
		findFlag(name, flags),
		template && findInTemplate(name, template),
		findSaved(name, saved),
		...lastFirst.filter(({beatsVariables}) => beatsVariables).map(found),
		findVariable(name, variables),
		...lastFirst.filter(({beatsVariables}) => !beatsVariables).map(found),
	].filter((raw) => raw !== undefined);
}

function findFlag(name: SettingName, flags: FlagTexts): RawSetting | undefined {
	const texts = flags[name];
	return texts && {source: 'flag', texts, location: longFlagOf(rowOf(name))};
}

function findSaved(name: SettingName, saved: FlagTexts): RawSetting | undefined {
	const texts = saved[name];
	return texts && {source: 'session', texts, location: ''};
}

function findVariable(name: SettingName, variables: Variables): RawSetting | undefined {
	const {variable = ''} = rowOf(name);
	const text = variables[variable];
	// Many shells cannot unset a variable for one command, only empty it.
	return text ? {source: 'environment', texts: [text], location: variable} : undefined;
}

function findInLayer(
	name: SettingName,
	{source, values, directory, location}: ConfigLayer,
): RawSetting | undefined {
	const key = configKeyOf(name);
	if (key === undefined || !Object.hasOwn(values, key)) return undefined;
	return readValue(name, values[key], {source, directory, location: `${key} ${location}`});
}

function findInTemplate(
	name: SettingName,
	{values, directory, location}: TemplateLayer,
): RawSetting | undefined {
	const found = values[name];
	const place = {source: 'template', directory, location: `${found?.key} ${location}`} as const;
	return found && readValue(name, found.value, place);
}

type ValuePlace = Pick<RawSetting, 'source' | 'location'> & Pick<ConfigLayer, 'directory'>;

function readValue(
	name: SettingName,
	value: JsonValue | undefined,
	{source, location, directory}: ValuePlace,
): RawSetting {
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

type Reading = {
	/** The value of weaker sources, or the default. */
	readonly initial: unknown;
	readonly variables: Variables;
	readonly onInvalid: OnInvalid;
};

function readTexts(
	name: SettingName,
	{source, texts, location, isNonString = false}: RawSetting,
	{initial, variables, onInvalid}: Reading,
): unknown {
	const row = rowOf(name);
	const kind = source === 'flag' ? 'usage' : source === 'template' ? 'data' : 'config';
	const hint = source === 'config' || source === 'profile' ? editHint : undefined;
	let value = initial;
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
			if (source !== 'session') onInvalid(error);
		}
	}
	return value;
}
