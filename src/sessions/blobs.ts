/** Images, PDFs and recordings as files of their own, each once, named by their hash. */
import {createHash} from 'node:crypto';
import {utimesSync} from 'node:fs';
import type {MediaPart} from '../chat/message.ts';
import {replaceFile} from '../files/private-files.ts';
import {blobPath} from './session-files.ts';
import type {StoredPart} from './session-record.ts';

/** Stores the bytes of a part. What is not in the part itself, such as a web address, stays. */
export type StorePart = (part: MediaPart) => StoredPart;

const dataUrl = /^data:([^,;]+);base64,/;

/**
 * @param writer a name that no other process uses
 * @param now milliseconds since 1970
 * @returns a function that throws the system's error when a file cannot be written
 */
export function createBlobStore(directory: string, writer: string, now: () => number): StorePart {
	const store = (base64: string): string | undefined => {
		const bytes = Buffer.from(base64, 'base64');
		// Only what comes back exactly.
		if (bytes.toString('base64') !== base64) return undefined;
		const blob = `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
		const path = blobPath(directory, blob);
		const time = new Date(now());
		try {
			// A blob that was stored lately is never deleted as one that no session has.
			utimesSync(path, time, time);
		} catch {
			// A file with the final name is always whole.
			replaceFile(path, bytes, writer);
		}
		return blob;
	};
	return (part) => {
		if (part.type === 'audio') {
			const {data, ...rest} = part;
			const blob = store(data);
			return blob === undefined ? part : {...rest, blob};
		}
		const {url, ...rest} = part;
		const [prefix = '', mime] = dataUrl.exec(url) ?? [];
		const blob = mime === undefined ? undefined : store(url.slice(prefix.length));
		return mime === undefined || blob === undefined ? part : {...rest, blob, mime};
	};
}
