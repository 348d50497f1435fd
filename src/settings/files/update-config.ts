/** Changes the config file. Everything else in it stays as it is, in its order. */
import {existsSync} from 'node:fs';
import {type JsonObject, type JsonValue, without} from '../../json.ts';
import {type Change, changeFile, changeIn} from './change-file.ts';
import {editHint, profilesKey} from './config-file.ts';

/** The part of the file to change: the settings of every run, or those of a profile. */
export type ConfigPlace = {readonly path: string; readonly profile: string | undefined};

/** Makes a value from the one that is stored. */
export type ConfigChange = (stored: JsonValue | undefined) => JsonValue;

/** Throws as `changeFile` does; `config` for a profile that is not an object, and what `given` throws. */
export async function setConfigValue(
	place: ConfigPlace,
	key: string,
	given: JsonValue | ConfigChange,
): Promise<void> {
	await changePart(place, (part) => {
		const value = typeof given === 'function' ? given(part[key]) : given;
		return part[key] === value ? part : {...part, [key]: value};
	});
}

/** Sets several keys and removes those without a value, in one change. */
export async function setConfigValues(
	place: ConfigPlace,
	values: Readonly<Record<string, JsonValue | undefined>>,
): Promise<void> {
	await changePart(place, (part) => {
		const kept = Object.entries({...part, ...values}).filter(([, value]) => value !== undefined);
		return Object.fromEntries(kept) as JsonObject;
	});
}

/** Removes a key, and with the last key its profile. Returns whether it existed. */
export async function unsetConfigValue(place: ConfigPlace, key: string): Promise<boolean> {
	return await changePart(place, (part) => without(part, key));
}

/** Changes the profiles as a whole. Throws as `setConfigValue` does, and what `change` throws. */
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

/** @returns whether anything has changed */
async function changePart({path, profile}: ConfigPlace, change: Change): Promise<boolean> {
	if (profile === undefined) return await changeFile(path, editHint, change);
	const name = `the profile ${profile} in ${path}`;
	return await changeProfiles(path, (profiles) =>
		changeIn(profiles, profile, {name, hint: editHint}, change),
	);
}
