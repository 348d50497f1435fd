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
import type {Desktop} from '../processes/desktop.ts';
import {formatSize, mebibyte, quoteWord} from '../wording.ts';

/** Called with the name of what is read after three seconds of silence, at most once. */
type OnWaiting = ((name: string) => void) | undefined;

/** The limit of a file that is sent, and of standard input. */
export const maxFileBytes = 64 * mebibyte;

export type StdinOptions = {
	readonly signal?: AbortSignal;
	readonly onWaiting?: OnWaiting;
	/** Default `maxFileBytes`. */
	readonly maxBytes?: number | undefined;
};

/**
 * @throws {ChatError} `data` for more than `maxBytes`, `input` when reading fails; when `signal`
 * aborts, its reason. In each case the stream is destroyed.
 */
export function readStdin(input: InputStream, options: StdinOptions): Promise<Uint8Array> {
	const {signal, onWaiting, maxBytes = maxFileBytes} = options;
	return readAll(input.read(), {name: 'stdin', maxBytes, signal, onWaiting});
}

export type FileSource = {
	/** The folder that a relative path starts from, absolute. */
	readonly cwd: string;
	readonly signal?: AbortSignal;
	/** Whether a FIFO is read as well, to its end; `<(command)` of a shell is one. Default true. */
	readonly isPipeAllowed?: boolean;
	readonly onWaiting?: OnWaiting;
	/** Where `clipboard:` is read. */
	readonly desktop?: Desktop;
};

/**
 * @throws {ChatError} as `checkFile` does; `input` when the file is not readable; `data` when it is
 * larger than `maxBytes`; when `signal` aborts, its reason
 */
export async function readFileBytes(
	path: string,
	maxBytes: number,
	{cwd, signal, isPipeAllowed = true, onWaiting}: FileSource,
): Promise<Uint8Array> {
	const stats = checkFile(path, cwd, isPipeAllowed);
	if (stats.size > maxBytes) throw tooLarge(path, maxBytes);
	const stream = createReadStream(resolve(cwd, path), {highWaterMark: 262_144});
	return await readAll(stream, {name: path, maxBytes, signal, onWaiting});
}

/** More than any key or list of certificates has. */
const maxNamedBytes = 16 * mebibyte;

/**
 * Makes a reader of small UTF-8 texts that settings name: files, pipes or devices.
 *
 * @param cwd the folder that relative paths start from, absolute
 */
export function createTextReader(cwd: string, signal?: AbortSignal, onWaiting?: OnWaiting) {
	return async (path: string, name: string, hint?: Hint): Promise<string> => {
		const limits = {name, maxBytes: maxNamedBytes, signal, onWaiting, hint};
		const bytes = await readAll(createReadStream(resolve(cwd, path)), limits);
		return Buffer.from(bytes).toString('utf8');
	};
}

type Limits = {
	/** The name of the stream in messages. */
	readonly name: string;
	readonly maxBytes: number;
	readonly signal: AbortSignal | undefined;
	readonly onWaiting: OnWaiting;
	/** The next step if reading fails. */
	readonly hint?: Hint | undefined;
};

const silenceMs = 3000;

async function readAll(
	stream: Readable,
	{name, maxBytes, signal = new AbortController().signal, onWaiting, hint}: Limits,
): Promise<Uint8Array> {
	let hasFired = false;
	const timer = setTimeout(() => {
		hasFired = true;
		onWaiting?.(name);
	}, silenceMs);
	const collect = async () => {
		const chunks: Uint8Array[] = [];
		let length = 0;
		for await (const piece of stream) {
			const chunk: Uint8Array = typeof piece === 'string' ? Buffer.from(piece) : piece;
			// Restarting would arm a timer that has fired.
			if (!hasFired) timer.refresh();
			length += chunk.length;
			if (length > maxBytes) throw tooLarge(name, maxBytes);
			chunks.push(chunk);
		}
		return Buffer.concat(chunks, length);
	};
	const collectNamed = () =>
		collect().catch((error: unknown) => {
			throw error instanceof ChatError ? error : unreadable(name, error, hint);
		});
	// After an abort nobody else listens.
	stream.on('error', () => {});
	return await untilAborted(collectNamed, signal, () => stream.destroy()).finally(() =>
		clearTimeout(timer),
	);
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
		repl: `${purpose}: /file ${path}`,
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
