/** Opens the service of the settings for `chat doctor`, or only finds its key. */
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import type {ChatError} from '../../../errors.ts';
import {isLoopback} from '../../../loopback.ts';
import type {ServiceConnection} from '../../../protocol/service-connection.ts';
import {createRedactor, type Redact, redactUrl, secretsOfUrl} from '../../../redact.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {isNameOfPlaces, isOwnLlama, placesOf} from '../../../settings/options/parse-service.ts';
import type {Settings} from '../../../settings/options/settings.ts';
import {findBaseUrl} from '../../../settings/service/base-url.ts';
import {findKey} from '../../../settings/service/find-key.ts';
import {findProxy} from '../../../settings/service/proxy.ts';
import {resolveService} from '../../../settings/service/service-settings.ts';
import {describeWarning} from '../../hints/describe-hint.ts';
import {createKeyReaders} from '../../run/service/key-readers.ts';
import {findMissingKey, openService} from '../../run/service/open-service.ts';

export type Access = {
	/** The address as a person reads it; undefined for the built-in service. */
	readonly address: string | undefined;
	readonly baseUrl: URL | undefined;
	/** The settings, with the model that was found. */
	readonly settings: Settings;
	/** Undefined if the service is not to be asked. */
	readonly connection: ServiceConnection | undefined;
	readonly proxy: URL | undefined;
	readonly apiKey: string | undefined;
	readonly keySource: string | undefined;
	readonly unreadKey: UnreadKey | undefined;
	/** Why a prompt would fail for want of a key. */
	readonly missingKey: ChatError | undefined;
	/** Without those about files, which have a section of their own. */
	readonly warnings: readonly string[];
	readonly redact: Redact;
	close(): Promise<void>;
};

/** A key that is not read, so that nothing changes and nothing waits. */
export type UnreadKey = {
	readonly source: string;
	/** Whether it is read with `--online`. */
	readonly isReadOnline: boolean;
};

type AccessOptions = {
	readonly isOnline: boolean;
	readonly signal: AbortSignal;
	readonly environment: Environment;
};

/** @throws {ChatError} as `openService` does */
export async function openAccess(
	loaded: LoadedSettings,
	{isOnline, signal, environment}: AccessOptions,
): Promise<Access> {
	const unread = findUnreadKey(loaded, environment);
	const unreadKey = isOnline && unread?.isReadOnline === true ? undefined : unread;
	return unreadKey === undefined && isAsked(loaded, isOnline, environment)
		? await openForRequests(loaded, signal, environment)
		: await findAddress(loaded, unreadKey, signal, environment);
}

/** A command may ask the user for a password, and a pipe is empty once it has been read. */
function findUnreadKey(
	loaded: LoadedSettings,
	{variables, cwd}: Environment,
): UnreadKey | undefined {
	if (loaded.settings.authHeader === 'none') return undefined;
	const {place} = findKey(loaded, variables);
	if (place?.type === 'command') {
		return {source: `the command ${place.command.argv[0]}`, isReadOnline: true};
	}
	const path = place?.type === 'file' ? resolve(cwd, place.name) : '';
	return isPipe(path) ? {source: `the pipe ${path}`, isReadOnline: false} : undefined;
}

function isPipe(path: string): boolean {
	try {
		return statSync(path).isFIFO();
	} catch {
		return false;
	}
}

/** A service is asked if it is on this machine, or any by the user's choice; a llama-server never. */
function isAsked(
	loaded: LoadedSettings,
	isOnline: boolean,
	{variables}: Pick<Environment, 'variables'>,
): boolean {
	const baseUrl = findBaseUrl(loaded, variables);
	const name = loaded.texts.baseUrl.at(-1) ?? '';
	if (baseUrl === undefined || isOwnLlama(baseUrl)) return false;
	const urls = isNameOfPlaces(baseUrl)
		? placesOf(name, variables).map((place) => place.baseUrl)
		: [baseUrl];
	return isOnline || urls.every(({hostname}) => isLoopback(hostname));
}

async function openForRequests(
	loaded: LoadedSettings,
	signal: AbortSignal,
	environment: Environment,
): Promise<Access> {
	const {connection, settings, name, notices, missingKey, redact, close} = await openService(
		loaded,
		signal,
		environment,
	);
	return {
		address: name,
		baseUrl: connection.wire.url,
		settings,
		connection,
		proxy: connection.route?.proxy,
		apiKey: connection.apiKey,
		keySource: connection.keySource,
		unreadKey: undefined,
		missingKey,
		warnings: notices
			.filter(({code}) => code !== 'settings-file' && (code !== 'api-key' || !missingKey))
			.map(({message}) => message),
		redact,
		close,
	};
}

async function findAddress(
	loaded: LoadedSettings,
	unreadKey: UnreadKey | undefined,
	signal: AbortSignal,
	environment: Environment,
): Promise<Access> {
	const keyInput = unreadKey === undefined ? createKeyReaders(environment, signal) : 'unread';
	const service = await resolveService(loaded, environment, keyInput);
	const {baseUrl, apiKey, keySource, headerSecrets, misspelt, keyWarning} = service;
	const missingKey = findMissingKey(service);
	const isWarned = keyWarning !== undefined && missingKey === undefined;
	const warnings = isWarned ? [...misspelt, keyWarning] : misspelt;
	const isName = baseUrl !== undefined && isNameOfPlaces(baseUrl);
	const proxy =
		baseUrl === undefined || isName ? undefined : findProxy(baseUrl, environment.variables);
	const urlSecrets = baseUrl === undefined ? [] : secretsOfUrl(baseUrl);
	return {
		address: isName ? loaded.texts.baseUrl.at(-1) : baseUrl && redactUrl(baseUrl),
		baseUrl,
		settings: loaded.settings,
		connection: undefined,
		proxy,
		apiKey,
		keySource,
		unreadKey,
		missingKey,
		warnings: await Promise.all(warnings.map(describeWarning)),
		redact: createRedactor([apiKey, ...headerSecrets, proxy?.password, ...urlSecrets]),
		close: async () => {},
	};
}
