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

/** Ends a line that another run could not finish. */
export function openAppendFile(path: string): AppendFile {
	makeFolders(dirname(path));
	const fd = openSync(path, 'a+', 0o600);
	const {size} = fstatSync(fd);
	const last = Buffer.alloc(1);
	if (size > 0) readSync(fd, last, 0, 1, size - 1);
	let start = size === 0 || last[0] === 0x0a ? '' : '\n';
	return {
		append(line) {
			// One write a record, so that those of two runs do not mix.
			const bytes = Buffer.from(start + line);
			start = '';
			for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
		},
		sync: () => fdatasyncSync(fd),
		close: () => closeSync(fd),
	};
}
