/**
 * Checks an image part: an http(s) address, or a `data:` URL whose bytes are what it says.
 */
import {detectImage} from '../../image-type.ts';
import {invalidRequest} from '../service-error.ts';
import {
	type Check,
	checkObject,
	checkString,
	checkWord,
	readField,
	requireField,
} from './checks.ts';
import type {RequestImage} from './request.ts';

const dataUrlPattern = /^data:([^;,]*);base64,/i;
const mediaTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The value of `image_url`, an object with a `url`. */
export const checkImage: Check<RequestImage> = (value, path) => {
	const image = checkObject(value, path);
	readField(image, 'detail', path, checkWord(['auto', 'low', 'high']));
	return requireField(image, 'url', path, checkUrl);
};

const checkUrl: Check<RequestImage> = (value, path) => {
	const url = checkString(value, path);
	if (/^data:/i.test(url.slice(0, 5))) return readDataUrl(url, path);
	if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return {url};
	throw invalidRequest(path, `${path} must be an http(s) or a data: URL`, 'invalid_image_url');
};

function readDataUrl(url: string, path: string): RequestImage {
	const head = dataUrlPattern.exec(url.slice(0, 200));
	const mediaType = head?.[1]?.toLowerCase() ?? '';
	if (head === null || !mediaTypes.includes(mediaType)) {
		const message = `${path} must begin with data:<type>;base64, where <type> is one of ${mediaTypes.join(', ')}`;
		throw invalidRequest(path, message, 'invalid_image_url');
	}
	const bytes = decodeBase64(url.slice(head[0].length));
	if (bytes === undefined) {
		throw invalidRequest(path, `${path} holds no valid base64`, 'invalid_base64');
	}
	const info = detectImage(bytes);
	if (info?.mediaType !== mediaType) {
		const actual = info?.mediaType ?? 'no image of a known kind';
		const message = `${path} says ${mediaType}, but its bytes are ${actual}`;
		throw invalidRequest(path, message, 'invalid_image');
	}
	return {url: head[0], data: {bytes, info}};
}

/** Compares lengths instead of matching a pattern, which overflows on tens of megabytes. */
function decodeBase64(text: string): Uint8Array | undefined {
	if (text.length === 0 || text.length % 4 !== 0) return undefined;
	if (text.includes('-') || text.includes('_')) return undefined;
	const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
	const bytes = Buffer.from(text, 'base64');
	return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
}
