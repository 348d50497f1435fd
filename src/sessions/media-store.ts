/** Images, PDFs and recordings as files of their own, beside the session, named by their hash. */
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {MediaPart} from '../chat/message.ts';
import {readDataUrl} from '../data-url.ts';
import {replaceFile} from '../files/private-files.ts';
import type {StoredPart} from './session-record.ts';

export interface MediaStore {
	/**
	 * Stores the bytes of a part. What is not in the part itself, such as a web address, stays.
	 *
	 * @throws the system's error when a file cannot be written
	 */
	storePart(part: MediaPart): StoredPart;
}

/**
 * Creates the folder with its first file.
 *
 * @param createName returns a name that no other run uses
 */
export function createMediaStore(folder: string, createName: () => string): MediaStore {
	const store = (base64: string): string | undefined => {
		const bytes = Buffer.from(base64, 'base64');
		// Base64 that decoding and encoding would change stays as it is.
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
