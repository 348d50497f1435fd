/**
 * Chooses among the keys that a run was given. A key is for the base URL it came with, and only the
 * key of the service that the run asks is ever read.
 */
import {resolve} from 'node:path';
import {ChatError} from '../../errors.ts';
import type {ConfigLayer} from '../files/config-file.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import type {Variables} from '../options/merge.ts';
import type {SettingsWarning} from '../options/unknown-keys.ts';

export type KeyPlace = {readonly type: 'file' | 'variable'; readonly name: string};

export type KeyChoice = {
	readonly place: KeyPlace | undefined;
	/** About the key of a variable that is for another service. */
	readonly leftOut: SettingsWarning | undefined;
};

/** A key and the base URL it came with; a key without one is for any service. */
type Candidate = {readonly place: KeyPlace; readonly baseUrl: string | undefined};

/** @throws {ChatError} `config` when the config file names a key file without a service */
export function findKey(loaded: LoadedSettings, variables: Variables): KeyChoice {
	const {settings, sources, layers} = loaded;
	const {apiKeyFile} = settings;
	if (sources.apiKeyFile === 'flag' && apiKeyFile !== undefined) {
		return {place: {type: 'file', name: apiKeyFile}, leftOut: undefined};
	}
	const origin = settings.baseUrl?.origin;
	const ofVariable = findVariable(variables);
	const layer = layers.findLast(({values}) => typeof values['api-key-file'] === 'string');
	const steps = [() => ofVariable, () => layer && readLayer(layer, layers)];
	if (layer?.beatsVariables === true) steps.reverse();
	for (const find of steps) {
		const found = find();
		if (found === undefined) continue;
		const isMeant = found.baseUrl === undefined || originOf(found.baseUrl) === origin;
		if (isMeant) return {place: found.place, leftOut: undefined};
	}
	const leftOut = ofVariable && describeLeftOut(ofVariable, origin, variables);
	return {place: undefined, leftOut};
}

function findVariable(variables: Variables): Candidate | undefined {
	const baseUrl = variables['CHAT_BASE_URL'] || undefined;
	const path = variables['CHAT_API_KEY_FILE'];
	if (path) return {place: {type: 'file', name: path}, baseUrl};
	if (variables['CHAT_API_KEY'] === undefined) return undefined;
	return {place: {type: 'variable', name: 'CHAT_API_KEY'}, baseUrl};
}

/** A key file in the config file is for the base URL beside it. */
function readLayer(layer: ConfigLayer, layers: readonly ConfigLayer[]): Candidate {
	const baseUrl = findUrlBeside(layer, layers, 'api-key-file');
	const name = resolve(layer.directory, String(layer.values['api-key-file']));
	return {place: {type: 'file', name}, baseUrl};
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
	const own = layers.slice(0, layers.indexOf(layer) + 1);
	const baseUrl = own.findLast(({values}) => Object.hasOwn(values, 'base-url'))?.values['base-url'];
	if (typeof baseUrl === 'string' && URL.canParse(baseUrl)) return baseUrl;
	throw new ChatError('config', `${key} ${layer.location} has no base-url beside it`, {
		hint: {code: 'set-url-beside'},
	});
}

export function originOf(baseUrl: string): string | undefined {
	return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}

function describeLeftOut(
	{baseUrl = ''}: Candidate,
	origin: string | undefined,
	variables: Variables,
): SettingsWarning | undefined {
	const name = ['CHAT_API_KEY_FILE', 'CHAT_API_KEY'].find((known) => variables[known]);
	if (name === undefined || origin === undefined) return undefined;
	const owner = originOf(baseUrl) ?? 'that service';
	const problem = `the key from ${name} was not sent: it is for CHAT_BASE_URL (${owner})`;
	return {problem, hint: {code: 'store-key', origin}};
}
