/**
 * Which service is meant, and the key it gets.
 *
 * Invariant: a key is only ever sent to the service it was given for, and over a network only in
 * encrypted form unless the user says otherwise.
 */
import {ChatError} from '../errors.ts';
import {redactUrl} from '../redact.ts';
import {checkKey, type Key, readKeyFile, readKeyVariable} from './api-key.ts';
import {credentialsPath} from './config-path.ts';
import {readStoredKey} from './credentials.ts';
import {UnreadableError} from './json-file.ts';
import type {LoadedSettings, SettingsSource} from './load-settings.ts';
import {invalidValue} from './merge.ts';
import {parseBaseUrl} from './parsers.ts';

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
 * @param named the key in the file that `findKeyFile` names, if there is one and it has been read;
 * else it is read here, as `readKeyFile` does
 * @throws {ChatError} `config` when a service is meant and not set, its URL is none, the key would
 * go over plain http, or the stored keys cannot be understood; `auth` when the source of the key is
 * empty or holds no key; `input` when its file is not readable
 */
export function resolveService(
	loaded: LoadedSettings,
	source: SettingsSource,
	named: Key | undefined = readNamedKey(loaded, source),
): ServiceSettings {
	const {settings, config} = loaded;
	const {variables} = source;
	const isPairAllowed =
		settings.baseUrl === undefined && named === undefined && config.problem === undefined;
	const baseUrl = settings.baseUrl ?? (isPairAllowed ? readOpenaiUrl(variables) : undefined);
	if (baseUrl === undefined) {
		checkNoneMeant(named, loaded);
		return {
			baseUrl,
			apiKey: undefined,
			keySource: undefined,
			hasUnusedKey: isSet(variables['OPENAI_API_KEY']),
			warnings: [],
		};
	}
	const stored = named === undefined ? findStoredKey(baseUrl, source) : undefined;
	const key = named ?? stored?.key ?? (isPairAllowed ? readOpenaiKey(variables) : undefined);
	if (key !== undefined) checkEncrypted(baseUrl, settings.insecureHttp);
	const {apiKey, keySource} = key ?? {apiKey: undefined, keySource: undefined};
	const warnings = [config.problem, stored?.warning].filter((warning) => warning !== undefined);
	return {baseUrl, apiKey, keySource, hasUnusedKey: false, warnings};
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

/** The key that this run was given, or that its config file names. */
function readNamedKey(loaded: LoadedSettings, source: SettingsSource): Key | undefined {
	const keyFile = findKeyFile(loaded, source);
	if (keyFile !== undefined) return readKeyFile(keyFile, source.cwd);
	return readKeyVariable('CHAT_API_KEY', source.variables);
}

/**
 * The file that holds the key of this run; undefined if none does. What the run itself was given
 * comes before what the config file names.
 *
 * @throws {ChatError} `config` when the config file names one for no service
 */
export function findKeyFile(
	loaded: LoadedSettings,
	{variables}: Pick<SettingsSource, 'variables'>,
): string | undefined {
	const {settings, sources} = loaded;
	const {apiKeyFile} = settings;
	const isOfFile = sources.apiKeyFile === 'config' || sources.apiKeyFile === 'profile';
	if (apiKeyFile === undefined || !isOfFile) return apiKeyFile;
	if (variables['CHAT_API_KEY'] !== undefined) return undefined;
	return isForThisService(loaded) ? apiKeyFile : undefined;
}

/**
 * A key file that the config file names is for the base URL beside it. That of another layer, of a
 * variable or of a flag does not get the key.
 *
 * @throws {ChatError} `config` when no base URL stands there
 */
function isForThisService({settings, sources, layers}: LoadedSettings): boolean {
	const own = sources.apiKeyFile === 'config' ? layers.slice(0, 1) : layers;
	const text = own.findLast(({values}) => Object.hasOwn(values, 'base-url'))?.values['base-url'];
	if (typeof text === 'string' && URL.canParse(text)) {
		return new URL(text).origin === settings.baseUrl?.origin;
	}
	throw new ChatError('config', `api-key-file ${own.at(-1)?.place} is for no service`, {
		hint: 'Set base-url there too: a key is only sent to the service it was given for.',
	});
}

/** @throws {ChatError} `config` unless the embedded service may answer */
function checkNoneMeant(key: Key | undefined, {profile, config}: LoadedSettings): void {
	const way = 'Set CHAT_BASE_URL or use --base-url';
	if (key !== undefined) {
		throw new ChatError('config', `${key.keySource} holds a key, but no service is set`, {
			hint: `${way}; the built-in service needs no key.`,
		});
	}
	if (config.problem !== undefined) {
		throw new ChatError('config', `${config.problem}, and nothing else says which service to ask`, {
			hint: `${way}, or make the file readable.`,
		});
	}
	if (profile !== undefined) {
		throw new ChatError('config', `the profile ${profile} names no service`, {
			hint: `Set one with: chat config set --profile ${profile} base-url <url>`,
		});
	}
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

/** Whether traffic to this host stays on this machine. */
export function isLoopback(hostname: string): boolean {
	const host = hostname.toLowerCase();
	return (
		host === 'localhost' ||
		host.endsWith('.localhost') ||
		host === '[::1]' ||
		/^127\.\d+\.\d+\.\d+$/.test(host)
	);
}
