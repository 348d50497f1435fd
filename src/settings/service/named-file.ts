/**
 * A file that a setting names. It may be a pipe that nothing comes through, so a run that listens
 * for signals says itself how it is read.
 */
import {ChatError} from '../../errors.ts';

/**
 * Reads a file to its end, as UTF-8.
 *
 * @throws {ChatError} `input` when it is not readable, with the system's error as its cause; any
 * other kind for another reason to stop
 */
export type ReadText = (path: string) => Promise<string>;

/**
 * @param what is in the file, for messages: `the certificates in ca.pem`
 * @throws {ChatError} `input` when it cannot be read; what else `readText` throws
 */
export async function readNamedFile(
	path: string,
	what: string,
	readText: ReadText,
	hint?: string,
): Promise<string> {
	try {
		return await readText(path);
	} catch (error) {
		if (error instanceof ChatError && error.kind === 'input')
			throw unreadable(what, error.cause, hint);
		throw error;
	}
}

/** @param cause the system's error */
function unreadable(what: string, cause: unknown, hint: string | undefined): ChatError {
	const {code} = cause as NodeJS.ErrnoException;
	return new ChatError('input', `cannot read ${what} (${code})`, {hint, cause});
}
