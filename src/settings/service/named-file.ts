/**
 * Reads a file that a setting names. It may be a pipe that nothing comes through, so a run that
 * listens for signals passes its own way to read it.
 */
import {ChatError} from '../../errors.ts';

/**
 * Reads a file to its end, as UTF-8.
 *
 * @throws {ChatError} `input` when it is not readable, with the system's error as its cause
 */
export type ReadText = (path: string) => Promise<string>;

/**
 * @param content for messages: `the certificates in ca.pem`
 * @throws {ChatError} `input` when it cannot be read; anything else `readText` throws
 */
export async function readNamedFile(
	path: string,
	content: string,
	readText: ReadText,
	hint?: string,
): Promise<string> {
	try {
		return await readText(path);
	} catch (error) {
		if (!(error instanceof ChatError && error.kind === 'input')) throw error;
		const {cause} = error;
		const {code} = cause as NodeJS.ErrnoException;
		throw new ChatError('input', `cannot read ${content} (${code})`, {hint, cause});
	}
}
