/** Images, PDFs and recordings as files of their own, each once, named by their hash. */
import {createHash} from 'node:crypto';
import {utimesSync} from 'node:fs';
import type {MediaPart} from '../chat/message.ts';
import {replaceFile} from '../files/private-files.ts';
import {blobPath} from './session-files.ts';
import type {StoredPart} from './session-record.ts';

export interface BlobStore {
	/**
	 * Stores the bytes of a part. What is not in the part itself, such as a web address, stays.
	 *
	 * @throws the system's error when a file cannot be written
	 */
	storePart(part: MediaPart): StoredPart;
	/**
	 * Touches what was stored since the last call, now that a record names it: a run that deletes has
	 * either seen the record, or sees the new time.
	 *
	 * @throws the system's error when a file cannot be written
	 */
	keepStored(): void;
}

const dataUrl = /^data:([^,;]+);base64,/;

/**
 * @param writer a name that no other process uses
 * @param now milliseconds since 1970
 */
export function createBlobStore(directory: string, writer: string, now: () => number): BlobStore {
	let stored: Array<() => void> = [];
	const touch = (path: string, bytes: Buffer) => {
		const time = new Date(now());
		try {
			utimesSync(path, time, time);
		} catch {
			// A file with the final name is always whole.
			replaceFile(path, bytes, writer);
		}
	};
	const store = (base64: string): string | undefined => {
		const bytes = Buffer.from(base64, 'base64');
		// Base64 that decoding and encoding would change stays as it is.
		if (bytes.toString('base64') !== base64) return undefined;
		const blob = `sha256-${createHash('sha256').update(bytes).digest('hex')}`;
		const path = blobPath(directory, blob);
		touch(path, bytes);
		stored.push(() => touch(path, bytes));
		return blob;
	};
	const storePart = (part: MediaPart): StoredPart => {
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
	return {
		storePart,
		keepStored() {
			for (const keep of stored) keep();
			stored = [];
		},
	};
}
