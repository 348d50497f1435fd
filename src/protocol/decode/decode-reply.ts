/**
 * Bytes of one reply body to events, whatever the content type claims: the first byte that is not
 * blank decides between JSON, HTML and an event stream. No I/O: feed it any cutting of the bytes.
 */
import type {ChatEvent} from '../../chat/event.ts';
import {ChatError} from '../../errors.ts';
import {type JsonValue, parseJson} from '../../json.ts';
import {redactUrl} from '../../redact.ts';
import {readErrorBody, readErrorPayload} from '../errors/parse-error-body.ts';
import {type ErrorContext, errorFromPayload} from '../errors/service-error.ts';
import {asObject} from '../json-values.ts';
import {doneMarker} from '../wire.ts';
import {kindOfCut} from './completion.ts';
import {type ChunkDecoder, createChunkDecoder} from './decode-chunks.ts';
import {createEventStreamParser, type Payload} from './event-stream.ts';
import {createStrayLines} from './unframed-error.ts';

/** How the body ended, as far as the transport knows. */
export type BodyEnd = {
	/** The last chunk came, or the content length was reached. */
	readonly isAttested: boolean;
	readonly failure: ChatError | undefined;
};

export type Progress = {
	readonly events: readonly ChatEvent[];
	/** At least one event of the service came, be it empty of text. Feeds the payload timer. */
	readonly hasPayload: boolean;
	/** Nothing that follows matters: read no further. */
	readonly isDone: boolean;
	/** What is wrong with the reply; the events before it are still good. */
	readonly error: ChatError | undefined;
};

export interface ReplyDecoder {
	push(bytes: Uint8Array): Progress;
	/** The last events. Call it once, also after `isDone`, not after an error. */
	end(end: BodyEnd): Progress;
	/** The service has said why it stopped; only usage or an end mark may follow. */
	readonly isFinished: boolean;
}

/** One kind of body. */
interface BodyDecoder {
	push(text: string, events: ChatEvent[]): {readonly hasPayload: boolean; readonly isDone: boolean};
	end(end: BodyEnd, events: ChatEvent[]): void;
}

/** @param attempts how many requests it took to get this reply */
export function createReplyDecoder(context: ErrorContext, attempts: number): ReplyDecoder {
	const utf8 = new TextDecoder();
	const chunks = createChunkDecoder(context, attempts);
	let body: BodyDecoder | undefined;
	let isDone = false;

	const choose = (text: string): string => {
		if (body !== undefined) return text;
		// Blanks before a body mean nothing: some services send them while a request is queued.
		const head = text.trimStart();
		if (head === '') return '';
		body = bodyDecoders[head.charAt(0)]?.(chunks, context) ?? createEventBody(chunks, context);
		return head;
	};

	/** Failures of decoding become values here, so that the events before them are not lost. */
	const attempt = (run: (events: ChatEvent[]) => boolean): Progress => {
		const events: ChatEvent[] = [];
		try {
			const hasPayload = run(events);
			return {events, hasPayload, isDone, error: undefined};
		} catch (error) {
			if (!(error instanceof ChatError)) throw error;
			const failure = chunks.fail(error, events);
			return {events, hasPayload: true, isDone: true, error: failure};
		}
	};

	const feed = (text: string, events: ChatEvent[]): boolean => {
		const ready = choose(text);
		if (body === undefined || ready === '') return false;
		const progress = body.push(ready, events);
		isDone ||= progress.isDone;
		return progress.hasPayload;
	};

	return {
		push: (bytes) => attempt((events) => feed(utf8.decode(bytes, {stream: true}), events)),
		end: (end) =>
			attempt((events) => {
				if (!isDone) feed(utf8.decode(), events);
				const decoder = body ?? createEventBody(chunks, context);
				decoder.end(end, events);
				return true;
			}),
		get isFinished() {
			return chunks.isFinished;
		},
	};
}

type CreateBody = (chunks: ChunkDecoder, context: ErrorContext) => BodyDecoder;

const bodyDecoders: Readonly<Record<string, CreateBody>> = {
	'{': createJsonBody,
	'[': createJsonBody,
	'<': createHtmlBody,
};

function createEventBody(chunks: ChunkDecoder, context: ErrorContext): BodyDecoder {
	const parser = createEventStreamParser();
	const strayLines = createStrayLines();
	let isDone = false;
	let hasEvent = false;
	let isCut = false;
	let head = '';

	/** An event that is not valid JSON is malformed, unless the end of the stream cut it off. */
	const takeOne = ({name, data}: Payload, text: string, events: ChatEvent[], isLast: boolean) => {
		const json = parseJson(text);
		const payload = json === undefined && name === 'error' ? data : json;
		isCut = payload === undefined;
		if (payload !== undefined) chunks.push(payload, name, events);
		else if (!isLast) throw malformedError(context);
	};

	const take = (payloads: readonly Payload[], events: ChatEvent[], isLast: boolean): boolean => {
		let hasPayload = false;
		for (const payload of payloads) {
			const text = payload.data.trim();
			if (isDone || text === '') continue;
			hasPayload = true;
			hasEvent = true;
			if (text === doneMarker) isDone = true;
			else takeOne(payload, text, events, isLast);
		}
		return hasPayload;
	};

	return {
		push(text, events) {
			strayLines.push(text);
			if (!hasEvent && head.length < maxHeadLength) head += text;
			const hasPayload = take(parser.push(text), events, false);
			return {hasPayload, isDone};
		},
		end({isAttested, failure}, events) {
			const stray = strayLines.end();
			// A line without an end was cut, unless it is an event that can be read all the same.
			isCut = stray.isOpen;
			if (!isDone) take(parser.end(), events, true);
			if (!chunks.isFinished) throwStrayError(stray.error, context);
			if (!hasEvent && failure === undefined) refuseText(head, context);
			chunks.end({isDone, isAttested: isAttested && !isCut, failure}, events);
		},
	};
}

/** UTF-16 units that are kept of a body without events. */
const maxHeadLength = 64 * 1024;

const streamLine = /^(?::|(?:data|event|id|retry)(?::|$)|\s*$)/;

/** @throws {ChatError} for a text that is no event stream, not even one without events */
function refuseText(text: string, context: ErrorContext): void {
	if (text.split(/\r\n|\r|\n/).every((line) => streamLine.test(line))) return;
	if (!/[\ufffd\0]/.test(text)) throw unusableError(readErrorBody(text).message, context);
	const {encoding} = context;
	const form = encoding === undefined ? '' : `, with the content encoding ${encoding}`;
	throw unusableError(`bytes that are no text${form}`, context);
}

function throwStrayError(payload: JsonValue | undefined, context: ErrorContext): void {
	if (payload === undefined) return;
	const error = errorFromPayload(payload, 'error', context);
	if (error !== undefined) throw error;
}

function malformedError({url}: ErrorContext): ChatError {
	return new ChatError('protocol', `${redactUrl(url)} sent an event that is not valid JSON`);
}

/** The largest JSON body that is read, in UTF-16 units. */
const maxJsonLength = 256 * 1024 * 1024;

function createJsonBody(chunks: ChunkDecoder, context: ErrorContext): BodyDecoder {
	const pieces: string[] = [];
	let length = 0;
	return {
		push(text) {
			length += text.length;
			if (length > maxJsonLength) {
				throw new ChatError('protocol', 'the service sent a reply of over 256 MiB');
			}
			pieces.push(text);
			return {hasPayload: false, isDone: false};
		},
		end({failure}, events) {
			const payload = parseReply(pieces.join(''));
			if (payload === undefined) throw cutJsonError(failure, context);
			chunks.push(payload, undefined, events);
			if (asObject(payload)?.['choices'] === undefined) {
				throw unusableError(readErrorPayload(payload).message, context);
			}
			// The JSON text is whole: no end mark could say more.
			chunks.end({isDone: true, isAttested: true, failure: undefined}, events);
		},
	};
}

/** Some proxies glue the end mark of a stream to a JSON body. */
function parseReply(text: string): JsonValue | undefined {
	const value = parseJson(text);
	if (value !== undefined) return value;
	const unmarked = cutEnd(text, doneMarker);
	const json = unmarked === undefined ? undefined : cutEnd(unmarked, 'data:');
	return json === undefined ? undefined : parseJson(json);
}

/** The text before the mark that it ends with, but for blanks. */
function cutEnd(text: string, mark: string): string | undefined {
	const end = text.trimEnd();
	return end.endsWith(mark) ? end.slice(0, -mark.length) : undefined;
}

function cutJsonError(failure: ChatError | undefined, {url}: ErrorContext): ChatError {
	const reason = failure?.message ?? 'its JSON is not valid';
	const kind = failure === undefined ? 'protocol' : kindOfCut(failure);
	return new ChatError(kind, `the reply from ${redactUrl(url)} was cut off: ${reason}`, {
		code: failure?.details.code,
		retryable: failure?.details.retryable ?? false,
		cause: failure,
	});
}

function unusableError(message: string, {url}: ErrorContext): ChatError {
	const said = message === '' ? '' : `: ${message}`;
	return new ChatError(
		'protocol',
		`${redactUrl(url)} sent a reply that is no chat completion${said}`,
		{
			hint: 'Is the base URL that of a chat-completions service?',
		},
	);
}

function createHtmlBody(_chunks: ChunkDecoder, context: ErrorContext): BodyDecoder {
	let page = '';
	return {
		push(text) {
			if (page.length < maxHeadLength) page += text;
			return {hasPayload: false, isDone: false};
		},
		end() {
			const {message} = readErrorBody(page);
			throw unusableError(`a web page (HTML), "${message}"`, context);
		},
	};
}
