/**
 * A named file, to its end. What kind of file it is, is asked before it is opened, so a pipe or a
 * device that must not be read can neither block nor run on for ever.
 */
import type {Stats} from 'node:fs';
import {constants} from 'node:fs';
import {resolve} from 'node:path';
import {ChatError} from '../errors.ts';
import {
	type CollectLimits,
	collectBytes,
	tooLarge,
	unreadable,
	untilAborted,
} from './collect-bytes.ts';
import {createSilenceTimer, waitingAfterMs} from './silence-timer.ts';

export type FileOptions = {
	/** What a relative path starts from, absolute. */
	readonly cwd: string;
	readonly maxBytes: number;
	/** Whether a FIFO is read as well, to its end; `<(command)` of a shell is one. */
	readonly isPipeAllowed: boolean;
	readonly signal: AbortSignal;
	/** Called with the path when nothing comes for three seconds, at most once. */
	readonly onWaiting?: ((path: string) => void) | undefined;
};

type FileKind = 'a regular file' | 'a pipe' | 'a directory' | 'a socket' | 'a device';

/**
 * @throws {ChatError} `usage` for a name that is empty; `input` when the file is missing or not
 * readable; `data` when it is of a kind that is not read, or larger than `maxBytes`; when `signal`
 * aborts, its reason.
 */
export function readFileBytes(path: string, options: FileOptions): Promise<Uint8Array> {
	if (path === '') {
		const failure = new ChatError('usage', 'the name of a file is empty');
		return Promise.reject(failure);
	}
	const timer = createSilenceTimer(waitingAfterMs, () => options.onWaiting?.(path));
	const limits = {
		name: path,
		maxBytes: options.maxBytes,
		signal: options.signal,
		onData: timer.restart,
	};
	return untilAborted(() => read(path, options, limits), options.signal).finally(timer.stop);
}

async function read(
	path: string,
	options: FileOptions,
	limits: CollectLimits,
): Promise<Uint8Array> {
	// A run without files does not need it, and it loads a good deal of Node.
	const {open, stat} = await import('node:fs/promises');
	const location = resolve(options.cwd, path);
	const kind = checkedKind(path, await stat(location).catch(fileFailure(path)), options);
	// A regular file may have been replaced by a FIFO by now; opening must not wait for its writer.
	const flags = kind === 'a pipe' ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK;
	const file = await open(location, flags).catch(fileFailure(path));
	try {
		const stats = await file.stat();
		checkedKind(path, stats, options);
		if (stats.size > options.maxBytes) throw tooLarge(path, options.maxBytes);
		return await collectBytes(file.createReadStream({highWaterMark: 262_144}), limits);
	} finally {
		await file.close();
	}
}

function checkedKind(path: string, stats: Stats, options: FileOptions): FileKind {
	const kind = kindOf(stats);
	const isAllowed = kind === 'a regular file' || (kind === 'a pipe' && options.isPipeAllowed);
	if (isAllowed) return kind;
	throw new ChatError('data', `${path} is ${kind}, not a file`, {
		hint: options.isPipeAllowed
			? 'Name a regular file, or pipe its content in.'
			: 'Name a regular file.',
	});
}

function kindOf(stats: Stats): FileKind {
	if (stats.isFile()) return 'a regular file';
	if (stats.isFIFO()) return 'a pipe';
	if (stats.isDirectory()) return 'a directory';
	return stats.isSocket() ? 'a socket' : 'a device';
}

function fileFailure(path: string): (cause: NodeJS.ErrnoException) => never {
	return (cause) => {
		if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw unreadable(path, cause);
		throw new ChatError('input', `no such file: ${path}`, {
			hint: 'Check the path; a relative one starts from the current directory.',
			code: cause.code,
			cause,
		});
	};
}
