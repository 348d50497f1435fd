/** Decodes bodies that are read whole: one JSON text, or a web page. */
import {ChatError} from '../../errors.ts';
import {type JsonValue, parseJson} from '../../json.ts';
import {redactUrl} from '../../redact.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import {readErrorBody, readErrorPayload} from '../errors/parse-error-body.ts';
import {cutError, protocolError, unusableError} from '../errors/reply-error.ts';
import type {BodyDecoder} from './body-decoder.ts';
import type {PayloadDecoder} from './payload-decoder.ts';

/** Maximum JSON body in UTF-16 units. */
const maxJsonLength = 256 * 1024 * 1024;

/** A list is never an answer, at best an error. */
const maxListLength = 1024 * 1024;

export function createJsonBody(decoder: PayloadDecoder, context: ErrorContext): BodyDecoder {
	const pieces: string[] = [];
	let length = 0;
	return {
		push(text) {
			length += text.length;
			if (length > maxListLength && pieces[0]?.startsWith('[') === true) {
				throw unusableError('a list of over 1 MiB', context);
			}
			if (length > maxJsonLength) {
				throw new ChatError('protocol', 'the service sent a reply of over 256 MiB');
			}
			pieces.push(text);
		},
		end({failure, isBodyComplete}) {
			const reply = parseReply(pieces.join(''), decoder.endMark);
			if (reply === undefined) {
				const isWhole = isBodyComplete && failure === undefined;
				if (isWhole) throw protocolError('a reply that is not valid JSON', context);
				const reason = 'its JSON is not valid';
				throw cutError(`the reply from ${redactUrl(context.url)}`, failure, {
					kind: 'protocol',
					reason,
				});
			}
			if (!decoder.pushWhole(reply)) {
				throw unusableError(readErrorPayload(reply).message, context);
			}
			// The JSON text is whole: no end mark could say more.
			decoder.end({isDone: true, isBodyComplete: true, failure: undefined});
		},
		isDone: false,
		payloads: 0,
	};
}

/** Some proxies append the stream's end mark to a JSON body. */
function parseReply(text: string, endMark: string | undefined): JsonValue | undefined {
	const mark = text.lastIndexOf('data:');
	const isMarked = mark !== -1 && text.slice(mark + 'data:'.length).trim() === endMark;
	return parseJson(isMarked ? text.slice(0, mark) : text);
}

/** UTF-16 units read from a web page for its message. */
const maxPageLength = 64 * 1024;

export function createHtmlBody(_decoder: PayloadDecoder, context: ErrorContext): BodyDecoder {
	let page = '';
	return {
		push(text) {
			if (page.length < maxPageLength) page += text;
		},
		end() {
			const {message} = readErrorBody(page);
			throw unusableError(`a web page (HTML), "${message}"`, context);
		},
		get isDone() {
			return page.length >= maxPageLength;
		},
		payloads: 0,
	};
}
