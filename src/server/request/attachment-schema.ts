/**
 * Message parts other than text. Images are addresses or `data:` URLs; files and recordings come as
 * base64. The bytes must match the named type.
 */
import * as v from 'valibot';
import {type Fail, optional, read} from '../../check-json.ts';
import {readImageSize} from '../../image-size.ts';
import {detectMedia, type MediaType} from '../../media-type.ts';
import type {Attachment} from './request.ts';

const imageTypes = v.picklist(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

const dataUrlPattern = /^data:([^;,]*);base64,/i;

export const imagePart = v.pipe(
	v.object({
		type: v.literal('image_url'),
		image_url: v.object({
			url: v.pipe(v.string(), read(readImage)),
			detail: optional(v.picklist(['auto', 'low', 'high'])),
		}),
	}),
	v.transform(({type, image_url: {url}}) => ({type, part: url})),
);

/** Reads an address, or a `data:` URL. */
export function readImage(url: string, fail: Fail): Attachment {
	if (!/^data:/i.test(url.slice(0, 5))) {
		const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
		if (!isWeb) fail('must be an http(s) or a data: URL');
		return {kind: 'image', description: url.slice(0, 500)};
	}
	const [head, mediaType = ''] = dataUrlPattern.exec(url.slice(0, 200).toLowerCase()) ?? [];
	if (head === undefined || !v.is(imageTypes, mediaType)) {
		return fail(
			`must begin with data:<type>;base64, where <type> is one of ${imageTypes.options.join(', ')}`,
		);
	}
	const bytes = decodeBase64(url.slice(head.length), mediaType, fail);
	const name = mediaType.slice('image/'.length).toUpperCase();
	return {kind: 'image', description: `${name}, ${describeSize(bytes, mediaType)}`, bytes};
}

function describeSize(bytes: Buffer, type: string): string {
	const [width, height] = readImageSize(bytes, type) ?? [];
	return width === undefined ? 'unknown size' : `${width} x ${height} pixels`;
}

export const fileFields = {
	filename: optional(v.string()),
	file_data: optional(v.string()),
	file_id: optional(v.string()),
};

type GivenFile = v.InferOutput<v.ObjectSchema<typeof fileFields, undefined>> & {
	readonly file_url?: string | undefined;
};

export const filePart = v.pipe(
	v.object({type: v.literal('file'), file: v.pipe(v.object(fileFields), read(readFile))}),
	v.transform(({type, file: part}) => ({type, part})),
);

export function readFile(given: GivenFile, fail: Fail): Attachment {
	const {filename, file_data: data, file_id: id, file_url: url} = given;
	if (data === undefined) {
		const named = id === undefined ? url : `id ${id}`;
		return {
			kind: 'file',
			description: named?.slice(0, 500) ?? fail('needs file_data or file_id'),
		};
	}
	const [head = '', type = ''] = dataUrlPattern.exec(data.slice(0, 200)) ?? [];
	const checked = type === 'application/pdf' ? type : undefined;
	const bytes = decodeBase64(data.slice(head.length), checked, fail, 'file_data');
	const name = filename?.slice(0, 200) ?? 'unnamed';
	return {kind: 'file', description: type === '' ? name : `${name}, ${type}`, bytes};
}

const audio = v.object({data: v.string(), format: v.picklist(['wav', 'mp3'])});

export const audioPart = v.pipe(
	v.object({type: v.literal('input_audio'), input_audio: v.pipe(audio, read(readAudio))}),
	v.transform(({type, input_audio: part}) => ({type, part})),
);

function readAudio({data, format}: v.InferOutput<typeof audio>, fail: Fail): Attachment {
	const bytes = decodeBase64(data, format === 'wav' ? 'audio/wav' : 'audio/mpeg', fail, 'data');
	return {kind: 'audio', description: `${format.toUpperCase()} audio`, bytes};
}

/**
 * Compares lengths instead of matching a pattern, which overflows at tens of megabytes.
 *
 * @param named required type; undefined: any
 */
function decodeBase64(
	text: string,
	named: MediaType | undefined,
	fail: Fail,
	key?: string,
): Buffer {
	const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
	const isUrlSafe = text.includes('-') || text.includes('_');
	const bytes = Buffer.from(text, 'base64');
	const isWhole = text !== '' && bytes.length === (text.length / 4) * 3 - padding;
	if (!isWhole || isUrlSafe) fail('is not valid base64', key);
	const actual = detectMedia(bytes);
	if (named === undefined || actual === named) return bytes;
	return fail(`says ${named}, but its bytes are ${actual ?? 'of no known type'}`, key);
}
