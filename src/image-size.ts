/** Reads the size of an image from its header. */
import {Buffer} from 'node:buffer';
import {readDataUrl} from './data-url.ts';
import {formatSize} from './wording.ts';

/** Returns width and height in pixels; undefined for a broken header or another type. */
export function readImageSize(
	bytes: Buffer,
	mime: string,
): readonly [width: number, height: number] | undefined {
	try {
		const [width, height] = readSize(bytes, mime);
		return width && height ? [width, height] : undefined;
	} catch {
		// The header is cut.
		return undefined;
	}
}

/** Returns `1280×720 84 KiB` for a `data:` URL; undefined if the size is not known. */
export function describeImageSize(url: string): string | undefined {
	const data = readDataUrl(url);
	if (data === undefined) return undefined;
	const bytes = Buffer.from(data.base64, 'base64');
	const size = readImageSize(bytes, data.mime);
	return size && `${size.join('×')} ${formatSize(bytes.length)}`;
}

function readSize(bytes: Buffer, mime: string): readonly number[] {
	if (mime === 'image/png') return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
	if (mime === 'image/gif') return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
	if (mime === 'image/jpeg') return readFrameSize(bytes);
	if (mime !== 'image/webp') return [];
	const format = bytes.toString('latin1', 12, 16);
	if (format === 'VP8X') return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
	const isLossless = format === 'VP8L';
	const sides = bytes.readUInt32LE(isLossless ? 21 : 26);
	if (isLossless) return [(sides & 0x3fff) + 1, ((sides >>> 14) & 0x3fff) + 1];
	return [sides & 0x3fff, (sides >>> 16) & 0x3fff];
}

/** A JPEG's frame comes after segments, each with its length; few precede it. */
function readFrameSize(bytes: Buffer): readonly number[] {
	let at = 2;
	for (let count = 0; count < 100 && at + 9 <= bytes.length; count += 1) {
		const marker = bytes.readUInt16BE(at);
		const isFrame = marker >= 0xffc0 && marker <= 0xffc2;
		if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
		at += 2 + bytes.readUInt16BE(at + 2);
	}
	return [];
}
