/** Detects files that cannot be sent, neither as text nor as an image, by their first bytes. */
import type {Hint} from '../hint.ts';

export type FileKind = {
	/** With its article: `a PDF`. */
	readonly name: string;
	/** How to convert it. */
	readonly hint: Hint;
};

const toImage: Hint = {code: 'convert-image'};
const toText: Hint = {code: 'transcribe-audio'};

const pdf = /^%PDF-/;

/** Patterns for Latin-1, in which one character is one byte. The first match counts. */
const kinds: ReadonlyArray<FileKind & {readonly beginning: RegExp}> = [
	{beginning: pdf, name: 'a PDF', hint: {code: 'extract-pdf'}},
	{beginning: /^.{4}ftyp(hei[cx]|hevc|mif1|msf1)/s, name: 'a HEIC image', hint: toImage},
	{beginning: /^.{4}ftypavi[fs]/s, name: 'an AVIF image', hint: toImage},
	{beginning: /^(II\*|MM.\*)/s, name: 'a TIFF image', hint: toImage},
	{beginning: /^(ID3|OggS|fLaC|\xff[\xf2\xf3\xfb])/, name: 'an audio file', hint: toText},
	{beginning: /^(.{4}ftypM4A|.{8}WAVE)/s, name: 'an audio file', hint: toText},
	{beginning: /^.{4}ftyp/s, name: 'a video', hint: {code: 'still-image'}},
	{
		beginning: /^PK/,
		name: 'a ZIP archive (or an office document)',
		hint: {code: 'unpack-archive'},
	},
	{beginning: /^.\x8b/s, name: 'gzip data', hint: {code: 'unpack-gzip'}},
	{beginning: /^<svg/, name: 'an SVG image', hint: {code: 'convert-drawing'}},
];

/** Returns undefined for every other kind. */
export function detectFileKind(bytes: Uint8Array): FileKind | undefined {
	const head = readHead(bytes);
	return kinds.find(({beginning}) => beginning.test(head));
}

/** A PDF may have no NUL bytes, and be valid UTF-8 up to its first image. */
export function isPdf(bytes: Uint8Array): boolean {
	return pdf.test(readHead(bytes));
}

function readHead(bytes: Uint8Array): string {
	return Buffer.from(bytes.subarray(0, 16)).toString('latin1');
}
