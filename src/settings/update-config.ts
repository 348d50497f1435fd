/**
 * Changes of the config file. `conf` writes them; it is loaded here and nowhere else, because no
 * run that only reads should wait for it.
 */
import {basename, dirname} from 'node:path';
import {ChatError} from '../errors.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import {editHint, profilesKey} from './config-file.ts';
import {parseJsonObject} from './json-file.ts';
import {rewriteFile} from './rewrite-file.ts';

/** Which part of the file: the settings of every run, or those of a profile. */
export type ConfigPlace = {readonly path: string; readonly profile: string | undefined};

/**
 * Everything else in the file stays as it is.
 *
 * @throws {ChatError} `config` when the file is no JSON object, `create` when it cannot be written
 */
export async function setConfigValue(
	place: ConfigPlace,
	key: string,
	value: string | number | boolean,
): Promise<void> {
	await updatePart(place, (part) =>
		part !== undefined && part[key] === value ? part : {...part, [key]: value},
	);
}

/**
 * Takes a key out, and with the last one its profile.
 *
 * @returns whether it was there
 * @throws {ChatError} as `setConfigValue` does
 */
export async function unsetConfigValue(place: ConfigPlace, key: string): Promise<boolean> {
	let wasThere = false;
	await updatePart(place, (part) => {
		if (part === undefined || !Object.hasOwn(part, key)) return part;
		wasThere = true;
		const {[key]: _, ...others} = part;
		return others;
	});
	return wasThere;
}

/** Makes an empty file if there is none. */
export async function createConfig(path: string): Promise<void> {
	await rewriteFile(path, {
		change: (text) => (text === undefined ? {} : undefined),
		stage: stageConfig,
	});
}

/** @param change the same object: there is nothing to change */
async function updatePart(
	{path, profile}: ConfigPlace,
	change: (part: JsonObject | undefined) => JsonObject | undefined,
): Promise<void> {
	const update = profile === undefined ? change : changeProfile(path, profile, change);
	await rewriteFile(path, {
		change(text) {
			const store = text === undefined ? undefined : parseJsonObject(text, path, editHint);
			const next = update(store);
			return next === store ? undefined : next;
		},
		stage: stageConfig,
	});
}

function changeProfile(
	path: string,
	profile: string,
	change: (part: JsonObject | undefined) => JsonObject | undefined,
) {
	return (store: JsonObject | undefined): JsonObject | undefined => {
		const profiles = readObject(store, profilesKey, `${profilesKey} in ${path}`);
		const part = readObject(profiles, profile, `the profile ${profile} in ${path}`);
		const next = change(part);
		if (next === part) return store;
		return withPart(store, profilesKey, withPart(profiles, profile, next));
	};
}

/** The holder with this part in its place, or without one that is empty. */
function withPart(
	holder: JsonObject | undefined,
	key: string,
	part: JsonObject | undefined,
): JsonObject {
	if (part !== undefined && Object.keys(part).length > 0) return {...holder, [key]: part};
	const {[key]: _, ...others} = holder ?? {};
	return others;
}

function readObject(
	holder: JsonObject | undefined,
	key: string,
	name: string,
): JsonObject | undefined {
	if (holder === undefined || !Object.hasOwn(holder, key)) return undefined;
	const value = holder[key];
	if (isJsonObject(value)) return value;
	throw new ChatError('config', `${name} must be an object`, {hint: editHint});
}

/** Writes the file whole, to the disk, for its owner alone. */
async function stageConfig(store: JsonObject, path: string): Promise<void> {
	const {default: Conf} = await import('conf');
	const conf = new Conf<Record<string, unknown>>({
		cwd: dirname(path),
		configName: basename(path),
		fileExtension: '',
		configFileMode: 0o600,
		accessPropertiesByDotNotation: false,
		clearInvalidConfig: false,
		serialize: (value) => `${JSON.stringify(value, undefined, '\t')}\n`,
	});
	conf.store = store;
}
