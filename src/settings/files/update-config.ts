/** Changes the config file. Everything else in it stays as it is, in its order. */
import {existsSync} from 'node:fs';
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {changeFile} from './change-file.ts';
import {editHint, profilesKey} from './config-file.ts';

/** The part of the file to change: the settings of every run, or those of a profile. */
export type ConfigPlace = {readonly path: string; readonly profile: string | undefined};

/** Makes a value from the one that is stored. */
export type ConfigChange = (stored: JsonValue | undefined) => JsonValue;

/** @throws {ChatError} as `changeFile` does; `config` for a profile that is not an object */
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

/**
 * Sets several keys and removes those without a value, in one change.
 *
 * @throws {ChatError} as `setConfigValue` does
 */
export async function setConfigValues(
	place: ConfigPlace,
	values: Readonly<Record<string, JsonValue | undefined>>,
): Promise<void> {
	await changePart(place, (part) => {
		let next = part;
		for (const [key, value] of Object.entries(values)) {
			next = value === undefined ? without(next, key) : {...next, [key]: value};
		}
		return next;
	});
}

/** Removes a key, and with the last key its profile. Returns whether it existed. */
export async function unsetConfigValue(place: ConfigPlace, key: string): Promise<boolean> {
	return await changePart(place, (part) => without(part, key));
}

/** Changes the profiles as a whole. Throws as `setConfigValue` does, and what `change` throws. */
export async function changeProfiles(path: string, change: Change): Promise<void> {
	await changePart({path, profile: undefined}, (file) =>
		changeIn(file, profilesKey, `${profilesKey} in ${path}`, change),
	);
}

/** Creates an empty file if there is none. */
export async function createConfig(path: string): Promise<void> {
	if (existsSync(path)) return;
	await changeFile(path, editHint, (store) => {
		if (!existsSync(path)) store.clear();
	});
}

/** Returns the same object if nothing changes. */
type Change = (part: JsonObject) => JsonObject;

/** @returns whether anything has changed */
async function changePart({path, profile}: ConfigPlace, change: Change): Promise<boolean> {
	return await changeFile(path, editHint, (store) => {
		const file = store.store as JsonObject;
		const next =
			profile === undefined
				? change(file)
				: changeIn(file, profilesKey, `${profilesKey} in ${path}`, (profiles) =>
						changeIn(profiles, profile, `the profile ${profile} in ${path}`, change),
					);
		if (next !== file) store.store = next;
		return next !== file;
	});
}

/** Changes the object under a key; an empty one is removed. */
function changeIn(parent: JsonObject, key: string, name: string, change: Change): JsonObject {
	const part = Object.hasOwn(parent, key) ? parent[key] : {};
	if (!isJsonObject(part)) {
		throw new ChatError('config', `${name} must be an object`, {hint: editHint});
	}
	const next = change(part);
	if (next === part) return parent;
	return Object.keys(next).length === 0 ? without(parent, key) : {...parent, [key]: next};
}

function without(part: JsonObject, key: string): JsonObject {
	if (!Object.hasOwn(part, key)) return part;
	const {[key]: _, ...others} = part;
	return others;
}
