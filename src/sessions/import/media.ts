/** Images and other media in foreign files, as attachments. */
import type {MediaPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import {readDataUrl, writeDataUrl} from '../../data-url.ts';
import {detectImage, detectMedia} from '../../media-type.ts';
import type {FindFile} from './foreign.ts';

export type MediaAttachment = Exclude<Attachment, {readonly type: 'file'}>;

/**
 * @param omitted gets a word if there is no part
 * @param what that word
 */
export function attach(
	part: MediaPart | undefined,
	name: string,
	omitted: string[],
	what = 'attachment',
): readonly MediaAttachment[] {
	if (part !== undefined) return [{type: part.type, name: name === '' ? part.type : name, part}];
	omitted.push(what);
	return [];
}

const webAddress = /^https?:\/\//i;

/**
 * Returns undefined for anything but an image, and for an image in a place only its author can
 * read.
 */
export function readImageUrl(url: string): MediaPart | undefined {
	if (webAddress.test(url)) return {type: 'image', url};
	const data = readDataUrl(url);
	return data && detectImage(headOf(data.base64)) ? {type: 'image', url} : undefined;
}

/** Returns the part for a PDF, as a `data:` URL or in base64. */
export function readDocument(data: string, name: string): MediaPart | undefined {
	const known = readDataUrl(data);
	const base64 = known?.base64 ?? data;
	if (detectMedia(headOf(base64)) !== 'application/pdf') return undefined;
	const url = known === undefined ? writeDataUrl({mime: 'application/pdf', base64}) : data;
	return {type: 'document', name: name || 'document.pdf', url};
}

/** Returns the part for a recording in base64. */
export function readAudio(data: string): MediaPart | undefined {
	const type = detectMedia(headOf(data));
	if (type === 'audio/wav') return {type: 'audio', format: 'wav', data};
	return type === 'audio/mpeg' ? {type: 'audio', format: 'mp3', data} : undefined;
}

/** Returns the part for a file the export names by its name's beginning. */
export function readImageFile(start: string, findFile: FindFile): MediaPart | undefined {
	const bytes = findFile(start);
	const type = bytes && detectImage(bytes);
	if (bytes === undefined || type === undefined) return undefined;
	const base64 = Buffer.from(bytes).toString('base64');
	return {type: 'image', url: writeDataUrl({mime: type, base64})};
}

/** Returns as many bytes as recognising a file takes. */
function headOf(base64: string): Uint8Array {
	return Buffer.from(base64.slice(0, 64), 'base64');
}
