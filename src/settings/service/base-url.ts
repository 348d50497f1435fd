/**
 * Finds a run's service, and guards what is sent there: a key, header or model is for the base URL
 * it came with.
 */
import type {Variables} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {isLoopback} from '../../loopback.ts';
import {redactUrl} from '../../redact.ts';
import type {LoadedSettings} from '../options/load-settings.ts';
import type {Given} from '../options/merge.ts';
import {
	isBuiltIn,
	type Place,
	parseBaseUrl,
	parseService,
	placesOf,
} from '../options/parse-service.ts';
import {parseSetting} from '../options/parsers.ts';
import {resolvePathIn} from '../options/settings.ts';

/** Returns the base URL of a run; undefined for the built-in service. Reads no key. */
export function findBaseUrl(loaded: LoadedSettings): URL | undefined {
	const {baseUrl = findOpenaiUrl(loaded)} = loaded.settings;
	return baseUrl === undefined || isBuiltIn(baseUrl) ? undefined : baseUrl;
}

/**
 * Returns the URL of `OPENAI_BASE_URL` if the run uses it: nothing else names a service or a key.
 *
 * @throws {ChatError} `config` when it is not a URL
 */
export function findOpenaiUrl({
	settings,
	config,
	source: {variables},
}: LoadedSettings): URL | undefined {
	const hasOwnKey = settings.apiKeyFile !== undefined || variables['CHAT_API_KEY'] !== undefined;
	if (settings.baseUrl !== undefined || hasOwnKey || config.problem !== undefined) return undefined;
	const text = variables['OPENAI_BASE_URL'];
	return text ? parseSetting('config', 'OPENAI_BASE_URL', text, parseBaseUrl) : undefined;
}

/** Returns the base URL of the run as it was given. */
export function nameOfService({texts}: LoadedSettings): string {
	return texts.baseUrl.at(-1) ?? '';
}

/** Returns the addresses that the service of the run may have, if it is named and on this machine. */
export function placesOfService(loaded: LoadedSettings): readonly Place[] {
	return placesOf(nameOfService(loaded), loaded.source.variables);
}

/** Returns the origin for a base URL or service name; undefined for any other text. */
export function originOf(baseUrl: string, variables: Variables): string | undefined {
	try {
		return parseService(baseUrl, undefined, variables).origin;
	} catch {
		return undefined;
	}
}

/** A value whose service is asked for. */
type Placed = Pick<Given, 'source' | 'location' | 'layer' | 'baseUrl'>;

/**
 * Returns the base URL that a value came with, as the settings of the run have it; undefined without
 * one. That of a layer may be in one below it.
 */
export function findUrlBeside(
	{source, layer, baseUrl}: Placed,
	{layers, source: {variables}}: LoadedSettings,
): string | undefined {
	if (source === 'environment') return variables['CHAT_BASE_URL'] || undefined;
	if (layer === undefined) return baseUrl;
	const own = layers.slice(0, layers.indexOf(layer) + 1);
	const beside = own.findLast(({values}) => Object.hasOwn(values, 'base-url'));
	const text = beside?.values['base-url'];
	if (beside === undefined || typeof text !== 'string') return undefined;
	return resolvePathIn(text, 'baseUrl', beside.directory);
}

/**
 * Returns the base URL that a key or header in the config file is for.
 *
 * @throws {ChatError} `config` without one
 */
export function requireUrlBeside(placed: Placed, loaded: LoadedSettings): string {
	const baseUrl = findUrlBeside(placed, loaded);
	if (baseUrl !== undefined && URL.canParse(baseUrl)) return baseUrl;
	throw new ChatError('config', `${placed.location} has no base-url beside it`, {
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
): boolean {
	if (baseUrl === nameOfService(loaded)) return true;
	// Addresses other than http have no origin.
	return origin !== 'null' && originOf(baseUrl, loaded.source.variables) === origin;
}

/** @throws {ChatError} `config` when a secret would be sent unencrypted to another machine */
export function checkEncrypted(name: string, baseUrl: URL, isInsecureAllowed: boolean): void {
	if (baseUrl.protocol !== 'http:' || isInsecureAllowed || isLoopback(baseUrl.hostname)) return;
	const message = `${name} would go unencrypted over the network to ${redactUrl(baseUrl)}`;
	throw new ChatError('config', message, {
		hint: 'Use https, or allow it with --insecure-http (CHAT_INSECURE_HTTP=true).',
	});
}
