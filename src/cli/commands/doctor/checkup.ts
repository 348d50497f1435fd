/** The input of `chat doctor`'s checks, their service, and their findings. */
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {
	type ChatError,
	describeError,
	type ExitCode,
	exitCodeOf,
	hintOf,
	toChatError,
} from '../../../errors.ts';
import {lineHint} from '../../../hint.ts';
import {isLoopback} from '../../../loopback.ts';
import {printError} from '../../../output/print.ts';
import type {LoadedSettings} from '../../../settings/options/load-settings.ts';
import {isNameOfPlaces, isOwnLlama} from '../../../settings/options/parse-service.ts';
import {findBaseUrl, placesOfService} from '../../../settings/service/base-url.ts';
import {findGivenKey} from '../../../settings/service/find-key.ts';
import {type OpenService, openServiceWith} from '../../run/service/open-service.ts';

export type Checkup = {
	readonly environment: Environment;
	/** The valid settings. */
	readonly loaded: LoadedSettings;
	/** The mistakes in the others. */
	readonly mistakes: readonly ChatError[];
	/** Whether services on other machines may be asked. */
	readonly isOnline: boolean;
	/**
	 * The service, opened once for all checks; undefined if opening it would contact another
	 * machine. Rejects with the reason on failure.
	 */
	readonly access: Promise<Access | undefined>;
	/** Aborted when the run is to end. */
	readonly signal: AbortSignal;
};

export type Check = (checkup: Checkup) => Findings | Promise<Findings>;

export type Findings = Finding | readonly Finding[];

/** A report line. */
export type Finding = {
	readonly status: 'ok' | 'note' | 'fail';
	/** A word or two. */
	readonly name: string;
	/** May quote a service or a file: sanitize before showing. */
	readonly text: string;
	/** The next step. */
	readonly next: string | undefined;
	/** Zero unless the check failed. */
	readonly exitCode: ExitCode;
};

export function ok(name: string, text: string): Finding {
	return {status: 'ok', name, text, next: undefined, exitCode: 0};
}

/** Reports a harmless surprise. */
export function note(name: string, text: string, next?: string): Finding {
	return {status: 'note', name, text, next, exitCode: 0};
}

export function fail(name: string, cause: unknown): Finding {
	const error = toChatError(cause);
	const hint = hintOf(error);
	const next = hint && lineHint(hint);
	const text = describeError(error).join('; ');
	return {status: 'fail', name, text, next, exitCode: exitCodeOf(error)};
}

/** Reports the error ending a check as a finding under this name. */
export async function attempt(
	name: string,
	{signal, loaded, environment}: Checkup,
	check: () => ReturnType<Check>,
): Promise<readonly Finding[]> {
	try {
		return [await check()].flat();
	} catch (error) {
		signal.throwIfAborted();
		const failure = toChatError(error);
		const isBug = failure.kind === 'bug';
		if (isBug && loaded.settings.verbose) printError(failure, true, environment);
		return [fail(name, failure)];
	}
}

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

/**
 * Opens the configured service, starting nothing.
 *
 * @throws {ChatError} as `openServiceWith` does
 */
export async function openAccess(
	loaded: LoadedSettings,
	{isOnline, signal, environment}: Pick<Checkup, 'isOnline' | 'signal' | 'environment'>,
): Promise<Access | undefined> {
	const baseUrl = findBaseUrl(loaded);
	const isName = baseUrl !== undefined && isNameOfPlaces(baseUrl) && !isOwnLlama(baseUrl);
	const urls = isName ? placesOfService(loaded).map((place) => place.baseUrl) : [baseUrl];
	const mayAsk = isOnline || urls.every((url) => url === undefined || isLoopback(url.hostname));
	// Locating a named service means asking every possible place.
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

/** A command may ask for a password, and a pipe is empty after reading. */
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
