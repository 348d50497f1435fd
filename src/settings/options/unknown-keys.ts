/** Finds keys of the config file that are not settings: mostly typing mistakes. */
import {findClosest} from '../../did-you-mean.ts';
import type {ConfigLayer} from '../files/config-file.ts';
import {configKeys, rowOf, settingNames} from './option-rows.ts';

export type UnknownKey = {
	/** The beginning of a sentence: `unknown key "base_url" in config.json`. */
	readonly problem: string;
	/** A sentence about the key that was probably meant. */
	readonly hint: string | undefined;
};

export function findUnknownKeys(layers: readonly ConfigLayer[]): readonly UnknownKey[] {
	return layers.flatMap(({values, location}) =>
		Object.keys(values)
			.filter((key) => !configKeys.has(key))
			.map((key) => ({problem: `unknown key "${key}" ${location}`, hint: explainKey(key)})),
	);
}

/** Returns one line. */
export function describeUnknownKey({problem, hint}: UnknownKey): string {
	return hint === undefined ? problem : `${problem}. ${hint}`;
}

const secretKey = /^(?:[a-z]+-)*api-?key$|^(?:key|token|secret|password|authorization)$/;

/** Whether a name is a usual one for the API key of a service. */
export function isNameOfSecret(name: string): boolean {
	return secretKey.test(name.toLowerCase().replaceAll('_', '-'));
}

/** Returns a sentence about what an unknown key was probably meant to be; undefined without a guess. */
export function explainKey(key: string): string | undefined {
	if (isNameOfSecret(key)) return 'API keys are stored separately: chat auth set';
	if (isFlag(key)) return `It is set for each run: --${key}`;
	const closest = findClosest(key, [...configKeys.keys()]);
	return closest === undefined ? undefined : `Did you mean ${closest}?`;
}

function isFlag(key: string): boolean {
	return settingNames.some((name) =>
		rowOf(name).flags.some((flag) => flag.split(/[ ,]+/).includes(`--${key}`)),
	);
}
