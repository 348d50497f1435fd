/** Opens the service of the settings for `chat doctor`, or only finds its key. */
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import type {ServiceConnection} from '../../protocol/service-connection.ts';
import {createRedactor, type Redact, redactUrl, secretsOfUrl} from '../../redact.ts';
import type {LoadedSettings} from '../../settings/options/load-settings.ts';
import {findLlamaModel, isNameOfPlaces, placesOf} from '../../settings/options/parse-service.ts';
import type {Settings} from '../../settings/options/settings.ts';
import {findBaseUrl, isLoopback} from '../../settings/service/base-url.ts';
import {findProxy} from '../../settings/service/proxy.ts';
import {resolveService} from '../../settings/service/service-settings.ts';
import {describeWarning} from '../hints/describe-hint.ts';
import {createKeyReaders} from '../service/key-readers.ts';
import {openService} from '../service/open-service.ts';

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
	/** The command that prints the key, if it was not run. */
	readonly keyCommand: string | undefined;
	readonly warnings: readonly string[];
	readonly redact: Redact;
	close(): Promise<void>;
};

type AccessOptions = {
	readonly isOnline: boolean;
	readonly signal: AbortSignal;
	readonly environment: Environment;
};

/** A key comes from a file within this time; from a command, within that of the command. */
const keyLimitMs = 12_000;

/** @throws {ChatError} as `openService` does */
export async function openAccess(
	loaded: LoadedSettings,
	{isOnline, signal, environment}: AccessOptions,
): Promise<Access> {
	const late = new AbortController();
	const timer = setTimeout(() => late.abort(noKey()), keyLimitMs);
	const either = AbortSignal.any([signal, late.signal]);
	try {
		return isAsked(loaded, isOnline, environment)
			? await openForRequests(loaded, either, environment)
			: await findAddress(loaded, either, environment);
	} finally {
		clearTimeout(timer);
	}
}

function noKey(): ChatError {
	return new ChatError('timeout', `no API key came within ${keyLimitMs / 1000} s`);
}

/** A service is asked if it is on this machine, or any by the user's choice; a llama-server never. */
function isAsked(
	loaded: LoadedSettings,
	isOnline: boolean,
	{variables}: Pick<Environment, 'variables'>,
): boolean {
	const baseUrl = findBaseUrl(loaded, variables);
	const name = loaded.texts.baseUrl.at(-1) ?? '';
	if (baseUrl === undefined || findLlamaModel(name) !== undefined) return false;
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
	const {connection, settings, name, notices, redact, close} = await openService(
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
		keyCommand: undefined,
		warnings: notices.map(({message}) => message),
		redact,
		close,
	};
}

async function findAddress(
	loaded: LoadedSettings,
	signal: AbortSignal,
	environment: Environment,
): Promise<Access> {
	let keyCommand: string | undefined;
	const readers = {
		...createKeyReaders(environment, signal),
		// It may ask the user for a password. The text in its place is never shown.
		async runCommand({argv: [program]}: {readonly argv: readonly [string, ...string[]]}) {
			keyCommand = program;
			return 'not-run';
		},
	};
	const service = await resolveService(loaded, environment, readers);
	const {baseUrl, apiKey, keySource, headerSecrets, warnings} = service;
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
		apiKey: keyCommand === undefined ? apiKey : undefined,
		keySource: keyCommand === undefined ? keySource : undefined,
		keyCommand,
		warnings: await Promise.all(warnings.map(describeWarning)),
		redact: createRedactor([apiKey, ...headerSecrets, proxy?.password, ...urlSecrets]),
		close: async () => {},
	};
}
