/**
 * Finds the service of a run and its key.
 *
 * Invariant: a key is sent only to the service it was given for, and unencrypted only on this
 * machine, unless the user allows more.
 */
import {ChatError} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import {redactUrl} from '../../redact.ts';
import {editHint} from '../files/config-file.ts';
import {credentialsPath} from '../files/config-path.ts';
import type {LoadedSettings, SettingsSource} from '../options/load-settings.ts';
import type {Variables} from '../options/merge.ts';
import {parseBaseUrl, parseSetting} from '../options/parsers.ts';
import {findHosted, type HostedProvider, hostedProviders} from '../options/providers.ts';
import {findUnknownKeys, type SettingsWarning} from '../options/unknown-keys.ts';
import {
	checkKey,
	type Key,
	type KeyReaders,
	loadCommandKey,
	loadKeyFile,
	readKeyVariable,
} from './api-key.ts';
import {readStoredKey} from './credentials.ts';
import {findHeaders} from './find-headers.ts';
import {findKey, type KeyPlace} from './find-key.ts';

export type ServiceSettings = {
	/** Undefined for the built-in service. */
	readonly baseUrl: URL | undefined;
	readonly apiKey: string | undefined;
	/** The variable, file or command the key came from. */
	readonly keySource: string | undefined;
	/** Whether another look would find the same key: that of a variable or a command. */
	readonly isKeyFixed: boolean;
	/** More headers of every request, by name in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	/** The parts of their values that may be secrets. */
	readonly headerSecrets: readonly string[];
	/** The provider whose key is in a variable, if no service is set. */
	readonly unusedKey: HostedProvider | undefined;
	readonly warnings: readonly SettingsWarning[];
};

/**
 * @throws {ChatError} `config` when a service is meant and not set, its URL is not valid, the key
 * or headers would be sent unencrypted, or the stored keys are not valid; `auth` when the source of
 * the key is empty or not a key; as `findHeaders` does; whatever `readers` throw
 */
export async function resolveService(
	loaded: LoadedSettings,
	source: SettingsSource,
	readers: KeyReaders,
): Promise<ServiceSettings> {
	const {settings, config} = loaded;
	const {variables} = source;
	const baseUrl = findBaseUrl(loaded, variables);
	const {headers, secrets: headerSecrets} = findHeaders(loaded, variables, baseUrl?.origin);
	if (baseUrl === undefined) {
		const {place} = findKey(loaded, variables);
		const key = place && (await readKey(place, variables, readers));
		assertBuiltInAllowed(describeGiven(key, place, headers), loaded, variables);
		const noKey = {apiKey: undefined, keySource: undefined, isKeyFixed: false};
		const unusedKey = findOffers(variables)[0];
		const warnings = [describe(config.warning)].filter((warning) => warning !== undefined);
		return {baseUrl, ...noKey, headers, headerSecrets, unusedKey, warnings};
	}
	const {key, isKeyFixed, warning, leftOut} = await findOwnKey(baseUrl, {loaded, source, readers});
	const secret = key === undefined ? nameHeader(headers) : 'the API key';
	if (secret !== undefined) checkEncrypted(secret, baseUrl, settings.insecureHttp);
	const warnings = [
		describe(config.problem),
		describe(config.warning),
		...findUnknownKeys(loaded.layers),
		describe(warning),
		leftOut,
	].filter((found) => found !== undefined);
	const {apiKey, keySource} = key ?? {apiKey: undefined, keySource: undefined};
	const service = {baseUrl, apiKey, keySource, isKeyFixed, headers, headerSecrets};
	return {...service, unusedKey: undefined, warnings};
}

type KeyContext = {
	readonly loaded: LoadedSettings;
	readonly source: SettingsSource;
	readonly readers: KeyReaders;
};

type OwnKey = Pick<ServiceSettings, 'isKeyFixed'> & {
	readonly key: Key | undefined;
	/** About the file of the stored keys. */
	readonly warning?: string | undefined;
	/** About a key that is for another service. */
	readonly leftOut?: SettingsWarning | undefined;
};

async function findOwnKey(baseUrl: URL, {loaded, source, readers}: KeyContext): Promise<OwnKey> {
	const {variables} = source;
	if (loaded.settings.authHeader === 'none') return {key: undefined, isKeyFixed: false};
	const {place, leftOut} = findKey(loaded, variables);
	if (place !== undefined) {
		const key = await readKey(place, variables, readers);
		return {key, isKeyFixed: place.type !== 'file'};
	}
	const {key, warning} = findStoredKey(baseUrl, source);
	// A user who stored a key for this service knows that the other key is not for it.
	if (key !== undefined) return {key, isKeyFixed: false, warning};
	const own = readOwnVariable(loaded, variables);
	if (own === undefined) {
		return {key: own, isKeyFixed: false, warning, leftOut: leftOut ?? warnOfNoKey(loaded)};
	}
	return {key: own, isKeyFixed: true, warning};
}

/** Hosted services need a key; a URL may be that of any service. */
function warnOfNoKey({texts}: LoadedSettings): SettingsWarning | undefined {
	const provider = findHosted(texts.baseUrl.at(-1) ?? '');
	if (provider === undefined) return undefined;
	const {title, keyVariable, keyPage} = provider;
	return {problem: `no API key for ${title} is set`, hint: {code: 'get-key', keyVariable, keyPage}};
}

async function readKey(
	place: KeyPlace,
	variables: Variables,
	{readText, runCommand}: KeyReaders,
): Promise<Key | undefined> {
	switch (place.type) {
		case 'file':
			return await loadKeyFile(place.name, readText);
		case 'variable':
			return readKeyVariable(place.name, variables);
		case 'command':
			return await loadCommandKey(place.command, runCommand);
		default:
			return place satisfies never;
	}
}

/** Returns the beginning of a sentence about a key or header that was given for a service. */
function describeGiven(
	key: Key | undefined,
	place: KeyPlace | undefined,
	headers: ServiceSettings['headers'],
): string | undefined {
	if (key === undefined) {
		const header = nameHeader(headers);
		return header && `${header} is set`;
	}
	return `${key.keySource} ${place?.type === 'file' ? 'contains a key' : 'is set'}`;
}

function nameHeader(headers: ServiceSettings['headers']): string | undefined {
	const [header] = Object.keys(headers);
	return header && `the header ${header}`;
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

function describe(problem: string | undefined): SettingsWarning | undefined {
	return problem === undefined ? undefined : {problem};
}

/**
 * Reads the variable that the provider itself names for its key. Only the name of the provider, or
 * `OPENAI_BASE_URL`, says that the key is for the service of the run.
 */
function readOwnVariable(loaded: LoadedSettings, variables: Variables): Key | undefined {
	const named = findHosted(loaded.texts.baseUrl.at(-1) ?? '')?.keyVariable;
	const openai = findOpenaiUrl(loaded, variables) && 'OPENAI_API_KEY';
	const name = named ?? openai ?? '';
	return variables[name] ? readKeyVariable(name, variables) : undefined;
}

/** Returns the base URL of a run; undefined for the built-in service. Reads no key. */
export function findBaseUrl(loaded: LoadedSettings, variables: Variables): URL | undefined {
	return loaded.settings.baseUrl ?? findOpenaiUrl(loaded, variables);
}

/**
 * Returns the URL of `OPENAI_BASE_URL` if the run uses it: nothing else names a service or a key.
 *
 * @throws {ChatError} `config` when it is not a URL
 */
export function findOpenaiUrl(
	{settings, config}: LoadedSettings,
	variables: Variables,
): URL | undefined {
	const hasOwnKey = settings.apiKeyFile !== undefined || variables['CHAT_API_KEY'] !== undefined;
	if (settings.baseUrl !== undefined || hasOwnKey || config.problem !== undefined) return undefined;
	const text = variables['OPENAI_BASE_URL'];
	return text ? parseSetting('config', 'OPENAI_BASE_URL', text, parseBaseUrl) : undefined;
}

/**
 * @param given the beginning of a sentence about a key or header of the run
 * @throws {ChatError} `config` if the user meant a service that is not configured
 */
function assertBuiltInAllowed(
	given: string | undefined,
	{profile, config, layers}: LoadedSettings,
	variables: Variables,
): void {
	const fail = (message: string, hint: Hint) => {
		throw new ChatError('config', message, {hint});
	};
	if (given !== undefined) {
		const hasUnusedUrl = Boolean(variables['OPENAI_BASE_URL']);
		fail(`${given}, but no service is configured`, {code: 'set-service', hasUnusedUrl});
	}
	if (config.problem !== undefined) {
		const message = `${config.problem}, and no service is configured elsewhere`;
		fail(message, {code: 'set-service-or-permissions'});
	}
	if (profile !== undefined) {
		fail(`the profile ${profile} has no service`, {code: 'set-profile-service', profile});
	}
	const [unknown] = findUnknownKeys(layers);
	if (unknown === undefined) return;
	const {problem, hint} = unknown;
	const hints = hint === undefined ? [editHint] : [hint, editHint];
	fail(`${problem}, and no service is configured`, {code: 'several', hints});
}

type FoundKey = {readonly key: Key | undefined; readonly warning: string | undefined};

function findStoredKey({origin}: URL, source: SettingsSource): FoundKey {
	const path = credentialsPath(source);
	if (path === undefined) return {key: undefined, warning: undefined};
	const {key, warning} = readStoredKey(path, origin, source.platform);
	if (key === undefined) return {key, warning};
	const keySource = `${path} (chat auth)`;
	return {key: {apiKey: checkKey(key, keySource), keySource}, warning};
}

/** @throws {ChatError} `config` when a secret would be sent unencrypted to another machine */
export function checkEncrypted(name: string, baseUrl: URL, isInsecureAllowed: boolean): void {
	if (baseUrl.protocol === 'https:' || isInsecureAllowed || isLoopback(baseUrl.hostname)) return;
	const message = `${name} would go unencrypted over the network to ${redactUrl(baseUrl)}`;
	throw new ChatError('config', message, {
		hint: {code: 'encrypt-key'},
	});
}

/** Whether traffic to this host stays on this machine. `*.localhost` may resolve to another one. */
export function isLoopback(hostname: string): boolean {
	const host = hostname.toLowerCase();
	return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
