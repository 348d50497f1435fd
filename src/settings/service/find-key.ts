/**
 * Chooses among the keys that a run was given. A key is for the base URL it came with, and only the
 * key of the service that the run asks is ever read.
 */
import {resolve} from 'node:path';
import type {Variables} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {type HostedProvider, hostedProviders, storeHint} from '../../providers.ts';
import {type ConfigLayer, editHint} from '../files/config-file.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import {readInLayer} from '../options/merge.ts';
import {isLocalName, parseService} from '../options/parse-service.ts';
import {resolvePathIn} from '../options/settings.ts';
import type {SettingsWarning} from '../options/unknown-keys.ts';
import type {KeyCommand} from './api-key.ts';

export type KeyPlace =
	| {readonly type: 'file' | 'variable'; readonly name: string}
	| {readonly type: 'command'; readonly command: KeyCommand};

/** The setting that names a key. */
export type KeyOwner =
	| {readonly type: 'variable'; readonly name: string}
	| {readonly type: 'config'; readonly name: string; readonly layer: ConfigLayer};

export type KeyChoice = {
	readonly place: KeyPlace | undefined;
	/** Missing for a flag. */
	readonly owner?: KeyOwner;
	/** About the key of a variable that is for another service. */
	readonly leftOut: SettingsWarning | undefined;
};

/**
 * A key and the base URL it came with. A key without one is for any service, but not for a local one
 * that is found by its name: most need no key, and another user may own the port.
 */
type Candidate = {
	readonly place: KeyPlace;
	readonly owner: KeyOwner;
	readonly baseUrl: string | undefined;
};

/** @throws {ChatError} `config` when the config file has a key without a service, or two of them */
export function findKey(loaded: LoadedSettings, variables: Variables): KeyChoice {
	const {settings, sources, layers} = loaded;
	const {apiKeyFile} = settings;
	if (sources.apiKeyFile === 'flag' && apiKeyFile !== undefined) {
		return {place: {type: 'file', name: apiKeyFile}, leftOut: undefined};
	}
	const origin = settings.baseUrl?.origin;
	const ofVariable = findVariable(variables);
	const layer = layers.findLast(hasKey);
	const steps = [() => ofVariable, () => layer && readLayer(layer, layers)];
	if (layer?.beatsVariables === true) steps.reverse();
	for (const find of steps) {
		const found = find();
		if (found === undefined) continue;
		const isMeant =
			found.baseUrl === undefined
				? !isLocalName(nameOf(loaded))
				: isForRun(found.baseUrl, origin, loaded, variables);
		if (isMeant) return {place: found.place, owner: found.owner, leftOut: undefined};
	}
	const leftOut = ofVariable && describeLeftOut(ofVariable, origin, variables);
	return {place: undefined, leftOut};
}

function findVariable(variables: Variables): Candidate | undefined {
	const baseUrl = variables['CHAT_BASE_URL'] || undefined;
	const path = variables['CHAT_API_KEY_FILE'];
	const ownerOf = (name: string): KeyOwner => ({type: 'variable', name});
	if (path) {
		return {place: {type: 'file', name: path}, owner: ownerOf('CHAT_API_KEY_FILE'), baseUrl};
	}
	const name = 'CHAT_API_KEY';
	if (variables[name] === undefined) return undefined;
	return {place: {type: 'variable', name}, owner: ownerOf(name), baseUrl};
}

function hasKey({values}: ConfigLayer): boolean {
	return typeof values['api-key-file'] === 'string' || Object.hasOwn(values, 'api-key-command');
}

/** A key in the config file is for the base URL beside it. */
function readLayer(layer: ConfigLayer, layers: readonly ConfigLayer[]): Candidate {
	const {directory, values, location} = layer;
	const [program, ...rest] = readInLayer('apiKeyCommand', layer) ?? [];
	const ownerOf = (name: string): KeyOwner => ({type: 'config', name, layer});
	if (program === undefined) {
		const key = 'api-key-file';
		const baseUrl = findUrlBeside(layer, layers, key);
		const name = resolve(directory, String(values[key]));
		return {place: {type: 'file', name}, owner: ownerOf(key), baseUrl};
	}
	if (Object.hasOwn(values, 'api-key-file')) {
		const message = `api-key-command and api-key-file are both set ${location}`;
		throw new ChatError('config', message, {hint: editHint});
	}
	const key = 'api-key-command';
	const baseUrl = findUrlBeside(layer, layers, key);
	// A bare name is looked up in PATH.
	const path = /[/\\]/.test(program) ? resolve(directory, program) : program;
	const place = {type: 'command', command: {argv: [path, ...rest], directory}} as const;
	return {place, owner: ownerOf(key), baseUrl};
}

/** Returns the base URL that this layer, or one below it, has, as the settings of the run have it. */
export function readUrlBeside(
	layer: ConfigLayer,
	layers: readonly ConfigLayer[],
): string | undefined {
	const own = layers.slice(0, layers.indexOf(layer) + 1);
	const beside = own.findLast(({values}) => Object.hasOwn(values, 'base-url'));
	const text = beside?.values['base-url'];
	if (beside === undefined || typeof text !== 'string') return undefined;
	return resolvePathIn(text, 'baseUrl', beside.directory);
}

/**
 * Returns the base URL that a key or header in the config file is for.
 *
 * @param key its name in the file
 * @throws {ChatError} `config` without one
 */
export function findUrlBeside(
	layer: ConfigLayer,
	layers: readonly ConfigLayer[],
	key: string,
): string {
	const baseUrl = readUrlBeside(layer, layers);
	if (baseUrl !== undefined && URL.canParse(baseUrl)) return baseUrl;
	throw new ChatError('config', `${key} ${layer.location} has no base-url beside it`, {
		hint: 'Set base-url there too: keys and headers are only sent to the service they were given for.',
	});
}

/**
 * Whether something that came with this base URL is for the service of the run. A name may mean
 * several addresses, and is then for whichever of them was found.
 *
 * @param origin that of the run; undefined for the built-in service
 */
export function isForRun(
	baseUrl: string,
	origin: string | undefined,
	loaded: LoadedSettings,
	variables: Variables,
): boolean {
	if (baseUrl === nameOf(loaded)) return true;
	// Only http addresses have an origin.
	return origin !== 'null' && originOf(baseUrl, variables) === origin;
}

/** Returns the base URL of the run as it was given. */
function nameOf({texts}: LoadedSettings): string {
	return texts.baseUrl.at(-1) ?? '';
}

/** Returns the origin of a base URL or of the name of a service; undefined for any other text. */
export function originOf(baseUrl: string, variables: Variables): string | undefined {
	try {
		return parseService(baseUrl, undefined, variables).origin;
	} catch {
		return undefined;
	}
}

function describeLeftOut(
	{baseUrl}: Candidate,
	origin: string | undefined,
	variables: Variables,
): SettingsWarning | undefined {
	const name = ['CHAT_API_KEY_FILE', 'CHAT_API_KEY'].find((known) => variables[known]);
	if (name === undefined || origin === undefined) return undefined;
	const hint = `To store a key for ${origin}: ${storeHint(origin)}`;
	if (baseUrl === undefined) {
		return {problem: `the key from ${name} was not sent to a service on this machine`, hint};
	}
	const owner = originOf(baseUrl, variables) ?? 'that service';
	const problem = `the key from ${name} was not sent: it is for CHAT_BASE_URL (${owner})`;
	return {problem, hint};
}

/**
 * Returns the providers whose key is in a variable of their own. A token, as that of Hugging Face, is mostly
 * there for something else.
 */
export function findOffers(variables: Variables): readonly HostedProvider[] {
	return hostedProviders.filter(
		({name, keyVariable}) =>
			name !== undefined && keyVariable.endsWith('_API_KEY') && variables[keyVariable],
	);
}
