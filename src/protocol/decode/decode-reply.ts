/**
 * Bytes of one reply body to events, whatever the content type claims: the first byte that is not
 * blank decides between JSON, HTML and an event stream. No I/O: feed it any cutting of the bytes.
 */
import type {ChatEvent} from '../../chat/event.ts';
import {ChatError} from '../../errors.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import type {BodyDecoder, BodyEnd} from './body-decoder.ts';
import {createChunkDecoder} from './decode-chunks.ts';
import {createEventBody} from './event-body.ts';
import {createHtmlBody, createJsonBody} from './whole-body.ts';

export interface ReplyDecoder {
	push(bytes: Uint8Array): void;
	/** Call it once, also after `isDone`, but not after an error. */
	end(end: BodyEnd): void;
	/** The events since the last call. */
	take(): readonly ChatEvent[];
	/** What is wrong with the reply; the events before it are still good. */
	readonly error: ChatError | undefined;
	/** Nothing that follows matters: read no further. */
	readonly isDone: boolean;
	/** How many payloads have come, with or without a text. */
	readonly payloads: number;
	/** The service has said why it stopped; only usage or an end mark may follow. */
	readonly isFinished: boolean;
}

/** @param attempts how many requests it took to get this reply */
export function createReplyDecoder(context: ErrorContext, attempts: number): ReplyDecoder {
	const utf8 = new TextDecoder();
	const chunks = createChunkDecoder(context, attempts);
	let body: BodyDecoder | undefined;
	let error: ChatError | undefined;

	const feed = (text: string) => {
		if (body !== undefined) return body.push(text);
		// Blanks before a body mean nothing: some services send them while a request is queued.
		const head = text.trimStart();
		if (head === '') return;
		body = (bodies[head.charAt(0)] ?? createEventBody)(chunks, context);
		body.push(head);
	};

	/** Failures of decoding become values here, so that the events before them are not lost. */
	const attempt = (run: () => void) => {
		try {
			run();
		} catch (failure) {
			if (!(failure instanceof ChatError)) throw failure;
			error = chunks.fail(failure);
		}
	};

	return {
		push: (bytes) => attempt(() => feed(utf8.decode(bytes, {stream: true}))),
		end: (end) =>
			attempt(() => {
				if (body?.isDone !== true) feed(utf8.decode());
				(body ?? createEventBody(chunks, context)).end(end);
			}),
		take: () => chunks.take(),
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
			return chunks.isFinished;
		},
	};
}

const bodies: Readonly<
	Record<
		string,
		(chunks: ReturnType<typeof createChunkDecoder>, context: ErrorContext) => BodyDecoder
	>
> = {'{': createJsonBody, '[': createJsonBody, '<': createHtmlBody};
