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

/** @throws {ChatError} `usage` for the value of a flag, `config` for that of a variable */
export function mergeSettings(
	flags: FlagTexts,
	variables: Readonly<Record<string, string | undefined>>,
): MergedSettings {
	const settings: Partial<Record<SettingName, unknown>> = {};
	const sources: Partial<Record<SettingName, SettingSource>> = {};
	for (const name of settingNames) {
		const row: OptionRow<unknown> = optionRows[name];
		const {source, texts} = findTexts(row, flags[name], variables);
		sources[name] = source;
		settings[name] = readTexts(row, source, texts);
	}
	return Object.freeze({
		settings: Object.freeze(settings) as Settings,
		sources: Object.freeze(sources) as Record<SettingName, SettingSource>,
	});
}

function findTexts(
	row: OptionRow<unknown>,
	flagTexts: readonly string[] | undefined,
	variables: Readonly<Record<string, string | undefined>>,
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
): unknown {
	let value = row.fallback;
	for (const text of texts) {
		try {
			value = row.read(text, value);
		} catch (error) {
			if (!(error instanceof ValueError)) throw error;
			const place = source === 'flag' ? longFlagOf(row) : row.variable;
			const shown = text.includes('@') ? redactUrlText(text) : text;
			throw new ChatError(
				source === 'flag' ? 'usage' : 'config',
				`${place} is "${shown}", but it ${error.message}`,
			);
		}
	}
	return value;
}

/** `--max-tokens` of `--max-tokens <n>`. */
export function longFlagOf(row: OptionRow<unknown>): string {
	return /--[a-z-]+/.exec(row.flags[0] ?? '')?.[0] ?? '';
}
