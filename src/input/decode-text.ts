/**
 * Bytes from outside as text. Binary is refused, and what is not UTF-8 is said to be so.
 */
import type {Notice} from '../chat/event.ts';
import {ChatError} from '../errors.ts';

export type DecodedText = {readonly text: string; readonly notices: readonly Notice[]};

/**
 * Decodes UTF-8 and drops its byte order mark. Invalid bytes become U+FFFD, with a notice.
 *
 * @param name what the text is called in messages.
 * @throws {ChatError} `data` when there is a NUL byte.
 */
export function decodeText(bytes: Uint8Array, name: string): DecodedText {
	if (bytes.includes(0)) throw notText(bytes, name);
	try {
		return {text: new TextDecoder('utf-8', {fatal: true}).decode(bytes), notices: []};
	} catch {
		const message = `${name} is not valid UTF-8; the invalid bytes are sent as \ufffd`;
		return {
			text: new TextDecoder().decode(bytes),
			notices: [{code: 'invalid-utf8', message}],
		};
	}
}

function notText(bytes: Uint8Array, name: string): ChatError {
	if (hasUtf16Mark(bytes)) {
		return new ChatError('data', `${name} is UTF-16 text`, {
			hint: 'Convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8',
		});
	}
	return new ChatError('data', `${name} is binary: it holds NUL bytes`, {
		hint: 'Text and images (png, jpeg, gif, webp) can be sent.',
	});
}

function hasUtf16Mark(bytes: Uint8Array): boolean {
	const [first, second] = bytes;
	return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
