/** Restores images, PDFs and recordings from their references. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {MediaPart, ToolOutputPart} from '../chat/message.ts';
import type {Attachment} from '../chat/prompt.ts';
import {writeDataUrl} from '../data-url.ts';
import {directoryOf, mediaFolder, oldBlobsFolder} from './session-path.ts';
import type {RecordOf, StoredPart} from './session-record.ts';

export type MediaReader = {
	/** Returns nothing if its bytes are gone. */
	readAttachment(stored: RecordOf<'user'>['attachments'][number]): readonly Attachment[];
	readParts(stored: StoredToolParts): readonly ToolOutputPart[];
	/** How many so far are gone. */
	missing(): number;
};

type StoredToolParts = Extract<
	RecordOf<'answer'>['messages'][number],
	{readonly role: 'tool'}
>['parts'];

/** @param path the session's; undefined if nothing lies beside it */
export function createMediaReader(path: string | undefined): MediaReader {
	const folders = path === undefined ? [] : [mediaFolder(path), oldBlobsFolder(directoryOf(path))];
	let missing = 0;
	/** A prompt sent again has the same attachments. */
	const loaded = new Map<string, string>();
	const load = (blob: string): string | undefined => {
		const known = loaded.get(blob);
		if (known !== undefined) return known;
		for (const folder of folders) {
			try {
				const data = readFileSync(join(folder, blob)).toString('base64');
				loaded.set(blob, data);
				return data;
			} catch {
				// Try the next folder.
			}
		}
		missing += 1;
		return undefined;
	};
	const readMedia = (part: StoredPart): MediaPart | undefined => {
		if (!('blob' in part)) return part;
		const data = load(part.blob);
		if (data === undefined) return undefined;
		if (part.type === 'audio') return {type: 'audio', format: part.format, data};
		const url = writeDataUrl({mime: part.mime, base64: data});
		return part.type === 'image' ? {type: 'image', url} : {type: 'document', name: part.name, url};
	};
	return {
		readAttachment(stored) {
			if (stored.type === 'file') return [stored];
			const part = readMedia(stored.part);
			return part === undefined ? [] : [{type: part.type, name: stored.name, part}];
		},
		readParts: (stored) =>
			stored.flatMap((part): readonly ToolOutputPart[] => {
				if (part.type !== 'image') return [part];
				const image = readMedia(part);
				return image?.type === 'image' ? [image] : [];
			}),
		missing: () => missing,
	};
}
