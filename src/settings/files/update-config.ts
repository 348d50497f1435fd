/** Changes the config file. Everything else in it stays as it is, in its order. */
import {existsSync} from 'node:fs';
import {type JsonObject, type JsonValue, without} from '../../json.ts';
import {type Change, changeFile, changeIn} from './change-file.ts';
import {editHint, profilesKey} from './config-file.ts';

/** The part of the file to change: the settings of every run, or those of a profile. */
export type ConfigPlace = {readonly path: string; readonly profile: string | undefined};

/** Makes a value from the one that is stored. */
export type ConfigChange = (stored: JsonValue | undefined) => JsonValue;

/** A key without a value is removed. */
export type ConfigValues = Readonly<Record<string, JsonValue | ConfigChange | undefined>>;

/**
 * Changes one part of the file. A profile goes with its last key.
 *
 * @returns whether anything has changed
 * @throws as `changeFile` does; `config` for a profile that is not an object; what a change throws
 */
export async function changeConfig(
	{path, profile}: ConfigPlace,
	values: ConfigValues,
): Promise<boolean> {
	const change: Change = (part) => changeValues(part, values);
	if (profile === undefined) return await changeFile(path, editHint, change);
	const name = `the profile ${profile} in ${path}`;
	return await changeProfiles(path, (profiles) =>
		changeIn(profiles, profile, {name, hint: editHint}, change),
	);
}

/** Returns the same object if nothing changes. */
export function changeValues(part: JsonObject, values: ConfigValues): JsonObject {
	let changed = part;
	for (const [key, given] of Object.entries(values)) {
		const value = typeof given === 'function' ? given(changed[key]) : given;
		if (value === undefined) changed = without(changed, key);
		else if (changed[key] !== value) changed = {...changed, [key]: value};
	}
	return changed;
}

/** Changes the profiles as a whole. Throws as `changeConfig` does, and what `change` throws. */
export async function changeProfiles(path: string, change: Change): Promise<boolean> {
	const name = `${profilesKey} in ${path}`;
	return await changeFile(path, editHint, (file) =>
		changeIn(file, profilesKey, {name, hint: editHint}, change),
	);
}

/** Creates an empty file if there is none. */
export async function createConfig(path: string): Promise<void> {
	if (existsSync(path)) return;
	await changeFile(path, editHint, (file) => (existsSync(path) ? file : {}));
}
