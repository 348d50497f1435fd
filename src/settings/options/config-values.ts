/** Checks the keys, values and profile names given to `chat config`. */
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue, parseJson} from '../../json.ts';
import {profilesKey} from '../files/config-file.ts';
import type {ConfigChange} from '../files/update-config.ts';
import {HiddenValueError, parseSetting, ValueError} from './parsers.ts';
import {changeFields, type FieldValue, parseFieldChanges, wrongForm} from './request-fields.ts';
import {configKeys, resolvePathIn, rowOf, type SettingName} from './settings.ts';
import {keyHint} from './unknown-keys.ts';

/** @throws {ChatError} `usage` when it is not a key of the config file */
export function readConfigKey(key: string): SettingName {
	const name = configKeys.get(key);
	if (name !== undefined) return name;
	refopenProfiles(key);
	const hint =
		keyHint(key) ??
		'chat config list --all shows all settings. A field of the request goes into options: chat config set options key=value';
	throw new ChatError('usage', `"${key}" is not a setting of the config file`, {hint});
}

export function refopenProfiles(key: string): void {
	if (key !== profilesKey) return;
	throw new ChatError('usage', `"${key}" is not a setting`, {
		hint: "Use --profile <name> with a setting's key; chat config profiles shows the profiles.",
	});
}

/**
 * Returns the value for the file: a number, a switch, a list or JSON as such, and paths absolute.
 *
 * @throws {ChatError} `usage` when it is not valid
 */
export function readConfigValue(
	key: string,
	name: SettingName,
	text: string,
	cwd: string,
): JsonValue {
	const row = rowOf(name);
	const value = parseSetting('usage', key, text, (given) => row.parse(given, row.defaultValue));
	if (typeof value === 'boolean') return value;
	const json = row.readJson && parseJson(text);
	if (isJsonObject(json)) return json;
	if (typeof value === 'number' && String(value) === text) return value;
	const resolve = (path: string) => resolvePathIn(path, name, cwd);
	const list = Array.isArray(value) ? parseJson(text) : undefined;
	if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) return resolve(text);
	return list.map(resolve);
}

/**
 * Returns a change of the stored `options`: a JSON object replaces them, `key=value` changes one.
 *
 * @throws {ChatError} `usage` when it is not valid; so does the change, if it does not fit
 */
export function readOptionsChange(key: string, text: string, isInProfile: boolean): ConfigChange {
	const changes = parseSetting('usage', key, text, readFields);
	if (text.startsWith('{')) return () => JSON.parse(text) as JsonValue;
	return (stored) =>
		parseSetting('usage', key, text, () => changeStored(stored, changes, isInProfile));
}

function readFields(text: string): readonly FieldValue[] {
	const changes = parseFieldChanges(text, []);
	if (text === '') throw new ValueError(wrongForm);
	if (changes.every((change) => 'value' in change)) return changes;
	throw new HiddenValueError('must contain the value itself: files are read for a single run');
}

/** A profile keeps null values, which remove fields set elsewhere in the file. */
function changeStored(
	stored: JsonValue | undefined,
	changes: readonly FieldValue[],
	isInProfile: boolean,
): JsonObject {
	const fields = changeFields(isJsonObject(stored) ? stored : {}, changes);
	const [{path: [name = '', ...rest] = [], value = ''} = {}] = changes;
	return isInProfile && rest.length === 0 && value === null ? {...fields, [name]: null} : fields;
}

/** Accepts names that need no quotes in a shell. */
export function checkProfileName(profile: string): void {
	const isPlain = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(profile);
	// The one plain name that a JavaScript object cannot hold.
	if (isPlain && profile !== '__proto__') return;
	throw new ChatError('usage', `"${profile}" is not a valid profile name`, {
		hint: 'Use letters, digits, dashes, dots and underscores.',
	});
}
