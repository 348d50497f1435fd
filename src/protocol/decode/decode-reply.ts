/**
 * Decodes a reply body's bytes to events. The first non-blank byte decides between JSON, HTML and
 * an event stream, because content types are often wrong. No I/O.
 */
import type {ChatEvent} from '../../chat/event.ts';
import {ChatError} from '../../errors.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import type {BodyDecoder, BodyEnd} from './body-decoder.ts';
import {createEventBody} from './event-body.ts';
import type {PayloadDecoder} from './payload-decoder.ts';
import {createHtmlBody, createJsonBody} from './whole-body.ts';

export interface ReplyDecoder {
	push(bytes: Uint8Array): void;
	/** Call it once, also after `isDone`, but not after an error. */
	end(end: BodyEnd): void;
	/** The events since the last call. */
	take(): readonly ChatEvent[];
	/** Why the reply failed; the events before it are valid. */
	readonly error: ChatError | undefined;
	/** Anything further is irrelevant. */
	readonly isDone: boolean;
	/** How many payloads have come, with or without a text. */
	readonly payloads: number;
	/** The service has given a finish reason; only usage or an end mark may follow. */
	readonly isFinished: boolean;
}

/** @param decoder gives the payloads their meaning */
export function createReplyDecoder(decoder: PayloadDecoder, context: ErrorContext): ReplyDecoder {
	const utf8 = new TextDecoder();
	let body: BodyDecoder | undefined;
	let error: ChatError | undefined;

	const feed = (text: string) => {
		if (body !== undefined) return body.push(text);
		// Some services send blanks while a request is queued.
		const head = text.trimStart();
		if (head === '') return;
		body = (bodies[head.charAt(0)] ?? createEventBody)(decoder, context);
		body.push(head);
	};

	/** Turns failures into values, keeping the events before them. */
	const attempt = (run: () => void) => {
		try {
			run();
		} catch (failure) {
			if (!(failure instanceof ChatError)) throw failure;
			error = decoder.fail(failure);
		}
	};

	return {
		push: (bytes) => attempt(() => feed(utf8.decode(bytes, {stream: true}))),
		end: (end) =>
			attempt(() => {
				if (body?.isDone !== true) feed(utf8.decode());
				(body ?? createEventBody(decoder, context)).end(end);
			}),
		take: () => decoder.take(),
		get error() {
			return error;
		},
		get isDone() {
			return error !== undefined || body?.isDone === true;
		},
		get payloads() {
			return body?.payloads ?? 0;
		},
		get isFinished() {
			return decoder.isFinished;
		},
	};
}

type CreateBody = (decoder: PayloadDecoder, context: ErrorContext) => BodyDecoder;

const bodies: Readonly<Record<string, CreateBody>> = {
	'{': createJsonBody,
	'[': createJsonBody,
	'<': createHtmlBody,
};
