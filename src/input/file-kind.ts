/** Detects files that cannot be sent, neither as text nor as an image, by their first bytes. */

export type FileKind = {
	/** With its article: `a PDF`. */
	readonly name: string;
	/** How to convert it, as one sentence. */
	readonly hint: string;
};

type Mark = FileKind & {
	/** The place of the texts, in bytes. */
	readonly offset: number;
	/** As Latin-1: one character is one byte. */
	readonly texts: readonly string[];
};

const pdf: FileKind = {
	name: 'a PDF',
	hint: 'Send its text instead: pdftotext file.pdf file.txt',
};
const audio: FileKind = {
	name: 'an audio file',
	hint: 'Transcribe it first: only text and images can be sent.',
};
const toImage = {hint: 'Convert it to PNG or JPEG first.'};

/** The first match counts. */
const marks: readonly Mark[] = [
	{...pdf, offset: 0, texts: ['%PDF-']},
	{
		...toImage,
		name: 'a HEIC image',
		offset: 4,
		texts: ['ftypheic', 'ftypheix', 'ftyphevc', 'ftypmif1', 'ftypmsf1'],
	},
	{...toImage, name: 'an AVIF image', offset: 4, texts: ['ftypavif', 'ftypavis']},
	{...toImage, name: 'a TIFF image', offset: 0, texts: ['II*\0', 'MM\0*']},
	{...audio, offset: 0, texts: ['ID3', '\xff\xf2', '\xff\xf3', '\xff\xfb', 'OggS', 'fLaC']},
	{...audio, offset: 4, texts: ['ftypM4A']},
	{...audio, offset: 8, texts: ['WAVE']},
	{name: 'a video', hint: 'Send a still image of it.', offset: 4, texts: ['ftyp']},
	{
		name: 'a ZIP archive (or an office document)',
		hint: 'Send the text of its files.',
		offset: 0,
		texts: ['PK\x03\x04'],
	},
	{
		name: 'gzip data',
		hint: 'Unpack it first: gunzip -k file.gz',
		offset: 0,
		texts: ['\x1f\x8b'],
	},
	{
		name: 'an SVG image',
		hint: 'Convert it to PNG first, or send its source as a text file.',
		offset: 0,
		texts: ['<svg'],
	},
];

const headLength = 16;

/** Returns undefined for every other kind. */
export function detectFileKind(bytes: Uint8Array): FileKind | undefined {
	const head = Buffer.from(bytes.subarray(0, headLength)).toString('latin1');
	return marks.find(({offset, texts}) => texts.some((text) => head.startsWith(text, offset)));
}

/** A PDF may have no NUL bytes, and be valid UTF-8 up to its first image. */
export function isPdf(bytes: Uint8Array): boolean {
	return detectFileKind(bytes)?.name === pdf.name;
}
