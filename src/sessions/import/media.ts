/** Images and other media of foreign files, as attachments. */
import type {MediaPart} from '../../chat/message.ts';
import type {Attachment} from '../../chat/prompt.ts';
import {detectImage, detectMedia} from '../../media-type.ts';
import type {FindFile} from './foreign.ts';

type MediaAttachment = Exclude<Attachment, {readonly type: 'file'}>;

export function attach(part: MediaPart, name: string): MediaAttachment {
	return {type: part.type, name: name === '' ? part.type : name, part};
}

const dataUrl = /^data:([\w.+/-]+);base64,/;
const webAddress = /^https?:\/\//i;

/** Returns undefined for what is not an image, or is in a place that only its author can read. */
export function readImageUrl(url: string): MediaPart | undefined {
	if (webAddress.test(url)) return {type: 'image', url};
	const data = readDataUrl(url);
	return data !== undefined && detectImage(data) !== undefined ? {type: 'image', url} : undefined;
}

/** Returns the part for a PDF, as a `data:` URL or in base64. */
export function readDocument(data: string, name: string): MediaPart | undefined {
	const url = dataUrl.test(data) ? data : `data:application/pdf;base64,${data}`;
	const bytes = readDataUrl(url);
	if (bytes === undefined || detectMedia(bytes) !== 'application/pdf') return undefined;
	return {type: 'document', name: name || 'document.pdf', url};
}

/** Returns the part for a recording in base64. */
export function readAudio(data: string): MediaPart | undefined {
	const type = detectMedia(Buffer.from(data.slice(0, headLength), 'base64'));
	if (type === 'audio/wav') return {type: 'audio', format: 'wav', data};
	return type === 'audio/mpeg' ? {type: 'audio', format: 'mp3', data} : undefined;
}

/** Returns the part for a file that the export names by the beginning of its name. */
export function readImageFile(start: string, findFile: FindFile): MediaPart | undefined {
	const bytes = findFile(start);
	const type = bytes && detectImage(bytes);
	if (bytes === undefined || type === undefined) return undefined;
	return {type: 'image', url: `data:${type};base64,${Buffer.from(bytes).toString('base64')}`};
}

/** Enough to recognise a file. */
const headLength = 64;

/** Returns its first bytes. */
function readDataUrl(url: string): Uint8Array | undefined {
	const [prefix] = dataUrl.exec(url.slice(0, headLength)) ?? [];
	if (prefix === undefined) return undefined;
	return Buffer.from(url.slice(prefix.length, prefix.length + headLength), 'base64');
}
