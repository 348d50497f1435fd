/** Loads a text file that is sent with the prompt. */
import type {Notice} from '../chat/event.ts';
import {mebibyte} from '../wording.ts';
import {decodeText} from './decode-text.ts';
import {type FileSource, readFileBytes} from './read-bytes.ts';

export type TextFile = {
	/** The path as the user gave it. */
	readonly name: string;
	readonly text: string;
};

export type LoadedFile = TextFile & {readonly notices: readonly Notice[]};

const maxBytes = 64 * mebibyte;

/**
 * Reads a regular file, or a FIFO, as UTF-8 text.
 *
 * @throws {ChatError} `data` when it is not text, else as `readFileBytes` does
 */
export async function loadTextFile(path: string, source: FileSource): Promise<LoadedFile> {
	const bytes = await readFileBytes(path, maxBytes, source);
	return {name: path, ...decodeText(bytes, path)};
}
