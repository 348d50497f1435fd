/**
 * Settings from their sources, the later over the earlier: defaults, environment, flags. Each text
 * is checked by its row, wherever it came from.
 */
import {ChatError} from '../errors.ts';
import {redactUrlText} from '../redact.ts';
import {
	type OptionRow,
	optionRows,
	type SettingName,
	type Settings,
	settingNames,
} from './option-rows.ts';
import {ValueError} from './parsers.ts';

/** The texts a flag was given, in order; a switch gets `true` or `false`. */
export type FlagTexts = Partial<Record<SettingName, readonly string[]>>;

export type SettingSource = 'default' | 'environment' | 'flag';

export type MergedSettings = {
	readonly settings: Settings;
	readonly sources: Readonly<Record<SettingName, SettingSource>>;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws {ChatError} `usage` for the value of a flag, `config` for that of a variable */
export function mergeSettings(flags: FlagTexts, variables: Variables): MergedSettings {
	return merge(flags, variables, (failure) => {
		throw failure;
	});
}

/** The settings of a run that has failed already: a wrong one has its default, and nothing throws. */
export function mergeValidSettings(flags: FlagTexts, variables: Variables): MergedSettings {
	return merge(flags, variables, () => undefined);
}

function merge(
	flags: FlagTexts,
	variables: Variables,
	onInvalid: (failure: ChatError) => void,
): MergedSettings {
	const settings: Partial<Record<SettingName, unknown>> = {};
	const sources: Partial<Record<SettingName, SettingSource>> = {};
	for (const name of settingNames) {
		const row: OptionRow<unknown> = optionRows[name];
		const {source, texts} = findTexts(row, flags[name], variables);
		sources[name] = source;
		settings[name] = readTexts(row, source, texts, onInvalid);
	}
	return Object.freeze({
		settings: Object.freeze(settings) as Settings,
		sources: Object.freeze(sources) as Record<SettingName, SettingSource>,
	});
}

function findTexts(
	row: OptionRow<unknown>,
	flagTexts: readonly string[] | undefined,
	variables: Variables,
): {readonly source: SettingSource; readonly texts: readonly string[]} {
	if (flagTexts !== undefined) return {source: 'flag', texts: flagTexts};
	const text = row.variable === undefined ? undefined : variables[row.variable];
	// An empty variable is how many shells spell "unset".
	if (text !== undefined && text !== '') return {source: 'environment', texts: [text]};
	return {source: 'default', texts: []};
}

function readTexts(
	row: OptionRow<unknown>,
	source: SettingSource,
	texts: readonly string[],
	onInvalid: (failure: ChatError) => void,
): unknown {
	let value = row.fallback;
	for (const text of texts) {
		try {
			value = row.read(text, value);
		} catch (error) {
			const place = source === 'flag' ? longFlagOf(row) : (row.variable ?? '');
			onInvalid(invalidValue(source === 'flag' ? 'usage' : 'config', place, text, error));
		}
	}
	return value;
}

/**
 * The failure for a text that its parser refuses.
 *
 * @param place the flag or variable that holds the text
 * @throws `error` itself if it is no `ValueError`
 */
export function invalidValue(
	kind: 'usage' | 'config',
	place: string,
	text: string,
	error: unknown,
): ChatError {
	if (!(error instanceof ValueError)) throw error;
	return new ChatError(kind, `${place} is "${redactUrlText(text)}", but it ${error.message}`);
}

/** `--max-tokens` of `--max-tokens <n>`. */
export function longFlagOf(row: OptionRow<unknown>): string {
	return /--[a-z-]+/.exec(row.flags[0] ?? '')?.[0] ?? '';
}
