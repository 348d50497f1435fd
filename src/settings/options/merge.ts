/**
 * Settings from their sources, the later over the earlier: defaults, config file, profile,
 * environment, a profile that is named on the command line, flags. Each text is checked by its row,
 * wherever it came from.
 */
import {ChatError} from '../../errors.ts';
import {redactUrlText} from '../../redact.ts';
import {type ConfigLayer, editHint} from '../files/config-file.ts';
import type {OptionRow} from './option-row.ts';
import {
	configKeyOf,
	optionRows,
	type SettingName,
	type Settings,
	settingNames,
} from './option-rows.ts';
import {ValueError} from './parsers.ts';

/** The texts a flag was given, in order; a switch gets `true` or `false`. */
export type FlagTexts = Partial<Record<SettingName, readonly string[]>>;

export type SettingSource = 'default' | 'config' | 'profile' | 'environment' | 'flag';

export type MergedSettings = {
	readonly settings: Settings;
	readonly sources: Readonly<Record<SettingName, SettingSource>>;
	/** What the values were read from; none for a default. */
	readonly texts: Readonly<Record<SettingName, readonly string[]>>;
};

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * @throws {ChatError} `usage` for the value of a flag, `config` for that of a variable or of the
 * config file
 */
export function mergeSettings(
	flags: FlagTexts,
	variables: Variables,
	layers: readonly ConfigLayer[] = [],
): MergedSettings {
	return merge({flags, variables, layers}, (failure) => {
		throw failure;
	});
}

/** The settings of a run that has failed already: a wrong one has its default, and nothing throws. */
export function mergeValidSettings(
	flags: FlagTexts,
	variables: Variables,
	layers: readonly ConfigLayer[] = [],
): MergedSettings {
	return merge({flags, variables, layers}, () => undefined);
}

type Sources = {
	readonly flags: FlagTexts;
	readonly variables: Variables;
	readonly layers: readonly ConfigLayer[];
};

function merge(sources: Sources, onInvalid: (failure: ChatError) => void): MergedSettings {
	const settings: Partial<Record<SettingName, unknown>> = {};
	const sourceOf: Partial<Record<SettingName, SettingSource>> = {};
	const textsOf: Partial<Record<SettingName, readonly string[]>> = {};
	for (const name of settingNames) {
		const row: OptionRow<unknown> = optionRows[name];
		const found = findTexts(name, row, sources);
		sourceOf[name] = found.source;
		textsOf[name] = found.texts;
		settings[name] = readTexts(row, found, onInvalid);
	}
	return Object.freeze({
		settings: Object.freeze(settings) as Settings,
		sources: Object.freeze(sourceOf) as Record<SettingName, SettingSource>,
		texts: Object.freeze(textsOf) as Record<SettingName, readonly string[]>,
	});
}

type Found = {
	readonly source: SettingSource;
	readonly texts: readonly string[];
	/** Where the texts stand, for messages. */
	readonly place: string;
	/** A value of the config file that is no text there, such as a number. */
	readonly isNoText?: boolean;
};

function findTexts(name: SettingName, row: OptionRow<unknown>, sources: Sources): Found {
	const texts = sources.flags[name];
	if (texts !== undefined) return {source: 'flag', texts, place: longFlagOf(row)};
	const layer = findLayer(name, sources.layers);
	const ofLayer = layer && readLayer(name, row, layer);
	if (ofLayer !== undefined && layer?.beatsVariables === true) return ofLayer;
	return (
		readVariable(row, sources.variables) ?? ofLayer ?? {source: 'default', texts: [], place: ''}
	);
}

function readVariable(
	{variable = ''}: OptionRow<unknown>,
	variables: Variables,
): Found | undefined {
	const text = variables[variable];
	// An empty variable is how many shells spell "unset".
	if (text === undefined || text === '') return undefined;
	return {source: 'environment', texts: [text], place: variable};
}

function findLayer(name: SettingName, layers: readonly ConfigLayer[]): ConfigLayer | undefined {
	const key = configKeyOf(name);
	return layers.findLast(({values}) => key !== undefined && Object.hasOwn(values, key));
}

function readLayer(name: SettingName, row: OptionRow<unknown>, layer: ConfigLayer): Found {
	const {source, values, place, directory} = layer;
	const key = configKeyOf(name) ?? '';
	const value = values[key];
	const isNoText = typeof value !== 'string';
	const text = isNoText ? JSON.stringify(value) : (row.resolvePath?.(value, directory) ?? value);
	return {source, texts: [text], place: `${key} ${place}`, isNoText};
}

function readTexts(
	row: OptionRow<unknown>,
	{source, texts, place, isNoText = false}: Found,
	onInvalid: (failure: ChatError) => void,
): unknown {
	let value = row.fallback;
	for (const text of texts) {
		try {
			const next = row.read(text, value);
			if (isNoText && (typeof next === 'string' || Array.isArray(next)))
				throw new ValueError('must be a text in quotes');
			value = next;
		} catch (error) {
			const hint = source === 'config' || source === 'profile' ? editHint : undefined;
			onInvalid(invalidValue(source === 'flag' ? 'usage' : 'config', place, text, error, hint));
		}
	}
	return value;
}

/**
 * The failure for a text that its parser refuses.
 *
 * @param place the flag, variable or key that holds the text
 * @throws `error` itself if it is no `ValueError`
 */
export function invalidValue(
	kind: 'usage' | 'config',
	place: string,
	text: string,
	error: unknown,
	hint?: string,
): ChatError {
	if (!(error instanceof ValueError)) throw error;
	return new ChatError(kind, `${place} is "${redactUrlText(text)}", but it ${error.message}`, {
		hint,
	});
}

/**
 * `--max-tokens` of `--max-tokens <n>`.
 *
 * @param isOff whether the flag that turns a switch off is wanted, if there is one
 */
export function longFlagOf({flags}: OptionRow<unknown>, isOff = false): string {
	const flag = flags.find((text) => text.includes('--no-') === isOff) ?? flags[0];
	return /--[a-z-]+/.exec(flag ?? '')?.[0] ?? '';
}
