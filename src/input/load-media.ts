/**
 * Loads an image, a PDF or a recording as a part of a message. Its bytes alone decide its type. http
 * URLs are not fetched: the service does that.
 */
import {basename} from 'node:path';
import type {Notice} from '../chat/event.ts';
import type {ImagePart, MediaPart} from '../chat/message.ts';
import type {Attachment} from '../chat/prompt.ts';
import {writeDataUrl} from '../data-url.ts';
import {ChatError} from '../errors.ts';
import type {Hint} from '../hint.ts';
import {detectImage, detectMedia, type ImageType, type MediaType} from '../media-type.ts';
import type {Desktop} from '../processes/desktop.ts';
import {formatSize, mebibyte} from '../wording.ts';
import {detectFileKind} from './file-kind.ts';
import {type FileSource, readFileBytes, tooLarge} from './read-bytes.ts';

export type LoadedAttachments = {
	readonly attachments: readonly Attachment[];
	readonly notices: readonly Notice[];
};

/** The types that may be sent: those of images, or of PDFs and recordings too. */
export type Accepted = 'image' | 'media';

const maxBytesOf = {image: 20 * mebibyte, media: 32 * mebibyte};
/** Some services refuse or shrink larger images. */
const largeBytes = 4 * mebibyte;

const supportedTypes = {
	image: 'png, jpeg, gif and webp are supported',
	media: 'pdf, wav, mp3, png, jpeg, gif and webp are supported',
};

/**
 * @param source an http(s) URL of an image, a `data:` URL, `clipboard:` or the path of a regular file
 * @throws {ChatError} `usage` for a URL with a user name or a password; `input` for a file that is
 * missing or not readable; `data` for anything else that is not accepted, or too large: 20 MiB for an
 * image, 32 MiB for others
 */
export async function loadMedia(
	source: string,
	accepted: Accepted,
	from: FileSource,
): Promise<LoadedAttachments> {
	if (/^clipboard:$/i.test(source) && from.desktop !== undefined) {
		const loaded = await loadClipboard(from.desktop);
		if ('attachments' in loaded) return loaded;
		throw new ChatError('data', 'the clipboard has a text, not an image', {
			hint: {line: 'To send the text, paste it.', repl: 'Ctrl-V pastes the text.'},
		});
	}
	if (/^https?:/i.test(source)) return toAttachment(source, imageFromUrl(source));
	const [head] = /^data:[^,]*,/i.exec(source) ?? [];
	if (head !== undefined) {
		const bytes = Buffer.from(source.slice(head.length), 'base64');
		return mediaFromBytes(bytes, source, accepted, 'the data: URL');
	}
	const options = {...from, isPipeAllowed: false};
	const bytes = await readFileBytes(source, maxBytesOf[accepted], options);
	return mediaFromBytes(bytes, source, accepted);
}

/**
 * Loads the image in the clipboard, or its text without one.
 *
 * @throws {ChatError} as `readClipboard` and `mediaFromBytes` do
 */
export async function loadClipboard(
	desktop: Desktop,
): Promise<LoadedAttachments | {readonly text: string}> {
	const {readClipboard} = await import('../processes/read-clipboard.ts');
	const content = await readClipboard(desktop);
	if (content.type === 'text') return content;
	const {createHash} = await import('node:crypto');
	const {bytes} = content;
	// Attachments of one name replace each other.
	const name = `clipboard-${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}.png`;
	return mediaFromBytes(bytes, name, 'image', 'the image in the clipboard');
}

/**
 * @param label the name in messages
 * @throws {ChatError} `data` when the bytes are not of an accepted type, or too many
 */
export function mediaFromBytes(
	bytes: Uint8Array,
	name: string,
	accepted: Accepted,
	label = name,
): LoadedAttachments {
	const mediaType = checkedType(bytes, label, accepted);
	const imageType = detectImage(bytes);
	const isImage = imageType !== undefined;
	const maxBytes = maxBytesOf[isImage ? 'image' : 'media'];
	if (bytes.length > maxBytes) throw tooLarge(label, maxBytes);
	if (isImage && isCutOff(bytes, imageType)) {
		throw new ChatError('data', `${label} is a broken image: its end is missing`, {
			hint: 'Copy or download it again.',
		});
	}
	const isLarge = isImage && bytes.length > largeBytes;
	const notices = isLarge ? [describeLargeImage(bytes, label)] : [];
	return toAttachment(name, partOf(mediaType, bytes, name), notices);
}

function toAttachment(
	name: string,
	part: MediaPart,
	notices: readonly Notice[] = [],
): LoadedAttachments {
	return {attachments: [{type: part.type, name, part}], notices};
}

function partOf(mediaType: MediaType, bytes: Uint8Array, name: string): MediaPart {
	const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
	const url = writeDataUrl({mime: mediaType, base64: data});
	switch (mediaType) {
		case 'application/pdf':
			return {type: 'document', name: documentName(name), url};
		case 'audio/wav':
			return {type: 'audio', format: 'wav', data};
		case 'audio/mpeg':
			return {type: 'audio', format: 'mp3', data};
		default:
			return {type: 'image', url};
	}
}

function documentName(source: string): string {
	const base = /^data:/i.test(source) ? 'document' : basename(source);
	return `${base.replace(/\.pdf$/i, '')}.pdf`;
}

export const downloadHint =
	'Download it first (curl -O URL), or pipe its text in: curl -s URL | chat "your question"';

function imageFromUrl(source: string): ImagePart {
	if (!/^https?:\/\/\S+$/i.test(source) || !URL.canParse(source)) {
		throw new ChatError('data', 'the image URL is not valid', {
			hint: 'Write it in full, as in https://example.com/photo.png',
		});
	}
	const {username, password, host, pathname} = new URL(source);
	if (username !== '' || password !== '') {
		throw new ChatError('usage', `the image URL for ${host} contains a user name or a password`, {
			hint: 'The service would see them. Download the image and send the file.',
		});
	}
	const [, type] = /\.(pdf|wav|mp3)$/i.exec(pathname) ?? [];
	if (type === undefined) return {type: 'image', url: source};
	throw new ChatError(
		'data',
		`a service fetches images, not a ${type.toUpperCase()} from ${host}`,
		{
			hint: downloadHint,
		},
	);
}

function checkedType(bytes: Uint8Array, name: string, accepted: Accepted): MediaType {
	if (bytes.length === 0) {
		throw new ChatError('data', `${name} is empty`, {
			hint: `Name another file; ${supportedTypes[accepted]}.`,
		});
	}
	const mediaType = detectMedia(bytes);
	if (mediaType?.startsWith('image/')) return mediaType;
	if (mediaType !== undefined && accepted === 'media') return mediaType;
	const {name: kind, hint} = detectFileKind(bytes) ?? {
		name: accepted === 'image' ? 'not an image' : 'not a PDF, a recording or an image',
		hint: textHint,
	};
	throw new ChatError('data', `${name} is ${kind}: ${supportedTypes[accepted]}`, {hint});
}

const textHint: Hint = {
	line: 'To send a text file use -f, or /file in a session.',
	repl: 'Attach a text file with /file.',
};

function describeLargeImage({length}: Uint8Array, name: string): Notice {
	const message = `${name} is large (${formatSize(length)}); many services refuse images over 4 MiB`;
	return {code: 'image-large', message};
}

/** A GIF has no length, and decoders need no end of it. */
const isCut: Readonly<Record<ImageType, (bytes: Buffer) => boolean>> = {
	'image/png': (bytes) => !bytes.includes('IEND'),
	'image/jpeg': isJpegCut,
	'image/gif': () => false,
	// The last byte may be missing padding.
	'image/webp': (bytes) => bytes.length >= 12 && bytes.readUInt32LE(4) + 8 > bytes.length + 1,
};

/** False if that is not sure. */
function isCutOff(bytes: Uint8Array, type: ImageType): boolean {
	return isCut[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** Looks for the end after the headers, because a preview in them has an end of its own. */
function isJpegCut(bytes: Buffer): boolean {
	let place = 2;
	while (place + 4 <= bytes.length) {
		const [mark, kind] = bytes.subarray(place);
		if (mark !== 0xff) return false;
		if (kind === 0xda) return !bytes.includes(Buffer.from([0xff, 0xd9]), place);
		// Filling, and markers without a length.
		if (kind === 0xff) place += 1;
		else if (kind === undefined || kind < 0xc0 || (kind >= 0xd0 && kind <= 0xd9)) return false;
		else place += 2 + bytes.readUInt16BE(place + 2);
	}
	return true;
}
