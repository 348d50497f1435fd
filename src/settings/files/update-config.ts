/** Changes of the config file. Everything else in it stays as it is, in its order. */
import {existsSync} from 'node:fs';
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {changeFile} from './change-file.ts';
import {editHint, profilesKey} from './config-file.ts';

/** Which part of the file: the settings of every run, or those of a profile. */
export type ConfigPlace = {readonly path: string; readonly profile: string | undefined};

/**
 * @throws {ChatError} `config` when the file or the profile is not a JSON object, `create` when the
 * file cannot be written
 */
export async function setConfigValue(
	{path, profile}: ConfigPlace,
	key: string,
	value: string | number | boolean,
): Promise<void> {
	await changeFile(path, editHint, (store) => {
		if (profile === undefined) {
			if (store.get(key) !== value) store.set(key, value);
			return;
		}
		const profiles = readPart(store.get(profilesKey), `${profilesKey} in ${path}`);
		const values = readProfile(profiles, profile, path);
		if (values[key] === value) return;
		store.set(profilesKey, {...profiles, [profile]: {...values, [key]: value}});
	});
}

/**
 * Takes a key out, and with the last one its profile.
 *
 * @returns whether it was there
 * @throws {ChatError} as `setConfigValue` does
 */
export async function unsetConfigValue(
	{path, profile}: ConfigPlace,
	key: string,
): Promise<boolean> {
	return await changeFile(path, editHint, (store) => {
		if (profile === undefined) {
			const wasThere = store.has(key);
			if (wasThere) store.delete(key);
			return wasThere;
		}
		const profiles = readPart(store.get(profilesKey), `${profilesKey} in ${path}`);
		const {[key]: value, ...values} = readProfile(profiles, profile, path);
		if (value === undefined) return false;
		const {[profile]: _, ...others} = profiles;
		const next = isEmpty(values) ? others : {...profiles, [profile]: values};
		if (isEmpty(next)) store.delete(profilesKey);
		else store.set(profilesKey, next);
		return true;
	});
}

/** Makes an empty file if there is none. */
export async function createConfig(path: string): Promise<void> {
	if (existsSync(path)) return;
	await changeFile(path, editHint, (store) => {
		if (!existsSync(path)) store.clear();
	});
}

function readProfile(profiles: JsonObject, name: string, path: string): JsonObject {
	const values = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
	return readPart(values, `the profile ${name} in ${path}`);
}

function readPart(value: unknown, name: string): JsonObject {
	if (value === undefined) return {};
	if (isJsonObject(value)) return value;
	throw new ChatError('config', `${name} must be an object`, {hint: editHint});
}

function isEmpty(values: JsonObject): boolean {
	return Object.keys(values).length === 0;
}
