/** Settings as a person reads them: what each one is, and which source it came from. */
import {redactUrl, redactUrlText} from '../../redact.ts';
import type {LoadedSettings, SettingsSource} from '../options/load-settings.ts';
import {longFlagOf} from '../options/merge.ts';
import type {OptionRow} from '../options/option-row.ts';
import {configKeyOf, optionRows, type SettingName, settingNames} from '../options/option-rows.ts';
import {looksLikeKey} from './api-key.ts';
import {findPairUrl} from './service-settings.ts';

export type DescribedSetting = {
	/** The key of the config file, or the flag of what cannot be in it. */
	readonly key: string;
	/** The text it was given, without secrets, or its default; empty if it has none. */
	readonly text: string;
	/** `default`, `config`, `profile work`, `CHAT_MODEL`, `--model`. */
	readonly source: string;
};

/** What the config file may hold, in the order of the rows, as a run would have it. */
export function describeSettings(
	loaded: LoadedSettings,
	variables: SettingsSource['variables'],
): readonly DescribedSetting[] {
	const pairUrl = findPairUrl(loaded, variables);
	return settingNames
		.filter((name) => configKeyOf(name) !== undefined)
		.map((name) =>
			name === 'baseUrl' && pairUrl !== undefined
				? {key: 'base-url', text: redactUrl(pairUrl), source: 'OPENAI_BASE_URL'}
				: describe(name, loaded),
		);
}

/** What this run has set, in the order of the rows. */
export function describeChanged(loaded: LoadedSettings): readonly DescribedSetting[] {
	return settingNames
		.filter((name) => loaded.sources[name] !== 'default')
		.map((name) => describe(name, loaded));
}

function describe(name: SettingName, loaded: LoadedSettings): DescribedSetting {
	const row: OptionRow<unknown> = optionRows[name];
	const key = configKeyOf(name) ?? longFlagOf(row).slice(2);
	const texts = loaded.texts[name];
	const text =
		texts.length === 0 ? defaultText(row) : showTexts(name, loaded.settings[name], texts);
	return {key, text, source: describeSource(name, row, loaded)};
}

function defaultText({shownDefault, fallback}: OptionRow<unknown>): string {
	const shown = shownDefault ?? fallback;
	return shown === undefined || typeof shown === 'object' ? '' : String(shown);
}

function showTexts(name: SettingName, value: unknown, texts: readonly string[]): string {
	if (value instanceof URL) return redactUrl(value);
	if (typeof value === 'boolean') return String(value);
	if (name === 'apiKeyFile' && looksLikeKey(String(value))) return '[redacted]';
	if (Array.isArray(value)) return texts.map(redactAddress).join(', ');
	return texts.at(-1) ?? '';
}

/** Images may be addresses, with keys in them. */
function redactAddress(text: string): string {
	return URL.canParse(text) ? redactUrl(new URL(text)) : redactUrlText(text);
}

function describeSource(
	name: SettingName,
	row: OptionRow<unknown>,
	{sources, texts, profile}: LoadedSettings,
): string {
	const source = sources[name];
	switch (source) {
		case 'flag':
			return longFlagOf(row, texts[name].at(-1) === 'false');
		case 'environment':
			return row.variable ?? source;
		case 'profile':
			return `${source} ${profile}`;
		case 'config':
		case 'default':
			return source;
		default:
			return source satisfies never;
	}
}
