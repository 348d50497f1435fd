/** Recognizes unsupported file types by their first bytes. */
import type {Hint} from '../hint.ts';
import {detectMedia} from '../media-type.ts';

export type FileKind = {
	/** The name with its article: `a PDF`. */
	readonly name: string;
	/** How to send it. */
	readonly hint: Hint;
	readonly isArchive?: true;
};

const partHint: Hint = {
	line: 'Send it with -f, or with /file in a session.',
	repl: 'Attach it with /file.',
};
const imageHint = 'Convert it to PNG or JPEG first.';
const audioHint = 'Convert it to MP3 or WAV first: ffmpeg -i audio-file audio.mp3';

/** Patterns for Latin-1, in which one character is one byte. The first match counts. */
const kinds: ReadonlyArray<FileKind & {readonly beginning: RegExp}> = [
	{beginning: /^.{4}ftyp(hei[cx]|hevc|mif1|msf1)/s, name: 'a HEIC image', hint: imageHint},
	{beginning: /^.{4}ftypavi[fs]/s, name: 'an AVIF image', hint: imageHint},
	{beginning: /^(II\*|MM.\*)/s, name: 'a TIFF image', hint: imageHint},
	{beginning: /^BM.{4}\0{4}/s, name: 'a BMP image', hint: imageHint},
	{beginning: /^(OggS|fLaC|\xff[\xf1\xf9]|.{4}ftypM4A)/s, name: 'an audio file', hint: audioHint},
	{
		beginning: /^(.{4}ftyp|.E\xdf\xa3|RIFF.{4}AVI )/s,
		name: 'a video',
		hint: 'Send a still image of it.',
	},
	{
		beginning: /^PK/,
		name: 'a ZIP archive (or an office document)',
		hint: 'Send the text of its files.',
		isArchive: true,
	},
	{beginning: /^.\x8b/s, name: 'gzip data', hint: 'Unpack it first: gunzip -k file.gz'},
	{
		// After a declaration, a comment or a document type, but not in a web page.
		beginning: /^(?:\xef\xbb\xbf)?\s*<(?:svg\b|(?:\?xml\b|!--|!DOCTYPE svg\b).*<svg\b)/s,
		name: 'an SVG image',
		hint: 'Convert it to PNG first, or send its source as a text file.',
	},
];

/** An SVG may have comments before its root. */
const headBytes = 1024;

/** Returns undefined for every other kind. */
export function detectFileKind(bytes: Uint8Array): FileKind | undefined {
	const media = detectMedia(bytes);
	if (media === 'application/pdf') return {name: 'a PDF', hint: partHint};
	if (media?.startsWith('audio/')) return {name: 'an audio file', hint: partHint};
	if (media !== undefined) return {name: 'an image', hint: partHint};
	const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1');
	return kinds.find(({beginning}) => beginning.test(head));
}
