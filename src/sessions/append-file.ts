/** A file growing by whole lines only. */
import {
	closeSync,
	constants,
	fdatasyncSync,
	fstatSync,
	futimesSync,
	openSync,
	readSync,
	writeSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {makeFolders} from '../files/private-files.ts';

/** Every method throws the system's error. */
export interface AppendFile {
	/** Milliseconds since 1970. */
	readonly created: number;
	/** @param line with its end */
	append(line: string): void;
	/** Keeps the file's time, which dates the session's last use. */
	amend(line: string): void;
	/** Resolves when the lines are on the disk. */
	sync(): void;
	close(): void;
}

/** Another run has deleted the file. */
export class FileDeletedError extends Error {}

/** Creates the file, and the folders above it. */
export function createAppendFile(path: string): AppendFile {
	makeFolders(dirname(path));
	return appendTo(openSync(path, 'ax+', 0o600), path, '');
}

/**
 * Continues a file whose last line may lack its end: another run may have been killed.
 *
 * @param flags 0 if the file must exist: one deleted meanwhile would lack its beginning
 */
export function openAppendFile(path: string, flags: 0 | typeof constants.O_CREAT = 0): AppendFile {
	const fd = openForAppending(path, flags);
	const {size} = fstatSync(fd);
	const last = Buffer.alloc(1);
	if (size > 0) readSync(fd, last, 0, 1, size - 1);
	return appendTo(fd, path, size === 0 || last[0] === 0x0a ? '' : '\n');
}

const maxHeader = 65_536;

function openForAppending(path: string, flags: number): number {
	try {
		return openSync(path, constants.O_RDWR | constants.O_APPEND | flags, 0o600);
	} catch (cause) {
		const isGone = flags === 0 && (cause as NodeJS.ErrnoException).code === 'ENOENT';
		throw isGone ? new FileDeletedError('its file was deleted', {cause}) : cause;
	}
}

/**
 * Returns the mark of a run finding the session deleted, without having written the others' turns.
 */
function restoredOf(fd: number): string | undefined {
	const start = Buffer.alloc(maxHeader);
	const length = readSync(fd, start, 0, maxHeader, 0);
	return /^.*"restored":([\d.]+)/.exec(start.toString('utf8', 0, length))?.[1];
}

/** @param before text before the first line */
function appendTo(opened: number, path: string, before: string): AppendFile {
	let fd = opened;
	let start = before;
	/** Another run may have replaced the file, or deleted it. */
	const follow = () => {
		if (fstatSync(fd).nlink > 0) return;
		const [old, next] = [fd, openForAppending(path, 0)];
		fd = next;
		const isSame = restoredOf(old) === restoredOf(next);
		closeSync(old);
		if (!isSame) throw new FileDeletedError('its file was deleted');
	};
	/** Writes a record in one call, so records from two runs do not mix. */
	const write = (line: string) => {
		const bytes = Buffer.from(start + line);
		start = '';
		for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
		return bytes.length;
	};
	return {
		created: fstatSync(opened).birthtimeMs,
		append(line) {
			follow();
			write(line);
		},
		amend(line) {
			follow();
			const {size, atime, mtime} = fstatSync(fd);
			const length = write(line);
			// A record written by another run counts as use.
			if (fstatSync(fd).size === size + length) futimesSync(fd, atime, mtime);
		},
		sync: () => fdatasyncSync(fd),
		close: () => closeSync(fd),
	};
}
