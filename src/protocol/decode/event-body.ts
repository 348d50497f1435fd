/** Decodes event streams. */
import {asObject, type JsonObject, parseJson} from '../../json.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import {readErrorBody} from '../errors/parse-error-body.ts';
import {protocolError, unusableError} from '../errors/reply-error.ts';
import {errorFromPayload} from '../errors/service-error.ts';
import type {BodyDecoder} from './body-decoder.ts';
import {createEventStreamParser} from './event-stream.ts';
import type {PayloadDecoder} from './payload-decoder.ts';

/** UTF-16 units kept from a body without events, for a message. */
const maxHeadLength = 64 * 1024;

export function createEventBody(decoder: PayloadDecoder, context: ErrorContext): BodyDecoder {
	const {endMark} = decoder;
	let head = '';
	let payloads = 0;
	let isDone = false;
	let isEnding = false;
	let isLastCut = false;
	/** An error outside any event. */
	let stray: JsonObject | undefined;

	const takeEvent = (data: string, name: string | undefined) => {
		const text = data.trim();
		if (isDone || text === '') return;
		payloads++;
		if (text === endMark) isDone = true;
		isLastCut = !isDone && !decoder.push(text, name);
		// An event with invalid JSON is malformed, unless the stream's end cut it off.
		if (isLastCut && !isEnding) throw protocolError('an event that is not valid JSON', context);
		isDone ||= decoder.isDone;
	};

	const parser = createEventStreamParser(takeEvent, (line) => {
		if (!isDone) stray = readStrayError(line) ?? stray;
	});

	return {
		push(text) {
			if (payloads === 0 && head.length < maxHeadLength) head += text;
			parser.push(text);
		},
		end({isBodyComplete, failure}) {
			// A line without an end was cut off, unless it is a readable event.
			isLastCut = parser.isOpen;
			isEnding = true;
			if (!isDone) parser.end();
			const error = decoder.isFinished ? undefined : errorFromPayload(stray, 'error', context);
			if (error !== undefined) throw error;
			if (payloads === 0 && failure === undefined) refuseText(head, context);
			decoder.end({isDone, isBodyComplete: isBodyComplete && !isLastCut, failure});
		},
		get isDone() {
			return isDone;
		},
		get payloads() {
			return payloads;
		},
	};
}

/** UTF-16 units; a longer line is not an error. */
const maxStrayLength = 64 * 1024;

/** Reads a raw JSON body, or an old llama.cpp `error: {…}` line. */
function readStrayError(line: string): JsonObject | undefined {
	if (line.length > maxStrayLength) return undefined;
	const [, json = ''] = /^(?:error:[ \t]*)?(\{.*\})[ \t]*$/.exec(line) ?? [];
	return asObject(parseJson(json));
}

const streamLine = /^(?::|(?:data|event|id|retry)(?::|$)|\s*$)/;

/** @throws {ChatError} if the text is not an event stream, not even one without events */
function refuseText(text: string, context: ErrorContext): void {
	if (text.split(/\r\n|\r|\n/).every((line) => streamLine.test(line))) return;
	if (!/[\ufffd\0]/.test(text)) throw unusableError(readErrorBody(text).message, context);
	const {encoding} = context;
	const form = encoding === undefined ? '' : `, with the content encoding ${encoding}`;
	throw unusableError(`bytes that are not text${form}`, context);
}
