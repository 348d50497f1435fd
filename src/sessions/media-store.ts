/** Images, PDFs and recordings in their own files beside the session, named by hash. */
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {MediaPart} from '../chat/message.ts';
import {readDataUrl} from '../data-url.ts';
import {replaceFile} from '../files/private-files.ts';
import type {StoredPart} from './session-record.ts';

export interface MediaStore {
	/**
	 * Stores a part's bytes. Anything outside the part itself, such as a web address, stays.
	 *
	 * @throws the system's error when a file cannot be written
	 */
	storePart(part: MediaPart): StoredPart;
}

/**
 * Creates the folder with its first file.
 *
 * @param createName returns a name unused by other runs
 */
export function createMediaStore(folder: string, createName: () => string): MediaStore {
	const store = (base64: string): string | undefined => {
		const bytes = Buffer.from(base64, 'base64');
		// Base64 changed by decoding and encoding stays as it is.
		if (bytes.toString('base64') !== base64) return undefined;
		const blob = `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
		const path = join(folder, blob);
		// A file with the final name is always whole.
		if (!existsSync(path)) replaceFile(path, bytes, createName());
		return blob;
	};
	return {
		storePart(part) {
			if (part.type === 'audio') {
				const {data, ...rest} = part;
				const blob = store(data);
				return blob === undefined ? part : {...rest, blob};
			}
			const {url, ...rest} = part;
			const data = readDataUrl(url);
			const blob = data && store(data.base64);
			return data === undefined || blob === undefined ? part : {...rest, blob, mime: data.mime};
		},
	};
}
