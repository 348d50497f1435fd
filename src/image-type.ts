export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** Latin-1: one character is one byte. */
const beginnings: ReadonlyArray<readonly [ImageType, RegExp]> = [
	['image/png', /^\x89PNG\r\n/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF.{4}WEBP/s],
];

/** Returns the type that the first bytes of an image show; undefined for anything else. */
export function detectImage(bytes: Uint8Array): ImageType | undefined {
	const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	return beginnings.find(([, beginning]) => beginning.test(head))?.[0];
}
