/** A file that only grows, a whole line at a time. */
import {closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';
import {makeFolders} from '../files/private-files.ts';

/** Every method throws the system's error. */
export interface AppendFile {
	/** @param line with its end */
	append(line: string): void;
	/** Resolves when the lines are on the disk. */
	sync(): void;
	close(): void;
}

/** Creates the file, and the folders above it. */
export function createAppendFile(path: string): AppendFile {
	makeFolders(dirname(path));
	return appendTo(openSync(path, 'ax', 0o600), '');
}

/** Goes on with a file, whose last line may lack its end: another run may have been killed. */
export function openAppendFile(path: string): AppendFile {
	const fd = openSync(path, 'a+', 0o600);
	const {size} = fstatSync(fd);
	const last = Buffer.alloc(1);
	if (size > 0) readSync(fd, last, 0, 1, size - 1);
	return appendTo(fd, size === 0 || last[0] === 0x0a ? '' : '\n');
}

/** @param before text before the first line */
function appendTo(fd: number, before: string): AppendFile {
	let start = before;
	return {
		append(line) {
			// Without a name, nobody could read it again.
			if (fstatSync(fd).nlink === 0) throw new Error('its file was deleted');
			// One write a record, so that those of two runs do not mix.
			const bytes = Buffer.from(start + line);
			start = '';
			for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
		},
		sync: () => fdatasyncSync(fd),
		close: () => closeSync(fd),
	};
}
