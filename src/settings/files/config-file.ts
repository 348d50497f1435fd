/**
 * Reads the config file: plain JSON, without `conf`, so that no run loads the code that writes it.
 */
import {statSync} from 'node:fs';
import {dirname} from 'node:path';
import {ChatError} from '../../errors.ts';
import {isJsonObject, type JsonObject} from '../../json.ts';
import {readJsonObject, UnreadableError} from './json-file.ts';

export type Config = {
	/** Undefined if there is no home folder. */
	readonly path: string | undefined;
	readonly exists: boolean;
	/** Why the file cannot be read, as a sentence. */
	readonly problem: string | undefined;
	/** Why other users may have chosen the settings, as a sentence. */
	readonly warning: string | undefined;
	/** The values by key, unknown keys included. */
	readonly values: JsonObject;
	readonly profiles: JsonObject;
};

/** The settings of one part of the file. A later layer wins. */
export type ConfigLayer = {
	readonly source: 'config' | 'profile';
	/** Where it is, for messages: `of the profile work in /home/ada/.config/chat/config.json`. */
	readonly location: string;
	readonly directory: string;
	readonly values: JsonObject;
	/** Whether it was chosen on the command line. */
	readonly beatsVariables: boolean;
};

export const profilesKey = 'profiles';

export const editHint = 'To fix it: chat config edit';

export function emptyConfig(path: string | undefined): Config {
	const nothing = {problem: undefined, warning: undefined, values: {}, profiles: {}};
	return {path, exists: false, ...nothing};
}

/** @throws {ChatError} `config` when the file is not a JSON object */
export function readConfig(path: string | undefined, platform: string): Config {
	const empty = emptyConfig(path);
	if (path === undefined) return empty;
	try {
		const {values: all, mode} = readJsonObject(path, editHint);
		if (all === undefined) return empty;
		const warning = platform === 'win32' ? undefined : warnOfWriters(path, mode);
		const {[profilesKey]: profiles = {}, ...values} = all;
		if (isJsonObject(profiles)) return {...empty, exists: true, warning, values, profiles};
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw error;
		return {...empty, exists: true, problem: error.message};
	}
	throw configError(`${profilesKey} in ${path} must be an object of profiles`);
}

/** Threat: another user changes the base URL and gets the prompts and the key. */
function warnOfWriters(path: string, mode: number): string | undefined {
	const folder = dirname(path);
	const isOpen = (bits: number) => (bits & 0o002) !== 0;
	const open = isOpen(mode) ? path : isOpen(statSync(folder).mode) ? folder : undefined;
	if (open === undefined) return undefined;
	return `other users can write ${open}, and so choose the service that gets your prompts and key. To close it: chmod go-w ${open}`;
}

export type ChosenProfile = {readonly name: string; readonly isFromFlag: boolean};

/**
 * Returns the parts of the file that apply to a run with this profile.
 *
 * @throws {ChatError} `config` when the profile does not exist
 */
export function selectLayers(
	config: Config,
	profile: ChosenProfile | undefined,
): readonly ConfigLayer[] {
	const {path, values, exists} = config;
	const chosen = profile && readProfile(config, profile.name);
	if (path === undefined || !exists) return [];
	const common = {directory: dirname(path), location: `in ${path}`};
	const base = {...common, source: 'config', values, beatsVariables: false} as const;
	if (profile === undefined || chosen === undefined) return [base];
	const {name, isFromFlag} = profile;
	const location = `of the profile ${name} in ${path}`;
	const layer = {location, values: chosen, beatsVariables: isFromFlag};
	return [base, {...common, source: 'profile', ...layer}];
}

function readProfile({profiles, path, problem}: Config, name: string): JsonObject {
	if (Object.hasOwn(profiles, name)) {
		const values = profiles[name];
		if (isJsonObject(values)) return values;
		throw configError(`the profile ${name} in ${path} must be an object of settings`);
	}
	const known = Object.keys(profiles);
	const existing = known.length === 0 ? 'there are none' : `there are: ${known.join(', ')}`;
	const message = `there is no profile ${name} in ${path ?? 'any config file'}; ${problem ?? existing}`;
	throw new ChatError('config', message, {
		hint: `To create it: chat config set --profile ${name} base-url <url>`,
	});
}

function configError(message: string): ChatError {
	return new ChatError('config', message, {hint: editHint});
}
