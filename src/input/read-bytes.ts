/**
 * Reads standard input and files to their end, within a limit. The result is everything or an error:
 * there is no time-out, and nothing that came is dropped.
 */
import {createReadStream, type Stats, statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Readable} from 'node:stream';
import {untilAborted} from '../abort.ts';
import type {InputStream} from '../environment.ts';
import {ChatError} from '../errors.ts';
import type {Hint} from '../hint.ts';
import {formatSize, mebibyte, quoteWord} from '../wording.ts';

type Limits = {
	/** The name of the stream in messages. */
	readonly name: string;
	readonly maxBytes: number;
	readonly signal: AbortSignal;
	readonly onData?: () => void;
	/** The next step if reading fails. */
	readonly hint?: Hint | undefined;
};

export type StdinOptions = {
	readonly signal?: AbortSignal;
	/** Called after three seconds of silence, at most once. */
	readonly onWaiting?: (() => void) | undefined;
	/** Default 64 MiB. */
	readonly maxBytes?: number | undefined;
};

/**
 * @throws {ChatError} `data` for more than `maxBytes`, `input` when reading fails; when `signal`
 * aborts, its reason. In each case the stream is destroyed.
 */
export function readStdin(input: InputStream, options: StdinOptions): Promise<Uint8Array> {
	const {signal = neverAborted(), onWaiting, maxBytes = 64 * mebibyte} = options;
	return announceSilence(onWaiting, (onData) =>
		collectBytes(input.read(), {name: 'stdin', maxBytes, signal, onData}),
	);
}

export type FileSource = {
	/** The folder that a relative path starts from, absolute. */
	readonly cwd: string;
	readonly signal?: AbortSignal;
	/** Whether a FIFO is read as well, to its end; `<(command)` of a shell is one. Default true. */
	readonly isPipeAllowed?: boolean;
	/** Called with the path after three seconds of silence, at most once. */
	readonly onWaiting?: ((path: string) => void) | undefined;
};

/**
 * @throws {ChatError} as `checkFile` does; `input` when the file is not readable; `data` when it is
 * larger than `maxBytes`; when `signal` aborts, its reason
 */
export async function readFileBytes(
	path: string,
	maxBytes: number,
	{cwd, signal = neverAborted(), isPipeAllowed = true, onWaiting}: FileSource,
): Promise<Uint8Array> {
	const stats = checkFile(path, cwd, isPipeAllowed);
	if (stats.size > maxBytes) throw tooLarge(path, maxBytes);
	return await announceSilence(
		() => onWaiting?.(path),
		(onData) => {
			const stream = createReadStream(resolve(cwd, path), {highWaterMark: 262_144});
			return collectBytes(stream, {name: path, maxBytes, signal, onData});
		},
	);
}

function neverAborted(): AbortSignal {
	return new AbortController().signal;
}

/** More than any key or list of certificates has. */
const maxNamedBytes = 16 * mebibyte;

/**
 * Makes a reader of small UTF-8 texts that settings name: files, pipes or devices.
 *
 * @param cwd the folder that relative paths start from, absolute
 * @param onWaiting called with the name after three seconds of silence, at most once for a text
 */
export function createTextReader(
	cwd: string,
	signal = neverAborted(),
	onWaiting?: (name: string) => void,
) {
	return async (path: string, name: string, hint?: Hint): Promise<string> => {
		const bytes = await announceSilence(
			() => onWaiting?.(name),
			(onData) => {
				const stream = createReadStream(resolve(cwd, path));
				return collectBytes(stream, {name, maxBytes: maxNamedBytes, signal, hint, onData});
			},
		);
		return Buffer.from(bytes).toString('utf8');
	};
}

const silenceMs = 3000;

/** Calls `onWaiting` at most once, when neither data nor the end of `work` comes for a while. */
async function announceSilence<Result>(
	onWaiting: (() => void) | undefined,
	work: (onData: () => void) => Promise<Result>,
): Promise<Result> {
	let hasFired = false;
	const timer = setTimeout(() => {
		hasFired = true;
		onWaiting?.();
	}, silenceMs);
	const onData = () => {
		// This would arm a timer that has fired.
		if (!hasFired) timer.refresh();
	};
	return await work(onData).finally(() => clearTimeout(timer));
}

function collectBytes(stream: Readable, limits: Limits): Promise<Uint8Array> {
	// After an abort nobody else listens.
	stream.on('error', () => {});
	return untilAborted(
		() => collect(stream, limits),
		limits.signal,
		() => stream.destroy(),
	);
}

async function collect(
	stream: Readable,
	{name, maxBytes, onData, hint}: Limits,
): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for await (const piece of stream) {
			const chunk: Uint8Array = typeof piece === 'string' ? Buffer.from(piece) : piece;
			onData?.();
			length += chunk.length;
			if (length > maxBytes) throw tooLarge(name, maxBytes);
			chunks.push(chunk);
		}
	} catch (error) {
		throw error instanceof ChatError ? error : unreadable(name, error, hint);
	}
	return Buffer.concat(chunks, length);
}

/**
 * Checks the kind of a file before it is opened: a pipe or a device could block or never end.
 *
 * @throws {ChatError} `usage` for an empty name; `input` when the file is missing; `data` when its
 * kind is not allowed
 */
export function checkFile(path: string, cwd: string, isPipeAllowed: boolean): Stats {
	if (path === '') throw new ChatError('usage', 'a file name is empty');
	const stats = readStats(path, cwd);
	const kind = kindOf(stats);
	if (kind === 'a regular file' || (kind === 'a pipe' && isPipeAllowed)) return stats;
	throw new ChatError('data', `${path} is ${kind}, not a file`, {hint: 'Name a regular file.'});
}

function readStats(path: string, cwd: string): Stats {
	try {
		return statSync(resolve(cwd, path));
	} catch (cause) {
		const {code} = cause as NodeJS.ErrnoException;
		if (code !== 'ENOENT' && code !== 'ENOTDIR') throw unreadable(path, cause);
		throw new ChatError('input', `no such file: ${path}`, {hint: pathHint, code, cause});
	}
}

export const pathHint = 'Check the path; a relative one starts from the current directory.';

/** @param path of a file, a folder or a pattern that can be sent */
export function sendHint(purpose: string, path: string): Hint {
	return {
		line: `${purpose}: chat -f ${quoteWord(path)} "your question"`,
		session: `${purpose}: /file ${path}`,
	};
}

function kindOf(stats: Stats): string {
	if (stats.isFile()) return 'a regular file';
	if (stats.isFIFO()) return 'a pipe';
	if (stats.isDirectory()) return 'a directory';
	return stats.isSocket() ? 'a socket' : 'a device';
}

export function tooLarge(name: string, maxBytes: number): ChatError {
	return new ChatError('data', `${name} is larger than the ${formatSize(maxBytes)} limit`);
}

const reasonOfCode: Readonly<Record<string, string>> = {
	ENOENT: 'no such file',
	EISDIR: 'it is a directory',
	EACCES: 'permission denied',
	EPERM: 'operation not permitted',
	ELOOP: 'too many symbolic links',
	ENAMETOOLONG: 'the file name is too long',
	EIO: 'input/output error',
};

/** An error of a file that exists, with the reason of the system. */
export function unreadable(name: string, cause: unknown, hint?: Hint): ChatError {
	const {code = 'unknown error'} = cause as NodeJS.ErrnoException;
	const message = `cannot read ${name}: ${reasonOfCode[code] ?? code}`;
	return new ChatError('input', message, {hint, code, cause});
}
