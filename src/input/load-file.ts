/** Loads a text file that is sent with the prompt. */
import type {Notice} from '../chat/event.ts';
import {ChatError} from '../errors.ts';
import {detectImage} from '../image-type.ts';
import {decodeText} from './decode-text.ts';
import {readFileBytes} from './read-bytes.ts';
import {flagWords, type SendWords} from './send-words.ts';

export type TextFile = {
	/** The path as the user gave it. */
	readonly name: string;
	readonly text: string;
};

export type LoadedFile = TextFile & {readonly notices: readonly Notice[]};

const maxBytes = 64 * 1_048_576;

export type FileSource = {
	/** The folder that a relative path starts from, absolute. */
	readonly cwd: string;
	readonly signal?: AbortSignal;
	readonly sendWords?: SendWords;
	/** Whether a FIFO is read as well, to its end. Default true. */
	readonly isPipeAllowed?: boolean;
	/** Called with the path after three seconds of silence, at most once. */
	readonly onWaiting?: ((path: string) => void) | undefined;
};

/**
 * Reads a regular file, or a FIFO, as UTF-8 text.
 *
 * @throws {ChatError} `input` when it is missing or not readable; `data` when it is not text, not a
 * file, or larger than 64 MiB
 */
export async function loadTextFile(
	path: string,
	{
		cwd,
		signal = new AbortController().signal,
		sendWords = flagWords,
		isPipeAllowed = true,
		onWaiting,
	}: FileSource,
): Promise<LoadedFile> {
	const bytes = await readFileBytes(path, {cwd, maxBytes, isPipeAllowed, signal, onWaiting});
	if (detectImage(bytes) !== undefined) {
		throw new ChatError('data', `${path} is an image, not text`, {
			hint: `Send it with ${sendWords.image}.`,
		});
	}
	return {name: path, ...decodeText(bytes, path)};
}
