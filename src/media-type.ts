/** The media that a request can carry besides text, recognised by their first bytes. */

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
export type AudioType = 'audio/wav' | 'audio/mpeg';
export type MediaType = ImageType | AudioType | 'application/pdf';

/** Latin-1: one character is one byte. */
const images: ReadonlyArray<readonly [ImageType, RegExp]> = [
	['image/png', /^\x89PNG\r\n/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF.{4}WEBP/s],
];

const others: ReadonlyArray<readonly [MediaType, RegExp]> = [
	['application/pdf', /^%PDF-/],
	['audio/wav', /^RIFF.{4}WAVE/s],
	// A tag with its version, or the first frame.
	['audio/mpeg', /^(?:ID3[^ -~]|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/],
];

/** Returns undefined for anything else. */
export function detectMedia(bytes: Uint8Array): MediaType | undefined {
	return detect([...images, ...others], bytes);
}

/** Whether services accept images of the type. */
export function isImageType(mime: string): mime is ImageType {
	return images.some(([type]) => type === mime);
}

/** Returns the type that the first bytes of an image show; undefined for anything else. */
export function detectImage(bytes: Uint8Array): ImageType | undefined {
	return detect(images, bytes);
}

function detect<Type>(
	types: ReadonlyArray<readonly [Type, RegExp]>,
	bytes: Uint8Array,
): Type | undefined {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	return types.find(([, beginning]) => beginning.test(head))?.[0];
}
