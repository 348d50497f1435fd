/** Keys of the config file that no setting has: typing mistakes, mostly. */
import {findClosest} from '../../did-you-mean.ts';
import type {ConfigLayer} from '../files/config-file.ts';
import type {OptionRow} from './option-row.ts';
import {configKeys, optionRows, settingNames} from './option-rows.ts';

export type UnknownKey = {
	/** The beginning of a sentence: `unknown key "base_url" in config.json`. */
	readonly problem: string;
	/** What may have been meant, as a sentence; undefined if nobody knows. */
	readonly hint: string | undefined;
};

export function findUnknownKeys(layers: readonly ConfigLayer[]): readonly UnknownKey[] {
	return layers.flatMap(({values, place}) =>
		Object.keys(values)
			.filter((key) => !configKeys.has(key))
			.map((key) => ({problem: `unknown key "${key}" ${place}`, hint: explainKey(key)})),
	);
}

/** One line. */
export function describeUnknownKey({problem, hint}: UnknownKey): string {
	return hint === undefined ? problem : `${problem}. ${hint}`;
}

const secretKey = /^(?:[a-z]+-)*api-?key$|^(?:key|token|secret|password|authorization)$/;

/** Whether this is what people call the key of a service. */
export function isNameOfSecret(name: string): boolean {
	return secretKey.test(name.toLowerCase().replaceAll('_', '-'));
}

/**
 * What a key that no setting has may have been meant for, as a sentence; undefined if nobody knows.
 */
export function explainKey(key: string): string | undefined {
	if (isNameOfSecret(key)) {
		return 'API keys are stored apart from the settings: chat auth set';
	}
	if (isFlag(key)) return `It is chosen for each run: --${key}`;
	const closest = findClosest(key, [...configKeys.keys()]);
	return closest === undefined ? undefined : `Did you mean ${closest}?`;
}

function isFlag(key: string): boolean {
	return settingNames.some((name) => {
		const {flags}: OptionRow<unknown> = optionRows[name];
		return flags.some((flag) => flag.split(/[ ,]+/).includes(`--${key}`));
	});
}
