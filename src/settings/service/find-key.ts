/**
 * Finds the key of a run in one ordered table of sources. A key is for the base URL it came with, and
 * only the key of the service that the run asks is ever read.
 */
import {resolve} from 'node:path';
import type {Variables} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {type HostedProvider, hostedProviders, storeHint} from '../../providers.ts';
import {type ConfigLayer, editHint} from '../files/config-file.ts';
import {credentialsPath} from '../files/config-path.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import {readGiven} from '../options/merge.ts';
import {findHosted, isLocalName, isOwnLlama} from '../options/parse-service.ts';
import type {SettingsWarning} from '../options/unknown-keys.ts';
import {
	type Key,
	type KeyPlace,
	type KnownKey,
	keyInFile,
	keyInText,
	keyOfCommand,
} from './api-key.ts';
import {findOpenaiUrl, isForRun, nameOfService, originOf, requireUrlBeside} from './base-url.ts';
import {readStoredKey} from './credentials.ts';

/** The setting that names a key: a variable, or a key in a layer of the config file. */
type KeyOwner = {readonly name: string; readonly layer?: ConfigLayer};

/** The key that one source has, or several. */
type FoundKey = {
	/** Missing unless the key is for the service of the run. */
	readonly place?: KeyPlace | undefined;
	/** Missing for a flag, and for what no setting names. */
	readonly owner?: KeyOwner;
	/** About the key of a variable that is for another service. */
	readonly leftOut?: SettingsWarning | undefined;
	/** About the file of the stored keys, as a sentence. */
	readonly warning?: string | undefined;
};

type KeyRun = {
	readonly loaded: LoadedSettings;
	/** The service's origin; undefined for the built-in one. */
	readonly origin: string | undefined;
};

/** Reads no key but a stored one, and none for another service. */
type FindKey = (run: KeyRun) => FoundKey;

/** The keys that a run is given, the strongest first. They win over a stored one. */
const givenSources: readonly FindKey[] = [
	findFlag,
	(run) => findInFile(run, true),
	findVariable,
	(run) => findInFile(run, false),
];

const keySources: readonly FindKey[] = [...givenSources, findStored, findProviderVariable];

/** Returns the first key that is for the service of the run. */
function chooseKey(sources: readonly FindKey[], run: KeyRun): FoundKey {
	let found: FoundKey = {};
	for (const find of sources) {
		found = {...found, ...find(run)};
		if (found.place !== undefined) break;
	}
	return found;
}

/**
 * Returns the key that a run is given, whether or not one is stored.
 *
 * @throws {ChatError} `config` when the config file has a key without a service, or two of them
 */
export function findGivenKey(loaded: LoadedSettings): FoundKey {
	return chooseKey(givenSources, {loaded, origin: loaded.settings.baseUrl?.origin});
}

export type ResolvedKey = {
	readonly apiKey: string | undefined;
	/** The variable, file or command it came from. */
	readonly keySource: string | undefined;
	/** Whether another look would find the same key: that of a variable. */
	readonly isKeyFixed: boolean;
	/** Whether the service is known to need a key, and there is none. */
	readonly isKeyMissing: boolean;
	/** About a key that is missing, or for another service. */
	readonly keyWarning?: SettingsWarning | undefined;
};

export const noKey: ResolvedKey = {
	apiKey: undefined,
	keySource: undefined,
	isKeyFixed: false,
	isKeyMissing: false,
};

/**
 * @returns the key of this service, and a warning about the file of the stored keys
 * @throws {ChatError} as `findGivenKey` and `readStoredKey` do; whatever reading the key throws
 */
export async function resolveKey(
	baseUrl: URL,
	input: KnownKey,
	loaded: LoadedSettings,
): Promise<readonly [ResolvedKey, string | undefined]> {
	if (isOwnLlama(baseUrl)) return [{...noKey, isKeyFixed: true}, undefined];
	if (loaded.settings.authHeader === 'none') return [noKey, undefined];
	if (isGiven(input)) return [{...noKey, ...input, isKeyFixed: true}, undefined];
	const {origin} = baseUrl;
	const {place, leftOut, warning} = chooseKey(keySources, {loaded, origin});
	if (place !== undefined) {
		const isKeyFixed = place.type === 'variable';
		return [{...noKey, ...(await readKey(place, input)), isKeyFixed}, warning];
	}
	const provider = findHosted(nameOfService(loaded));
	if (provider === undefined) return [{...noKey, keyWarning: leftOut}, warning];
	const keyWarning = describeNoKey(provider, origin, leftOut);
	return [{...noKey, keyWarning, isKeyMissing: true}, warning];
}

/** Returns only the source of a key that is left unread. */
export async function readKey(
	place: KeyPlace,
	input: KnownKey,
): Promise<Pick<ResolvedKey, 'apiKey' | 'keySource'>> {
	const isUnread = input === 'unread' || isGiven(input);
	return {apiKey: isUnread ? undefined : await place.read(input), keySource: place.keySource};
}

function isGiven(input: KnownKey): input is Key {
	return typeof input === 'object' && 'apiKey' in input;
}

/** A hosted service with a name needs a key; a URL may be that of any service. */
function describeNoKey(
	{title, keyVariable, keyPage}: HostedProvider,
	origin: string,
	leftOut: SettingsWarning | undefined,
): SettingsWarning {
	const other = leftOut === undefined ? '' : `; ${leftOut.problem}`;
	return {
		problem: `no API key for ${title} is set${other}`,
		hint: `Get one at ${keyPage}, then set ${keyVariable}, or store it with: ${storeHint(origin)}`,
	};
}

/**
 * A key without a base URL is for any service, but not for a local one that is found by its name:
 * most need no key, and another user may own the port.
 */
function isMeant(baseUrl: string | undefined, {loaded, origin}: KeyRun): boolean {
	if (baseUrl === undefined) return !isLocalName(nameOfService(loaded));
	return isForRun(baseUrl, origin, loaded);
}

function findFlag({loaded: {settings, sources}}: KeyRun): FoundKey {
	const {apiKeyFile} = settings;
	const isFlag = sources.apiKeyFile === 'flag' && apiKeyFile !== undefined;
	return isFlag ? {place: keyInFile(apiKeyFile)} : {};
}

function findVariable(run: KeyRun): FoundKey {
	const {variables} = run.loaded.source;
	const {CHAT_API_KEY_FILE: path, CHAT_API_KEY: text, CHAT_BASE_URL} = variables;
	if (!path && text === undefined) return {};
	const name = path ? 'CHAT_API_KEY_FILE' : 'CHAT_API_KEY';
	const baseUrl = CHAT_BASE_URL || undefined;
	if (isMeant(baseUrl, run)) {
		const place = path ? keyInFile(path) : keyInText('variable', name, text ?? '');
		return {place, owner: {name}};
	}
	const {origin} = run;
	if (!variables[name] || origin === undefined) return {};
	const service = baseUrl && (originOf(baseUrl, variables) ?? 'that service');
	const why =
		service === undefined
			? ' to a service on this machine'
			: `: it is for CHAT_BASE_URL (${service})`;
	const hint = `To store a key for ${origin}: ${storeHint(origin)}`;
	return {leftOut: {problem: `the key from ${name} was not sent${why}`, hint}};
}

/**
 * A key in the config file is for the base URL beside it.
 *
 * @param isStronger whether to look in a profile of the command line, which beats variables
 */
function findInFile(run: KeyRun, isStronger: boolean): FoundKey {
	const {loaded} = run;
	const layer = loaded.layers.findLast(
		({values}) =>
			typeof values['api-key-file'] === 'string' || Object.hasOwn(values, 'api-key-command'),
	);
	if (layer?.beatsVariables !== isStronger) return {};
	const {directory, values, location, source} = layer;
	const command = loaded.given.apiKeyCommand.find((given) => given.layer === layer);
	const [program, ...rest] = (command && readGiven('apiKeyCommand', command)) ?? [];
	const name = program === undefined ? 'api-key-file' : 'api-key-command';
	if (program !== undefined && Object.hasOwn(values, 'api-key-file')) {
		const message = `api-key-command and api-key-file are both set ${location}`;
		throw new ChatError('config', message, {hint: editHint});
	}
	const baseUrl = requireUrlBeside({source, layer, location: `${name} ${location}`}, loaded);
	if (!isMeant(baseUrl, run)) return {};
	const owner = {name, layer};
	if (program === undefined) {
		return {place: keyInFile(resolve(directory, String(values[name]))), owner};
	}
	// A bare name is looked up in PATH.
	const path = /[/\\]/.test(program) ? resolve(directory, program) : program;
	return {place: keyOfCommand({argv: [path, ...rest], directory}), owner};
}

function findStored({loaded: {source}, origin}: KeyRun): FoundKey {
	const path = credentialsPath(source);
	if (path === undefined || origin === undefined) return {};
	const {key, warning} = readStoredKey(path, origin, source.platform);
	const place = key === undefined ? undefined : keyInText('store', `${path} (chat auth)`, key);
	return {place, warning};
}

/**
 * Finds the variable that the provider itself names for its key. Only the name of the provider, or
 * `OPENAI_BASE_URL`, says that the key is for the service of the run.
 */
function findProviderVariable({loaded}: KeyRun): FoundKey {
	const named = findHosted(nameOfService(loaded))?.keyVariable;
	const name = named ?? (findOpenaiUrl(loaded) && 'OPENAI_API_KEY') ?? '';
	const text = loaded.source.variables[name];
	return text ? {place: keyInText('variable', name, text)} : {};
}

/** A key that a run uses although another one is stored for its service. */
export type StrongerKey = {
	readonly owner: KeyOwner;
	/** A sentence without its full stop, as is `hint`. */
	readonly problem: string;
	readonly hint: string;
};

/** @param loaded as the runs will have them */
export function findStrongerKey(loaded: LoadedSettings): StrongerKey | undefined {
	const {owner} = findGivenKey(loaded);
	if (owner === undefined) return undefined;
	const {name, layer} = owner;
	const place = layer === undefined ? name : `${name} ${layer.location}`;
	const isProfile = layer?.source === 'profile';
	const hint = `To use the stored key: ${layer === undefined ? '' : 'chat config '}unset ${name}${isProfile ? ` --profile ${loaded.profile}` : ''}`;
	return {owner, problem: `${place} is set: its key is used, not a stored one`, hint};
}

/**
 * Returns the providers whose key is in a variable of their own. `HF_TOKEN` is left out: it is
 * usually set for other tools.
 */
export function findOffers(variables: Variables): readonly HostedProvider[] {
	return hostedProviders.filter(
		({name, keyVariable}) =>
			name !== undefined && keyVariable.endsWith('_API_KEY') && variables[keyVariable],
	);
}
