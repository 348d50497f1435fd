/** Waits until a file is saved, whichever way its editor does so. */
import {statSync, watch} from 'node:fs';
import {basename, dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {ChatError} from '../../../errors.ts';

/** An editor may first empty the file, or write it in pieces. */
const settleMs = 100;

export type FileWatch = {
	/**
	 * Resolves when the file differs from `seen`, has text, and rests; undefined when the signal aborts.
	 *
	 * @param seen from `stateOf`
	 */
	next(seen: string | undefined): Promise<string | undefined>;
	close(): void;
};

/** Returns a text for the file's present state; undefined while it is missing or empty. */
export function stateOf(path: string): string | undefined {
	try {
		const {ino, size, mtimeNs} = statSync(path, {bigint: true});
		return size === 0n ? undefined : `${ino} ${size} ${mtimeNs}`;
	} catch {
		return undefined;
	}
}

/**
 * Watches the folder: an editor that replaces the file leaves the old one to a watch of the file
 * itself.
 *
 * @throws {ChatError} `input` if the system cannot watch it
 */
export function watchFile(path: string, signal: AbortSignal): FileWatch {
	let wake = () => {};
	let hasEvent = true;
	let failure: unknown;
	const onEvent = (_type: string, name: string | null) => {
		if (name !== null && name !== basename(path)) return;
		hasEvent = true;
		wake();
	};
	const fail = (cause: unknown) => {
		failure = cause;
		wake();
	};
	const watcher = openWatcher(path, onEvent);
	watcher.on('error', fail);
	const onAbort = () => wake();
	signal.addEventListener('abort', onAbort);
	const event = async () => {
		if (!hasEvent && !signal.aborted && failure === undefined) {
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
		}
		hasEvent = false;
		if (failure !== undefined) throw cannotWatch(path, failure);
	};
	return {
		async next(seen) {
			while (!signal.aborted) {
				const state = stateOf(path);
				if (state === undefined || state === seen) {
					await event();
					continue;
				}
				await delay(settleMs, undefined, {signal}).catch(() => {});
				if (stateOf(path) === state) return signal.aborted ? undefined : state;
			}
			return undefined;
		},
		close() {
			signal.removeEventListener('abort', onAbort);
			watcher.close();
		},
	};
}

function openWatcher(path: string, onEvent: (type: string, name: string | null) => void) {
	try {
		return watch(dirname(path), onEvent);
	} catch (cause) {
		throw cannotWatch(path, cause);
	}
}

function cannotWatch(path: string, cause: unknown): ChatError {
	const {message} = cause as Error;
	return new ChatError('input', `cannot watch ${dirname(path)}: ${message}`, {cause});
}
