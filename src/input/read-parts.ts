/** Reads files of any length part by part, with constant memory. */
import {createReadStream} from 'node:fs';
import {resolve} from 'node:path';
import {detectMedia} from '../media-type.ts';
import type {Desktop} from '../processes/desktop.ts';
import {readPdfText} from '../processes/read-pdf.ts';
import {decodeText, encodingOf, isText} from './load-text.ts';
import {checkFile, maxFileBytes, readFileBytes, unreadable} from './read-bytes.ts';

const partBytes = 1024 * 1024;

/**
 * Yields the text of a file, or of a PDF where `pdftotext` is installed.
 *
 * @throws {ChatError} as `readFileBytes` and `decodeText` do
 */
export async function* readTextParts(
	path: string,
	desktop: Desktop,
): AsyncGenerator<string, void, undefined> {
	const {cwd} = desktop;
	checkFile(path, cwd, true);
	const stream = createReadStream(resolve(cwd, path), {highWaterMark: partBytes});
	let decoder: TextDecoder | undefined;
	try {
		for await (const bytes of stream) {
			if (decoder === undefined) {
				if (detectMedia(bytes) === 'application/pdf') {
					stream.destroy();
					yield await readPdfText(await readFileBytes(path, maxFileBytes, {cwd}), path, desktop);
					return;
				}
				// Binary data fails here.
				if (!isText(bytes)) decodeText(bytes, path);
				decoder = new TextDecoder(encodingOf(bytes));
			}
			yield decoder.decode(bytes, {stream: true});
		}
	} catch (error) {
		if (error instanceof Error && 'syscall' in error) throw unreadable(path, error);
		throw error;
	}
}
