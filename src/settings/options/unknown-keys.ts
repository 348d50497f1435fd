/** Finds unknown config file keys and variables: mostly typing mistakes. */
import {findClosest} from '../../did-you-mean.ts';
import type {Variables} from '../../environment.ts';
import {isKeyName} from '../../redact.ts';
import type {ConfigLayer} from '../files/config-file.ts';
import {configKeyOf, configKeys, rowOf, settingNames} from './settings.ts';

/** A problem, but not a fatal one. */
export type SettingsWarning = {
	/** Beginning a sentence: `unknown key "base_url" in config.json`. */
	readonly problem: string;
	readonly hint?: string | undefined;
};

export function describeWarning({problem, hint}: SettingsWarning): string {
	return hint === undefined ? problem : `${problem}. ${hint}`;
}

export function findUnknownKeys(layers: readonly ConfigLayer[]): readonly SettingsWarning[] {
	return layers.flatMap(({values, location}) =>
		Object.keys(values)
			.filter((key) => !configKeys.has(key))
			.map((key) => ({problem: `unknown key "${key}" ${location}`, hint: keyHint(key)})),
	);
}

const prefix = 'CHAT_';

/** Finds variables resembling one of ours, not those for other programs. */
export function findUnknownVariables(variables: Variables): readonly SettingsWarning[] {
	const rows = settingNames.map((name) => rowOf(name).variable ?? '');
	const known = ['CHAT_API_KEY', ...rows].filter((name) => name !== '');
	const words = known.map((name) => name.slice(prefix.length));
	return Object.keys(variables).flatMap((name) => {
		const isOurs = !name.toUpperCase().startsWith(prefix) || known.includes(name);
		const closest = isOurs ? undefined : findClosest(name.slice(prefix.length), words);
		if (closest === undefined) return [];
		return {problem: `unknown variable ${name}`, hint: `Did you mean ${prefix}${closest}?`};
	});
}

/** Suggests a replacement for an unknown key; undefined without a guess. */
export function keyHint(key: string): string | undefined {
	if (isKeyName(key)) return 'API keys are stored separately: chat auth set';
	if (isFlag(key)) return `It is set for each run: --${key}`;
	const closest = findClosest(key, [...configKeys.keys()]);
	const meant = closest === undefined ? [] : [`Did you mean ${closest}?`];
	// Request fields have underscores, config file keys have none.
	const isField = key.includes('_') && closest !== key.replaceAll('_', '-');
	const field = isField
		? [`A field of the request goes into options: chat config set options ${key}=VALUE`]
		: [];
	return [...meant, ...field].join(' ') || undefined;
}

function isFlag(key: string): boolean {
	const names = settingNames.filter((name) => configKeyOf(name) === undefined);
	return names.some((name) =>
		rowOf(name).flags.some((flag) => flag.split(/[ ,]+/).includes(`--${key}`)),
	);
}
