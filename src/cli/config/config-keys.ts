/** Keys and values as they are given to `chat config`, checked by the rows of the settings. */

import {ChatError} from '../../errors.ts';
import {profilesKey} from '../../settings/files/config-file.ts';
import {invalidValue} from '../../settings/options/merge.ts';
import type {OptionRow} from '../../settings/options/option-row.ts';
import {configKeys, optionRows, type SettingName} from '../../settings/options/option-rows.ts';
import {explainKey} from '../../settings/options/unknown-keys.ts';

/** @throws {ChatError} `usage` when the config file knows no such key */
export function readConfigKey(key: string): SettingName {
	const name = configKeys.get(key);
	if (name !== undefined) return name;
	refuseProfiles(key);
	const hint = explainKey(key) ?? 'chat config list shows all settings.';
	throw new ChatError('usage', `"${key}" is not a setting of the config file`, {hint});
}

/** @throws {ChatError} `usage` for the key that holds all profiles, which no command may take */
export function refuseProfiles(key: string): void {
	if (key !== profilesKey) return;
	throw new ChatError('usage', `"${key}" is not a setting`, {
		hint: 'Use --profile <name> with the key of a setting; chat config list shows the profiles.',
	});
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
	const isPlain = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(profile);
	// An object of JavaScript cannot hold every name.
	if (isPlain && profile !== '__proto__') return profile;
	throw new ChatError('usage', `"${profile}" is not a valid profile name`, {
		hint: 'Use letters, digits, dashes, dots and underscores.',
	});
}
