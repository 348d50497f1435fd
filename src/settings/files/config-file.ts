/**
 * The config file as a run reads it: plain JSON, without `conf`. A mistake in it is an error that
 * names it; nothing here writes.
 */
import {statSync} from 'node:fs';
import {dirname} from 'node:path';
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {parseJsonObject, readJsonFile, UnreadableError} from './json-file.ts';

export type Config = {
	/** Undefined: no place is known for one. */
	readonly path: string | undefined;
	readonly isThere: boolean;
	/** Why the file is there and cannot be read, as a sentence. */
	readonly problem: string | undefined;
	/** Why other users of this machine may have chosen the settings, as a sentence. */
	readonly warning: string | undefined;
	/** The values by their keys, with keys that are unknown here. */
	readonly values: JsonObject;
	readonly profiles: JsonObject;
};

/** The settings of one part of the file. The later layer wins. */
export type ConfigLayer = {
	readonly source: 'config' | 'profile';
	/** Where it is, for messages: `of the profile work in /home/ada/.config/chat/config.json`. */
	readonly place: string;
	/** Where the relative paths in it start. */
	readonly directory: string;
	readonly values: JsonObject;
	/** Whether it was chosen on the command line. */
	readonly beatsVariables: boolean;
};

/** The key of the profiles in the file. */
export const profilesKey = 'profiles';

export const editHint = 'To fix it: chat config edit';

/** @throws {ChatError} `config` when the file is not a JSON object */
export function readConfig(path: string | undefined, platform: string): Config {
	const nothing = {path, problem: undefined, warning: undefined, values: {}, profiles: {}};
	const empty = {...nothing, isThere: false};
	if (path === undefined) return empty;
	try {
		const {text, mode} = readJsonFile(path);
		if (text === undefined) return empty;
		const warning = warnOfWriters(path, mode, platform);
		return {...nothing, isThere: true, warning, ...parseConfig(text, path)};
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw error;
		return {...empty, isThere: true, problem: error.message};
	}
}

/** The mode says nothing about other users on Windows. */
function warnOfWriters(path: string, mode: number, platform: string): string | undefined {
	if (platform === 'win32') return undefined;
	const folder = dirname(path);
	const isOpen = (bits: number) => (bits & 0o002) !== 0;
	const open = isOpen(mode) ? path : isOpen(statSync(folder).mode) ? folder : undefined;
	if (open === undefined) return undefined;
	return `other users can write ${open}, and so choose the service that gets your prompts and key; close it: chmod go-w ${open}`;
}

function parseConfig(text: string, path: string): Pick<Config, 'values' | 'profiles'> {
	const {[profilesKey]: profiles = {}, ...values} = parseJsonObject(text, path, editHint);
	if (!isJsonObject(profiles)) {
		throw new ChatError('config', `${profilesKey} in ${path} must be an object of profiles`, {
			hint: editHint,
		});
	}
	return {values, profiles};
}

/** A profile by its name. */
export type ChosenProfile = {readonly name: string; readonly isFromFlag: boolean};

/**
 * What the file says for a run with this profile.
 *
 * @throws {ChatError} `config` when there is no such profile
 */
export function selectLayers(
	config: Config,
	profile: ChosenProfile | undefined,
): readonly ConfigLayer[] {
	const {path, values} = config;
	if (path === undefined || !config.isThere) {
		if (profile !== undefined) throw unknownProfile(profile.name, config);
		return [];
	}
	const directory = dirname(path);
	const place = `in ${path}`;
	const base = {source: 'config', place, directory, values, beatsVariables: false} as const;
	if (profile === undefined) return [base];
	const {name, isFromFlag} = profile;
	return [
		base,
		{
			source: 'profile',
			place: `of the profile ${name} ${place}`,
			directory,
			values: profileOf(config, name),
			beatsVariables: isFromFlag,
		},
	];
}

function profileOf(config: Config, profile: string): JsonObject {
	const {profiles, path} = config;
	if (!Object.hasOwn(profiles, profile)) throw unknownProfile(profile, config);
	const values = profiles[profile];
	if (isJsonObject(values)) return values;
	throw new ChatError('config', `the profile ${profile} in ${path} must be an object of settings`, {
		hint: editHint,
	});
}

function unknownProfile(profile: string, {path, profiles, problem}: Config): ChatError {
	const known = Object.keys(profiles);
	const missing =
		problem ?? (known.length === 0 ? 'there are none' : `there are: ${known.join(', ')}`);
	return new ChatError(
		'config',
		`there is no profile ${profile} in ${path ?? 'any config file'}; ${missing}`,
		{
			hint: `Make it with: chat config set --profile ${profile} base-url <url>`,
		},
	);
}
