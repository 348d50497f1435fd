/** Reads the text of a file or of standard input. Refuses binary data, and reports each change. */
import type {Notice} from '../chat/event.ts';
import {ChatError} from '../errors.ts';
import {detectMedia} from '../media-type.ts';
import {detectFileKind} from './file-kind.ts';
import {type FileSource, maxFileBytes, readFileBytes} from './read-bytes.ts';

export type DecodedText = {readonly text: string; readonly notices: readonly Notice[]};

/** @throws {ChatError} as `readFileBytes` and `decodeText` do */
export async function loadTextFile(
	path: string,
	source: FileSource,
	maxBytes = maxFileBytes,
): Promise<DecodedText> {
	return decodeText(await readFileBytes(path, maxBytes, source), path);
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark, and drops the mark. Invalid bytes become U+FFFD,
 * and the colours that programs write for a terminal are removed, each with a notice.
 *
 * @throws {ChatError} `data` for text with a NUL character, and for media, which may have none
 */
export function decodeText(bytes: Uint8Array, name: string): DecodedText {
	const encoding = encodingOf(bytes);
	const notices: Notice[] = [];
	const decoded = decode(bytes, encoding, () => {
		const shown = encoding.toUpperCase().slice(0, 'utf-16'.length);
		const way = encoding === 'utf-8' ? `; for Latin-1, convert it first: ${convert('latin1')}` : '';
		const message = `${name} is not valid ${shown}; invalid bytes are sent as \ufffd${way}`;
		notices.push({code: 'invalid-utf8', message});
	});
	if (detectMedia(bytes) !== undefined || decoded.includes('\0')) throw notText(bytes, name);
	if (notices.length > 0 && isMostlyInvalid(bytes)) {
		throw new ChatError('data', `${name} is not UTF-8 text: most of it cannot be decoded`, {
			hint: convertHint('latin1'),
		});
	}
	const text = decoded.replace(colour, '');
	if (text.length < decoded.length) {
		const message = `terminal colours were removed from ${name}`;
		notices.push({code: 'colours-removed', message});
	}
	return {text, notices};
}

function convert(encoding: string): string {
	return `iconv -f ${encoding} -t utf8`;
}

function convertHint(encoding: string): string {
	return `If it is text, convert it first: ${convert(encoding)} FILE | chat …`;
}

export const sendableHint =
	'Text, PDF, audio (wav, mp3) and images (png, jpeg, gif, webp) can be sent.';

/** The bytes that Git reads to recognize a binary file. */
const headBytes = 8000;

/** Fewer say nothing about a file. */
const fewBytes = 6;

/** Whether most of the first characters are invalid, or control characters that no text has. */
function isMostlyInvalid(bytes: Uint8Array): boolean {
	const head = new TextDecoder(encodingOf(bytes)).decode(bytes.subarray(0, headBytes));
	const wrong = head.match(/\ufffd|(?!\s)\p{Cc}/gu) ?? [];
	return wrong.length > fewBytes && wrong.length * 2 > head.length;
}

/**
 * Returns the encoding of text that is UTF-16 without a byte order mark: of common scripts, one byte of
 * each pair is mostly 0.
 */
function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
	const head = bytes.subarray(0, headBytes);
	const zeros = [0, 0];
	for (const [place, byte] of head.entries())
		if (byte === 0) zeros[place % 2] = (zeros[place % 2] ?? 0) + 1;
	const [even = 0, odd = 0] = zeros;
	const isMost = (count: number) => count > head.length * 0.3;
	if (head.length < fewBytes) return undefined;
	if (isMost(odd) && even === 0) return 'utf-16le';
	return isMost(even) && odd === 0 ? 'utf-16be' : undefined;
}

/** The sequences that `--color=always` writes: colours, and the end of a coloured line. */
const colour = new RegExp(`${'\u001b'}\\[[\\d:;]*[mK]`, 'g');

/** Whether bytes, which may be only the first ones of a file, can be decoded as text. */
export function isText(bytes: Uint8Array): boolean {
	if (detectMedia(bytes) !== undefined) return false;
	return encodingOf(bytes) !== 'utf-8' || !(bytes.includes(0) || isMostlyInvalid(bytes));
}

export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
	if (first === 0xff && second === 0xfe) return 'utf-16le';
	return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

function decode(bytes: Uint8Array, encoding: string, onInvalid: () => void): string {
	try {
		return new TextDecoder(encoding, {fatal: true}).decode(bytes);
	} catch {
		onInvalid();
		return new TextDecoder(encoding).decode(bytes);
	}
}

function notText(bytes: Uint8Array, name: string): ChatError {
	const kind = detectFileKind(bytes);
	if (kind !== undefined) {
		return new ChatError('data', `${name} is ${kind.name}, not text`, {hint: kind.hint});
	}
	const utf16 = findUtf16(bytes);
	if (utf16 !== undefined) {
		return new ChatError('data', `${name} is UTF-16 without a byte order mark`, {
			hint: convertHint(utf16),
		});
	}
	return new ChatError('data', `${name} is binary: it contains NUL bytes`, {
		hint: sendableHint,
	});
}
