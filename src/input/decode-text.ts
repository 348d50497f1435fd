/** Decodes the bytes of a file or of standard input. Refuses binary data, and reports each change. */
import type {Notice} from '../chat/event.ts';
import {ChatError} from '../errors.ts';
import {detectMedia} from '../media-type.ts';
import {detectFileKind} from './file-kind.ts';

export type DecodedText = {readonly text: string; readonly notices: readonly Notice[]};

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
		const message = `${name} is not valid ${shown}; invalid bytes are sent as \ufffd`;
		notices.push({code: 'invalid-utf8', message});
	});
	if (detectMedia(bytes) !== undefined || decoded.includes('\0')) throw notText(bytes, name);
	const text = decoded.replace(colour, '');
	if (text.length < decoded.length) {
		const message = `terminal colours were removed from ${name}`;
		notices.push({code: 'colours-removed', message});
	}
	return {text, notices};
}

/** The sequences that `--color=always` writes: colours, and the end of a coloured line. */
const colour = new RegExp(`${'\u001b'}\\[[\\d:;]*[mK]`, 'g');

/** Whether bytes, which may be only the first ones of a file, can be decoded as text. */
export function isText(bytes: Uint8Array): boolean {
	if (detectMedia(bytes) !== undefined) return false;
	return encodingOf(bytes) !== 'utf-8' || !bytes.includes(0);
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
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
	return new ChatError('data', `${name} is binary: it contains NUL bytes`, {
		hint: {code: 'sendable-types'},
	});
}
