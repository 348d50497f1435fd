/** Tells images whose end is missing, as that of a download that broke off. */
import {Buffer} from 'node:buffer';
import type {ImageType} from '../media-type.ts';

/** A GIF has no length, and decoders need no end of it. */
const checks: Readonly<Record<ImageType, (bytes: Buffer) => boolean>> = {
	'image/png': (bytes) => !bytes.includes('IEND'),
	'image/jpeg': isJpegCut,
	'image/gif': () => false,
	// The last byte may be missing padding.
	'image/webp': (bytes) => bytes.length >= 12 && bytes.readUInt32LE(4) + 8 > bytes.length + 1,
};

/** False if that is not sure. */
export function isCutOff(bytes: Uint8Array, type: ImageType): boolean {
	return checks[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
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
