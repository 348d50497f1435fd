/**
 * Which service is meant, and the key it gets.
 *
 * Invariant: a key is only ever sent to the service it was given for, and over a network only in
 * encrypted form unless the user says otherwise.
 */
import {ChatError} from '../../errors.ts';
import {redactUrl} from '../../redact.ts';
import {editHint} from '../files/config-file.ts';
import {credentialsPath} from '../files/config-path.ts';
import {UnreadableError} from '../files/json-file.ts';
import type {LoadedSettings, SettingsSource} from '../options/load-settings.ts';
import {invalidValue} from '../options/merge.ts';
import {parseBaseUrl} from '../options/parsers.ts';
import {describeUnknownKey, findUnknownKeys} from '../options/unknown-keys.ts';
import {checkKey, type Key, loadKeyFile, readKeyVariable} from './api-key.ts';
import {readStoredKey} from './credentials.ts';
import {findKey, type KeyPlace} from './find-key.ts';
import type {ReadText} from './named-file.ts';

export type ServiceSettings = {
	/** Undefined: none is configured, and none was meant. */
	readonly baseUrl: URL | undefined;
	readonly apiKey: string | undefined;
	/** The variable or file the key came from. */
	readonly keySource: string | undefined;
	/** `OPENAI_API_KEY` is set, but nothing says for which service. */
	readonly hasUnusedKey: boolean;
	/** What is not as it should be, and does not stop the run. */
	readonly warnings: readonly string[];
};

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * @param readText reads the file that holds the key, if one does
 * @throws {ChatError} `config` when a service is meant and not set, its URL is invalid, the key would
 * go over plain http, or the stored keys cannot be understood; `auth` when the source of the key is
 * empty or not a key; `input` when its file is not readable; anything else `readText` throws
 */
export async function resolveService(
	loaded: LoadedSettings,
	source: SettingsSource,
	readText: ReadText,
): Promise<ServiceSettings> {
	const {settings, config} = loaded;
	const {variables} = source;
	const {place, leftOut} = findKey(loaded, variables);
	const named = place && (await readKey(place, variables, readText));
	const isPairAllowed =
		settings.baseUrl === undefined && named === undefined && config.problem === undefined;
	const baseUrl = settings.baseUrl ?? (isPairAllowed ? readOpenaiUrl(variables) : undefined);
	if (baseUrl === undefined) {
		checkNoneMeant(named, loaded, variables);
		return {
			baseUrl,
			apiKey: undefined,
			keySource: undefined,
			hasUnusedKey: isSet(variables['OPENAI_API_KEY']),
			warnings: config.warning === undefined ? [] : [config.warning],
		};
	}
	const stored = named === undefined ? findStoredKey(baseUrl, source) : undefined;
	const key = named ?? stored?.key ?? (isPairAllowed ? readOpenaiKey(variables) : undefined);
	if (key !== undefined) checkEncrypted(baseUrl, settings.insecureHttp);
	const {apiKey, keySource} = key ?? {apiKey: undefined, keySource: undefined};
	const warnings = [
		config.problem,
		config.warning,
		...findUnknownKeys(loaded.layers).map(describeUnknownKey),
		stored?.warning,
		// Who stored a key for this service knows that the other one is not meant for it.
		key === undefined ? leftOut : undefined,
	].filter((warning) => warning !== undefined);
	return {baseUrl, apiKey, keySource, hasUnusedKey: false, warnings};
}

async function readKey(
	{type, name}: KeyPlace,
	variables: Variables,
	readText: ReadText,
): Promise<Key | undefined> {
	if (type === 'file') return await loadKeyFile(name, readText);
	return readKeyVariable(name, variables);
}

/** The base URL of a run, whatever its key may be. */
export function findBaseUrl({settings}: LoadedSettings, variables: Variables): URL | undefined {
	return settings.baseUrl ?? readOpenaiUrl(variables);
}

/** The base URL of `OPENAI_BASE_URL`, if it is the one that a run uses. Reads no key. */
export function findPairUrl(
	{settings, config}: LoadedSettings,
	variables: Variables,
): URL | undefined {
	const isNamed = settings.apiKeyFile !== undefined || variables['CHAT_API_KEY'] !== undefined;
	const isPairAllowed = settings.baseUrl === undefined && !isNamed && config.problem === undefined;
	return isPairAllowed ? readOpenaiUrl(variables) : undefined;
}

/** @throws {ChatError} `config` unless the built-in service may answer */
function checkNoneMeant(
	key: Key | undefined,
	{profile, config, layers}: LoadedSettings,
	variables: Variables,
): void {
	const way = 'Set CHAT_BASE_URL or use --base-url';
	if (key !== undefined) {
		const pair = isSet(variables['OPENAI_BASE_URL'])
			? 'OPENAI_BASE_URL is only used with OPENAI_API_KEY. '
			: '';
		throw new ChatError('config', `${key.keySource} holds a key, but no service is configured`, {
			hint: `${pair}${way}; the built-in service needs no key.`,
		});
	}
	if (config.problem !== undefined) {
		throw new ChatError('config', `${config.problem}, and no service is named elsewhere`, {
			hint: `${way}, or make the file readable.`,
		});
	}
	if (profile !== undefined) {
		throw new ChatError('config', `the profile ${profile} names no service`, {
			hint: `Set one with: chat config set --profile ${profile} base-url <url>`,
		});
	}
	const [unknown] = findUnknownKeys(layers);
	if (unknown === undefined) return;
	const {problem, hint} = unknown;
	throw new ChatError('config', `${problem}, and no service is configured`, {
		hint: [hint, editHint].filter((sentence) => sentence !== undefined).join(' '),
	});
}

type FoundKey = {readonly key: Key | undefined; readonly warning: string | undefined};

function findStoredKey({origin}: URL, source: SettingsSource): FoundKey {
	const path = credentialsPath(source);
	if (path === undefined) return {key: undefined, warning: undefined};
	try {
		const {key, warning} = readStoredKey(path, origin, source.platform);
		if (key === undefined) return {key, warning};
		const keySource = storedKeySource(path);
		return {key: {apiKey: checkKey(key, keySource), keySource}, warning};
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw error;
		return {key: undefined, warning: error.message};
	}
}

function storedKeySource(path: string): string {
	return `${path} (chat auth)`;
}

function isSet(text: string | undefined): text is string {
	return text !== undefined && text !== '';
}

/** The service of the pair of variables that other clients use. */
function readOpenaiUrl(variables: Variables): URL | undefined {
	const text = variables['OPENAI_BASE_URL'];
	if (!isSet(text)) return undefined;
	try {
		return parseBaseUrl(text);
	} catch (error) {
		throw invalidValue('config', 'OPENAI_BASE_URL', text, error);
	}
}

/** Its key; alone, it would not say whose it is. */
function readOpenaiKey(variables: Variables): Key | undefined {
	const isKeySet = isSet(variables['OPENAI_API_KEY']);
	return isKeySet ? readKeyVariable('OPENAI_API_KEY', variables) : undefined;
}

/** @throws {ChatError} `config` when a key would be sent as plain text to another machine */
export function checkEncrypted(baseUrl: URL, isInsecureAllowed: boolean): void {
	if (baseUrl.protocol === 'https:' || isInsecureAllowed || isLoopback(baseUrl.hostname)) return;
	throw new ChatError(
		'config',
		`the API key would go unencrypted over the network to ${redactUrl(baseUrl)}`,
		{hint: 'Use https, or allow it with --insecure-http (CHAT_INSECURE_HTTP=true).'},
	);
}

/** Whether traffic to this host stays on this machine. A resolver may send `*.localhost` elsewhere. */
export function isLoopback(hostname: string): boolean {
	const host = hostname.toLowerCase();
	return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
