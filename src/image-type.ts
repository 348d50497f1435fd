/** Reads the type and the size of an image from its first bytes. Never throws. */

export type ImageInfo = {
	readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
	/** In pixels; `width` and `height` are 0 if the header is incomplete or odd. */
	readonly width: number;
	readonly height: number;
};

type Size = {readonly width: number; readonly height: number};

type ImageFormat = {
	readonly mediaType: ImageInfo['mediaType'];
	/** The bytes that must be there, by offset. */
	readonly magic: ReadonlyArray<readonly [offset: number, bytes: string]>;
	readonly readSize: (view: DataView) => Size | undefined;
};

const unknownSize: Size = {width: 0, height: 0};

/** In Latin-1, so that one character is one byte. */
const imageFormats: readonly ImageFormat[] = [
	{mediaType: 'image/png', magic: [[0, '\x89PNG\r\n\x1a\n']], readSize: readPngSize},
	{mediaType: 'image/jpeg', magic: [[0, '\xff\xd8\xff']], readSize: readJpegSize},
	{mediaType: 'image/gif', magic: [[0, 'GIF87a']], readSize: readGifSize},
	{mediaType: 'image/gif', magic: [[0, 'GIF89a']], readSize: readGifSize},
	{
		mediaType: 'image/webp',
		magic: [
			[0, 'RIFF'],
			[8, 'WEBP'],
		],
		readSize: readWebpSize,
	},
];

/** Returns undefined unless `bytes` start with an image of one of the four types. */
export function detectImage(bytes: Uint8Array): ImageInfo | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const format = imageFormats.find(({magic}) =>
		magic.every(([offset, expected]) => hasBytes(view, offset, expected)),
	);
	if (format === undefined) return undefined;
	const size = format.readSize(view) ?? unknownSize;
	const {width, height} = size.width > 0 && size.height > 0 ? size : unknownSize;
	return {mediaType: format.mediaType, width, height};
}

function hasBytes(view: DataView, offset: number, expected: string): boolean {
	if (offset + expected.length > view.byteLength) return false;
	for (let index = 0; index < expected.length; index++) {
		if (view.getUint8(offset + index) !== expected.charCodeAt(index)) return false;
	}
	return true;
}

/** https://www.w3.org/TR/png-3/#11IHDR */
function readPngSize(view: DataView): Size | undefined {
	if (view.byteLength < 24 || !hasBytes(view, 12, 'IHDR')) return undefined;
	const [width, height] = [view.getUint32(16), view.getUint32(20)];
	const largest = 0x7fff_ffff;
	return width <= largest && height <= largest ? {width, height} : undefined;
}

/** The logical screen of https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
function readGifSize(view: DataView): Size | undefined {
	if (view.byteLength < 10) return undefined;
	return {width: view.getUint16(6, true), height: view.getUint16(8, true)};
}

/**
 * Walks the marker segments of https://www.w3.org/Graphics/JPEG/itu-t81.pdf up to the frame header.
 * Each round moves forward, so the walk ends with the bytes; an embedded thumbnail lies inside a
 * segment and is stepped over.
 */
function readJpegSize(view: DataView): Size | undefined {
	let offset = 2;
	while (offset + 9 <= view.byteLength) {
		if (view.getUint8(offset) !== 0xff) return undefined;
		const marker = view.getUint8(offset + 1);
		if (marker === 0xff) {
			offset += 1; // A fill byte.
		} else if (isFrameHeader(marker)) {
			return {height: view.getUint16(offset + 5), width: view.getUint16(offset + 7)};
		} else {
			const length = view.getUint16(offset + 2);
			if (length < 2 || endsHeader(marker)) return undefined;
			offset += 2 + length;
		}
	}
	return undefined;
}

/** SOF0 to SOF15, whose range also holds DHT, JPG and DAC. */
function isFrameHeader(marker: number): boolean {
	return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** EOI and SOS: no frame header comes after them. */
function endsHeader(marker: number): boolean {
	return marker === 0xd9 || marker === 0xda;
}

/**
 * By the name of the first chunk, see
 * https://developers.google.com/speed/webp/docs/riff_container
 */
const webpChunks: ReadonlyArray<{
	readonly fourCc: string;
	readonly minBytes: number;
	readonly readSize: ImageFormat['readSize'];
}> = [
	{fourCc: 'VP8 ', minBytes: 30, readSize: readLossyWebpSize},
	{fourCc: 'VP8L', minBytes: 25, readSize: readLosslessWebpSize},
	{fourCc: 'VP8X', minBytes: 30, readSize: readExtendedWebpSize},
];

function readWebpSize(view: DataView): Size | undefined {
	const chunk = webpChunks.find(({fourCc}) => hasBytes(view, 12, fourCc));
	if (chunk === undefined || view.byteLength < chunk.minBytes) return undefined;
	return chunk.readSize(view);
}

/** The key frame header of RFC 6386 §9.1; the two upper bits of each side are a scale. */
function readLossyWebpSize(view: DataView): Size | undefined {
	if (!hasBytes(view, 23, '\x9d\x01\x2a')) return undefined;
	return {width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff};
}

/** Two 14-bit numbers, each one less than the side. */
function readLosslessWebpSize(view: DataView): Size | undefined {
	if (view.getUint8(20) !== 0x2f) return undefined;
	const bits = view.getUint32(21, true);
	return {width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1};
}

/** Two 24-bit numbers, each one less than the side. */
function readExtendedWebpSize(view: DataView): Size | undefined {
	const read24 = (offset: number) =>
		view.getUint16(offset, true) + view.getUint8(offset + 2) * 65536;
	return {width: read24(24) + 1, height: read24(27) + 1};
}
