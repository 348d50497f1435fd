/** Names what a file is that cannot be sent in the way that was asked for, by its first bytes. */
import type {Hint} from '../hint.ts';
import {detectMedia} from '../media-type.ts';

export type FileKind = {
	/** With its article: `a PDF`. */
	readonly name: string;
	/** How to send it. */
	readonly hint: Hint;
};

const asPart: Hint = {code: 'send-as-part'};
const toImage: Hint = {code: 'convert-image'};
const toAudio: Hint = {code: 'convert-audio'};

/** Patterns for Latin-1, in which one character is one byte. The first match counts. */
const kinds: ReadonlyArray<FileKind & {readonly beginning: RegExp}> = [
	{beginning: /^.{4}ftyp(hei[cx]|hevc|mif1|msf1)/s, name: 'a HEIC image', hint: toImage},
	{beginning: /^.{4}ftypavi[fs]/s, name: 'an AVIF image', hint: toImage},
	{beginning: /^(II\*|MM.\*)/s, name: 'a TIFF image', hint: toImage},
	{beginning: /^BM.{4}\0{4}/s, name: 'a BMP image', hint: toImage},
	{beginning: /^(OggS|fLaC|\xff[\xf1\xf9]|.{4}ftypM4A)/s, name: 'an audio file', hint: toAudio},
	{
		beginning: /^(.{4}ftyp|.E\xdf\xa3|RIFF.{4}AVI )/s,
		name: 'a video',
		hint: {code: 'still-image'},
	},
	{
		beginning: /^PK/,
		name: 'a ZIP archive (or an office document)',
		hint: {code: 'unpack-archive'},
	},
	{beginning: /^.\x8b/s, name: 'gzip data', hint: {code: 'unpack-gzip'}},
	{
		// After a declaration, a comment or a document type, but not in a web page.
		beginning: /^(?:\xef\xbb\xbf)?\s*<(?:svg\b|(?:\?xml\b|!--|!DOCTYPE svg\b).*<svg\b)/s,
		name: 'an SVG image',
		hint: {code: 'convert-drawing'},
	},
];

/** An SVG may have comments before its root. */
const headBytes = 1024;

/** Returns undefined for every other kind. */
export function detectFileKind(bytes: Uint8Array): FileKind | undefined {
	const media = detectMedia(bytes);
	if (media === 'application/pdf') return {name: 'a PDF', hint: asPart};
	if (media?.startsWith('audio/')) return {name: 'an audio file', hint: asPart};
	if (media !== undefined) return {name: 'an image', hint: asPart};
	const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1');
	return kinds.find(({beginning}) => beginning.test(head));
}
