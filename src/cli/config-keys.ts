/** Keys and values as they are given to `chat config`, checked by the rows of the settings. */

import {findClosest} from '../closest-word.ts';
import {ChatError} from '../errors.ts';
import {profilesKey} from '../settings/config-file.ts';
import {invalidValue} from '../settings/merge.ts';
import type {OptionRow} from '../settings/option-row.ts';
import {configKeys, optionRows, type SettingName, settingNames} from '../settings/option-rows.ts';

/** What people call a key for a service. */
const secretKey = /^(?:[a-z]+-)*api-?key$|^(?:key|token|secret|password|authorization)$/;

/** @throws {ChatError} `usage` when the config file knows no such key */
export function readConfigKey(key: string): SettingName {
	const name = configKeys.get(key);
	if (name !== undefined) return name;
	refuseProfiles(key);
	if (secretKey.test(key.toLowerCase().replaceAll('_', '-'))) {
		throw new ChatError('usage', 'the config file holds no API keys', {
			hint: 'chat auth set asks for one and stores it; nobody sees it on the way.',
		});
	}
	if (isForOneRun(key)) {
		throw new ChatError('usage', `${key} is chosen for each run, and not kept in the config file`, {
			hint: `Give it as --${key}.`,
		});
	}
	throw new ChatError('usage', `there is no setting "${key}"`, {hint: suggest(key)});
}

/** @throws {ChatError} `usage` for the key that holds all profiles, which no command may take */
export function refuseProfiles(key: string): void {
	if (key !== profilesKey) return;
	throw new ChatError('usage', `"${key}" is no setting, but where the profiles are kept`, {
		hint: 'Use --profile <name> with the key of a setting; chat config list shows the profiles.',
	});
}

function isForOneRun(key: string): boolean {
	return settingNames.some((name) => {
		const {flags}: OptionRow<unknown> = optionRows[name];
		return flags.some((flag) => flag.split(/[ ,]+/).includes(`--${key}`));
	});
}

function suggest(key: string): string {
	const closest = findClosest(key, [...configKeys.keys()]);
	const list = 'chat config list shows all of them.';
	return closest === undefined ? list : `Did you mean ${closest}? ${list}`;
}

/**
 * The value for the file: a number or a switch as such, anything else as text, and paths absolute.
 *
 * @throws {ChatError} `usage` when the row refuses it
 */
export function readConfigValue(
	key: string,
	name: SettingName,
	text: string,
	cwd: string,
): string | number | boolean {
	const row: OptionRow<unknown> = optionRows[name];
	try {
		const value = row.read(text, row.fallback);
		if (typeof value === 'boolean') return value;
		if (typeof value === 'number' && String(value) === text) return value;
	} catch (error) {
		throw invalidValue('usage', key, text, error);
	}
	return row.resolvePath?.(text, cwd) ?? text;
}

/** Names that can be written without quotes, and in a flag. */
export function checkProfileName(profile: string): string {
	if (/^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(profile)) return profile;
	throw new ChatError('usage', `"${profile}" is no name for a profile`, {
		hint: 'Use letters, digits, dashes, dots and underscores.',
	});
}
