/**
 * Chooses among the keys that a run was given. A key belongs to the base URL it came with, and only
 * the key of the service that the run asks is ever read.
 */
import {resolve} from 'node:path';
import {ChatError} from '../../errors.ts';
import type {ConfigLayer} from '../files/config-file.ts';
import type {LoadedSettings, SettingsSource} from '../options/load-settings.ts';

export type KeyPlace = {readonly type: 'file' | 'variable'; readonly name: string};

export type KeyChoice = {
	readonly place: KeyPlace | undefined;
	/** Says that the key of a variable is for another service; undefined if none is. */
	readonly leftOut: string | undefined;
};

/** A key and the text of the base URL that it came with; without one it serves any run. */
type Candidate = {readonly place: KeyPlace; readonly baseUrl: string | undefined};

type Variables = SettingsSource['variables'];

/** @throws {ChatError} `config` when the config file names a key file for no service */
export function findKey(loaded: LoadedSettings, variables: Variables): KeyChoice {
	const origin = loaded.settings.baseUrl?.origin;
	const ofVariable = findVariable(variables);
	for (const find of inOrder(loaded, ofVariable)) {
		const candidate = find();
		if (candidate !== undefined && belongsTo(candidate, origin)) {
			return {place: candidate.place, leftOut: undefined};
		}
	}
	const leftOut = ofVariable && describeLeftOut(ofVariable, origin, variables);
	return {place: undefined, leftOut};
}

/** What was said for this run comes first. */
function inOrder(
	{settings: {apiKeyFile}, sources, layers}: LoadedSettings,
	ofVariable: Candidate | undefined,
): ReadonlyArray<() => Candidate | undefined> {
	if (sources.apiKeyFile === 'flag' && apiKeyFile !== undefined) {
		return [() => ({place: {type: 'file', name: apiKeyFile}, baseUrl: undefined})];
	}
	const layer = layers.findLast(({values}) => typeof values['api-key-file'] === 'string');
	const ofFile = () => layer && readLayer(layer, layers);
	const steps = [() => ofVariable, ofFile];
	return layer?.beatsVariables === true ? steps.reverse() : steps;
}

function findVariable(variables: Variables): Candidate | undefined {
	const baseUrl = variables['CHAT_BASE_URL'] || undefined;
	const path = variables['CHAT_API_KEY_FILE'];
	if (path) return {place: {type: 'file', name: path}, baseUrl};
	if (variables['CHAT_API_KEY'] === undefined) return undefined;
	return {place: {type: 'variable', name: 'CHAT_API_KEY'}, baseUrl};
}

/**
 * A key file that the config file names is for the base URL beside it.
 *
 * @throws {ChatError} `config` when there is none
 */
function readLayer(layer: ConfigLayer, layers: readonly ConfigLayer[]): Candidate {
	const own = layers.slice(0, layers.indexOf(layer) + 1);
	const baseUrl = own.findLast(({values}) => Object.hasOwn(values, 'base-url'))?.values['base-url'];
	if (typeof baseUrl === 'string' && URL.canParse(baseUrl)) {
		const name = resolve(layer.directory, String(layer.values['api-key-file']));
		return {place: {type: 'file', name}, baseUrl};
	}
	throw new ChatError('config', `api-key-file ${layer.place} is for no service`, {
		hint: 'Set base-url there too: a key is only sent to the service it was given for.',
	});
}

function belongsTo({baseUrl}: Candidate, origin: string | undefined): boolean {
	return baseUrl === undefined || originOf(baseUrl) === origin;
}

function originOf(baseUrl: string): string | undefined {
	return URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}

function describeLeftOut(
	{baseUrl = ''}: Candidate,
	origin: string | undefined,
	variables: Variables,
): string | undefined {
	const name = ['CHAT_API_KEY_FILE', 'CHAT_API_KEY'].find((known) => variables[known]);
	if (name === undefined || origin === undefined) return undefined;
	const owner = originOf(baseUrl) ?? 'that service';
	return `the key from ${name} was not sent: it belongs to CHAT_BASE_URL (${owner}); to give ${origin} a key: chat auth set --base-url ${origin}`;
}
