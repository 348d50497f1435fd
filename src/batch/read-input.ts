/** The lines of a batch's input. Memory does not grow with their number. */
import {ChatError} from '../errors.ts';
import {readLines} from '../sessions/read-lines.ts';

export type InputLine = {
	/** Counted from 1, blank lines included. */
	readonly number: number;
	/** Never blank. */
	readonly text: string;
};

/**
 * @param name of the file, for messages
 * @throws {ChatError} `data` for bytes that are not UTF-8; the system's error for an unreadable file
 */
export function* readInputLines(path: string, name: string): Generator<InputLine, void, undefined> {
	const utf8 = new TextDecoder('utf-8', {fatal: true});
	let number = 0;
	for (const bytes of readLines(path)) {
		number += 1;
		const text = decode(utf8, bytes, `${name} line ${number}`).replace(/\r$/, '');
		if (text.trim() !== '') yield {number, text};
	}
}

/** Drops a byte order mark. */
function decode(utf8: TextDecoder, bytes: Buffer, name: string): string {
	try {
		return utf8.decode(bytes);
	} catch {
		throw new ChatError('data', `${name} is not UTF-8 text`);
	}
}
