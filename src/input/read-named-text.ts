/** Small text files that a setting names: keys and certificates. */
import {createReadStream} from 'node:fs';
import {resolve} from 'node:path';
import {collectBytes} from './collect-bytes.ts';

/** More than any key or list of certificates has; a device may never end. */
const maxBytes = 16 * 1_048_576;

/**
 * A file or pipe to its end, as UTF-8.
 *
 * @param signal ends the wait for a pipe
 * @throws {ChatError} `input` when it cannot be read, `data` when it is too large; when `signal`
 * aborts, its reason
 */
export async function readNamedText(
	path: string,
	cwd: string,
	signal: AbortSignal = new AbortController().signal,
): Promise<string> {
	const stream = createReadStream(resolve(cwd, path));
	return Buffer.from(await collectBytes(stream, {name: path, maxBytes, signal})).toString('utf8');
}
