/** Describes settings for a person: the value of each, and its source. */
import {describeKey, looksLikeKey, maskKeys, redactUrl, redactUrlText} from '../../redact.ts';
import {shorten} from '../../wording.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import type {MergedSettings, SettingSource} from '../options/merge.ts';
import {fieldOf, longFlagOf} from '../options/option-row.ts';
import {isNameOfPlaces} from '../options/parse-service.ts';
import {changeFields, type FieldChange, type FieldValue} from '../options/request-fields.ts';
import {configKeyOf, rowOf, type SettingName, settingNames} from '../options/settings.ts';
import {findOpenaiUrl} from './base-url.ts';
import {headerNames} from './find-headers.ts';
import type {ServiceSettings} from './service-settings.ts';

export type DescribedSetting = {
	/** The key in the config file, or the flag of a setting that cannot be in it. */
	readonly key: string;
	/** The text it was given, without secrets, or its default; empty without a default. */
	readonly text: string;
	readonly source: string;
};

type Described = MergedSettings & Partial<Pick<LoadedSettings, 'profile'>>;

/** Describes the settings that the config file may hold, in the order of the rows. */
export function describeSettings(loaded: LoadedSettings): readonly DescribedSetting[] {
	return describeAll(loaded).filter(({name}) => configKeyOf(name) !== undefined);
}

/**
 * Returns where settings come from that are not defaults, as part of a sentence, by their keys in the
 * spelling of a request: `max_tokens`.
 */
export function describeFieldSources(loaded: Described): Readonly<Record<string, string>> {
	const entries = settingNames.flatMap((name) => {
		const source = loaded.sources[name];
		if (source === 'default') return [];
		const words = describeOne(source, name, loaded);
		const place =
			source === 'config' ? 'the config file' : source === 'profile' ? `the ${words}` : words;
		return fieldsOf(name, loaded).map((field) => [field, place]);
	});
	return Object.fromEntries(entries);
}

/** Returns the fields that a setting stands for; none of `options` if it has several sources. */
function fieldsOf(name: SettingName, {settings, given}: Described): readonly string[] {
	if (name !== 'option') return [fieldOf(name)];
	return given.option.length > 1 ? [] : settings.option.flatMap(({path: [field = '']}) => field);
}

/** Returns the lines of `-v` about the settings that are not defaults, and the key. */
export function traceSettings(
	loaded: LoadedSettings,
	service: Pick<ServiceSettings, 'baseUrl' | 'wire' | 'apiKey' | 'keySource'>,
): readonly string[] {
	const {baseUrl, wire, apiKey, keySource} = service;
	const lines = describeAll(loaded)
		.filter(({key, source}) => source !== 'default' && key !== 'verbose' && key !== 'wire')
		// A conversation also keeps what is not set.
		.filter(({name, text}) => text !== '' || loaded.sources[name] !== 'session')
		// A system message may be long.
		.map(({key, text, source}) => `= ${key}: ${shorten(text, 80)} (${source})`);
	if (baseUrl === undefined) return lines;
	const key = apiKey === undefined ? 'none' : `${describeKey(apiKey)} (${keySource})`;
	const source = describeSource('wire', loaded);
	const of = source === 'default' ? 'auto' : source;
	return [...lines, `= wire: ${wire} (${of})`, `= API key: ${key}`];
}

function describeAll(loaded: LoadedSettings) {
	const openaiUrl = findOpenaiUrl(loaded);
	return settingNames.map((name) => {
		const key = configKeyOf(name) ?? longFlagOf(rowOf(name)).slice(2);
		if (name === 'baseUrl' && openaiUrl !== undefined) {
			return {name, key, text: redactUrl(openaiUrl), source: 'OPENAI_BASE_URL'};
		}
		const isDefault = loaded.sources[name] === 'default';
		const text =
			showOwn[name]?.(loaded) ??
			(isDefault ? defaultText(name) : showTexts(loaded.settings[name], loaded.texts[name]));
		return {name, key, text, source: describeSource(name, loaded)};
	});
}

function defaultText(name: SettingName): string {
	const {defaultValue, defaultLabel = defaultValue} = rowOf(name);
	const isShown = defaultLabel !== undefined && typeof defaultLabel !== 'object';
	return isShown ? String(defaultLabel) : '';
}

/** Settings whose texts are not what a person should read. */
const showOwn: Partial<Record<SettingName, (loaded: LoadedSettings) => string>> = {
	header: (loaded) => headerNames(loaded).join(', '),
	apiKeyCommand: ({settings: {apiKeyCommand: [program] = []}}) =>
		program === undefined ? '' : `${program} …`,
	apiKeyFile: ({settings: {apiKeyFile = ''}}) =>
		looksLikeKey(apiKeyFile) ? '[redacted]' : apiKeyFile,
	option: ({settings}) => showFields(settings.option),
	// The file's form for several values.
	stop: ({settings: {stop}}) => (stop.length > 1 ? JSON.stringify(stop) : (stop[0] ?? '')),
	system: ({settings: {system = {text: ''}}}) =>
		'text' in system ? system.text : `@${system.file}`,
};

function showTexts(value: unknown, texts: readonly string[]): string {
	if (value instanceof URL && !isNameOfPlaces(value)) return redactUrl(value);
	if (typeof value === 'boolean') return String(value);
	if (Array.isArray(value)) return texts.map(redactAddress).join(', ');
	return texts.at(-1) ?? '';
}

function showFields(changes: readonly FieldChange[]): string {
	const shown = changes.map(
		(change): FieldValue =>
			'file' in change ? {path: change.path, value: {'@file': change.file}} : change,
	);
	const fields = changeFields({}, shown);
	return Object.keys(fields).length === 0 ? '' : JSON.stringify(fields, maskKeys);
}

/** An image may be a URL with a key in it. */
function redactAddress(text: string): string {
	return URL.canParse(text) ? redactUrl(new URL(text)) : redactUrlText(text);
}

/** Returns the source of a setting: `default`, `config`, `profile work`, `CHAT_MODEL`, `--model`. */
export function describeSource(name: SettingName, loaded: LoadedSettings): string {
	const given = loaded.given[name].map(({source}) => source).reverse();
	const sources = rowOf(name).isMerged && given.length > 0 ? given : [loaded.sources[name]];
	return sources.map((source) => describeOne(source, name, loaded)).join(', ');
}

function describeOne(
	source: SettingSource,
	name: SettingName,
	{texts, profile, settings}: Described,
): string {
	const row = rowOf(name);
	if (source === 'flag') return longFlagOf(row, texts[name].at(-1) === 'false');
	if (source === 'environment') return row.variable ?? source;
	if (source === 'session') return 'the saved conversation';
	if (source === 'template') {
		return settings.template === undefined ? 'the file' : `the template ${settings.template}`;
	}
	return source === 'profile' ? `${source} ${profile}` : source;
}
