/**
 * Loads an image as a part of a message. Its bytes alone decide its type. http URLs are not fetched:
 * the service does that.
 */
import type {Notice} from '../chat/event.ts';
import type {ImagePart} from '../chat/message.ts';
import {ChatError} from '../errors.ts';
import {detectImage, type ImageType} from '../image-type.ts';
import {detectFileKind} from './file-kind.ts';
import {type FileSource, readFileBytes, tooLarge} from './read-bytes.ts';

export type LoadedImage = {readonly part: ImagePart; readonly notices: readonly Notice[]};

const mebibyte = 1_048_576;
const maxBytes = 20 * mebibyte;
/** Some services refuse or shrink larger images. */
const largeBytes = 4 * mebibyte;

const supportedTypes = 'png, jpeg, gif and webp are supported';

/**
 * @param source an http(s) URL, a `data:` URL or the path of a regular file
 * @throws {ChatError} `usage` for a URL with a user name or a password; `input` for a file that is
 * missing or not readable; `data` for anything else that is not an image of at most 20 MiB
 */
export async function loadImage(source: string, from: FileSource): Promise<LoadedImage> {
	if (/^https?:/i.test(source)) return {part: imageFromUrl(source), notices: []};
	const [head] = /^data:[^,]*,/i.exec(source) ?? [];
	if (head !== undefined) {
		return imageFromBytes(Buffer.from(source.slice(head.length), 'base64'), 'the data: URL');
	}
	const bytes = await readFileBytes(source, maxBytes, {...from, isPipeAllowed: false});
	return imageFromBytes(bytes, source);
}

/** @throws {ChatError} `data` when the bytes are not an image, or more than 20 MiB */
export function imageFromBytes(bytes: Uint8Array, name: string): LoadedImage {
	const mediaType = checkedImage(bytes, name);
	const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
	return {
		part: {type: 'image', url: `data:${mediaType};base64,${base64}`},
		notices: bytes.length > largeBytes ? [describeSize(bytes, name)] : [],
	};
}

function imageFromUrl(source: string): ImagePart {
	if (!/^https?:\/\/\S+$/i.test(source) || !URL.canParse(source)) {
		throw new ChatError('data', 'the image URL is not valid', {
			hint: {code: 'whole-image-url'},
		});
	}
	const {username, password, host} = new URL(source);
	if (username !== '' || password !== '') {
		throw new ChatError('usage', `the image URL for ${host} contains a user name or a password`, {
			hint: {code: 'download-image'},
		});
	}
	return {type: 'image', url: source};
}

function checkedImage(bytes: Uint8Array, name: string): ImageType {
	if (bytes.length === 0) {
		throw new ChatError('data', `${name} is empty`, {hint: {code: 'name-image'}});
	}
	if (bytes.length > maxBytes) throw tooLarge(name, maxBytes);
	const image = detectImage(bytes);
	if (image !== undefined) return image;
	const {name: kind, hint} = detectFileKind(bytes) ?? {
		name: 'not an image',
		hint: {code: 'send-as-file'} as const,
	};
	throw new ChatError('data', `${name} is ${kind}: ${supportedTypes}`, {hint});
}

function describeSize({length}: Uint8Array, name: string): Notice {
	const size = (length / mebibyte).toFixed(1);
	const message = `${name} is large (${size} MiB); many services refuse images over 4 MiB`;
	return {code: 'image-large', message};
}
