/** Opens the service of the settings for `chat doctor`, and starts nothing. */
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {isLoopback} from '../../../loopback.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {isNameOfPlaces, isOwnLlama} from '../../../settings/options/parse-service.ts';
import {findBaseUrl, placesOfService} from '../../../settings/service/base-url.ts';
import {findGivenKey} from '../../../settings/service/find-key.ts';
import {type OpenService, openServiceWith} from '../../run/service/open-service.ts';

export type Access = Pick<
	OpenService,
	'settings' | 'connection' | 'redact' | 'missingKey' | 'close'
> & {
	/** Undefined for the built-in service. */
	readonly address: string | undefined;
	readonly mayAsk: boolean;
	/** Why the key is left unread. */
	readonly unread: 'command' | 'pipe' | undefined;
	/** Warnings about anything but files, which have their own section. */
	readonly warnings: readonly string[];
};

type AccessOptions = {
	readonly isOnline: boolean;
	readonly signal: AbortSignal;
	readonly environment: Environment;
};

/** @throws {ChatError} as `openServiceWith` does */
export async function openAccess(
	loaded: LoadedSettings,
	{isOnline, signal, environment}: AccessOptions,
): Promise<Access | undefined> {
	const baseUrl = findBaseUrl(loaded);
	const isName = baseUrl !== undefined && isNameOfPlaces(baseUrl) && !isOwnLlama(baseUrl);
	const urls = isName ? placesOfService(loaded).map((place) => place.baseUrl) : [baseUrl];
	const mayAsk = isOnline || urls.every((url) => url === undefined || isLoopback(url.hostname));
	// Locating a named service asks every place that the name may mean.
	if (isName && !mayAsk) return undefined;
	const unread = findUnread(loaded, isOnline, environment);
	// A dry run starts nothing.
	const settings = Object.freeze({...loaded.settings, dryRun: true});
	const given = {loaded: {...loaded, settings}, ...(unread && {key: 'unread' as const})};
	const opened = await openServiceWith(given, signal, environment);
	const hidden = ['settings-file', 'built-in-service', ...(opened.missingKey ? ['api-key'] : [])];
	const notices = opened.notices.filter(({code}) => !hidden.includes(code));
	return {
		...opened,
		address: baseUrl && opened.name,
		mayAsk: mayAsk && unread === undefined,
		unread,
		warnings: notices.map(({message}) => message),
	};
}

/** A command may ask the user for a password, and a pipe is empty once it has been read. */
function findUnread(
	loaded: LoadedSettings,
	isOnline: boolean,
	environment: Environment,
): Access['unread'] {
	if (loaded.settings.authHeader === 'none') return undefined;
	const {place} = findGivenKey(loaded);
	if (place?.type === 'command') return isOnline ? undefined : 'command';
	const path = place?.path;
	return path !== undefined && isPipe(resolve(environment.cwd, path)) ? 'pipe' : undefined;
}

function isPipe(path: string): boolean {
	try {
		return statSync(path).isFIFO();
	} catch {
		return false;
	}
}
