/** Sends a single request to the service, and yields the reply's events. */

import type {ChatEvent, ChatEventBatch} from '../chat/event.ts';
import {ChatError, toChatError} from '../errors.ts';
import {formatDuration} from '../wording.ts';
import type {ReplyDecoder} from './decode/decode-reply.ts';
import {type ErrorContext, headerContext} from './errors/error-context.ts';
import {errorFromReply} from './errors/service-error.ts';
import {exchange, readErrorText, replyLines, requestLines} from './http/exchange.ts';
import type {HttpReply} from './http/transport.ts';
import {createRequestHeaders, type ServiceConnection} from './service-connection.ts';
import type {EncodedRequest} from './wire.ts';

export type Attempt = {
	readonly connection: ServiceConnection;
	readonly context: ErrorContext;
	readonly request: EncodedRequest;
	/** Number of this request in its step, from 1. */
	readonly attempts: number;
	readonly signal: AbortSignal;
};

/**
 * Sends the request and yields one batch per read. A failure before any output is returned, so that
 * the request can be repeated; any later failure is thrown.
 */
export async function* sendOnce(
	attempt: Attempt,
): AsyncGenerator<ChatEventBatch, ChatError | undefined, undefined> {
	const {connection, context, request, attempts, signal} = attempt;
	const {wire, limits, route, isVerbose = false} = connection;
	const {url} = wire;
	const {body, isStreaming} = request;
	const headers = createRequestHeaders(connection, request);
	const sent = {method: 'POST', url, headers, body, route, limits, isStreaming, signal} as const;
	// `performance` would load all of `node:perf_hooks`.
	const startedAt = Date.now();
	let isShown = false;
	let reply: HttpReply | undefined;
	try {
		// Before the wait, which is what a user wants to see.
		if (isVerbose) yield requestLines(sent).map(trace);
		reply = await exchange(sent);
		if (isVerbose) yield replyLines(reply, Date.now() - startedAt).map(trace);
		const refusal = await readRefusal(reply, context);
		if (refusal !== undefined) throw refusal;
		const decoder = wire.createDecoder({...context, ...headerContext(reply.head)}, attempts);
		for (let isEnded = false; !isEnded; ) {
			isEnded = decodeRead(await reply.read(), reply, decoder);
			const events = decoder.take();
			isShown ||= events.some((event) => event.type !== 'notice');
			if (events.length > 0) yield events;
			if (decoder.error !== undefined) throw decoder.error;
		}
		signal.throwIfAborted();
		if (isVerbose) yield [trace(`done after ${formatDuration(Date.now() - startedAt)}`)];
		return undefined;
	} catch (error) {
		signal.throwIfAborted();
		const failure = withAttempts(toChatError(error), attempts);
		if (isShown) throw failure;
		return failure;
	} finally {
		reply?.close();
	}
}

/** Returns the error for a non-2xx reply. */
async function readRefusal(
	reply: HttpReply,
	context: ErrorContext,
): Promise<ChatError | undefined> {
	const {status} = reply.head;
	if (status >= 200 && status < 300) return undefined;
	return errorFromReply(reply.head, await readErrorText(reply), context);
}

/** Decodes one read's bytes, or the end of the body; returns whether that was the last read. */
function decodeRead(
	chunks: readonly Uint8Array[] | undefined,
	reply: HttpReply,
	decoder: ReplyDecoder,
): boolean {
	const {payloads} = decoder;
	for (const chunk of chunks ?? []) if (!decoder.isDone) decoder.push(chunk);
	if (decoder.payloads > payloads) reply.notePayload();
	if (decoder.isFinished) reply.noteFinish();
	const isLast = chunks === undefined || decoder.isDone;
	if (isLast && decoder.error === undefined) {
		decoder.end({isBodyComplete: reply.isBodyComplete(), failure: reply.failure()});
	}
	return isLast;
}

function withAttempts(error: ChatError, attempts: number): ChatError {
	return new ChatError(error.kind, error.message, {
		...error.details,
		attempts,
		cause: error.kind === 'bug' ? error.details.cause : error,
	});
}

function trace(message: string): ChatEvent {
	return {type: 'trace', message};
}
