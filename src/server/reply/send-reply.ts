/**
 * Takes a planned reply to the client: the wait, the head, the body, and all that goes wrong on the
 * way. A reply without faults goes the same way.
 */
import {randomBytes} from 'node:crypto';
import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';
import type {ChatRequest} from '../request/request.ts';
import {countPromptTokens} from './count-prompt.ts';
import {encodeEvents, encodeJson} from './encode-events.ts';
import {encodeChunks, encodeCompletion} from './encode-reply.ts';
import {encodeStatus, jsonType, type WholeReply} from './encode-status.ts';
import type {Fault} from './fault.ts';
import {hangUp} from './hang-up.ts';
import {interruptStream, interruptText} from './interrupt-body.ts';
import {countUsage, cutReply, type Reply} from './reply.ts';
import type {ReplyPlan} from './reply-plan.ts';
import {type BodyPart, delay, type StreamPace, streamReply} from './stream-reply.ts';

/** The part of a service that replies depend on. */
export type ReplySettings = {
	/** The wait before the head. */
	readonly latencyMs: number;
	readonly tokensPerSecond: number | undefined;
	/** Unix milliseconds. */
	readonly now: () => number;
	/** For a reader that takes nothing. */
	readonly drainTimeoutMs: number;
	/** Waits for its turn: one in each round of the event loop, in the order of the calls. */
	readonly nextTurn: () => Promise<void>;
};

type EncodedReply = {
	readonly status: number;
	readonly headers: OutgoingHttpHeaders;
	readonly parts: Iterable<BodyPart>;
	readonly pace: Omit<StreamPace, 'drainTimeoutMs' | 'nextTurn'>;
};

/** @param left Aborts when the client is gone; nothing is sent after that. */
export async function sendReply(
	settings: ReplySettings,
	response: ServerResponse,
	request: ChatRequest,
	{reply, fault}: ReplyPlan,
	left: AbortSignal,
): Promise<void> {
	const encoded = encodeReply(settings, request, reply, fault);
	const delayMs = fault.delayMs ?? settings.latencyMs;
	if (delayMs > 0) await delay(delayMs, left);
	if (left.aborted) return;
	if (fault.closeBeforeHead !== undefined) return await hangUp(response, fault.closeBeforeHead);
	const {drainTimeoutMs, nextTurn} = settings;
	const {status, headers, parts, pace} = encoded;
	response.writeHead(status, {...headers, ...fault.headers});
	await streamReply(response, parts, {...pace, drainTimeoutMs, nextTurn}, left);
}

function encodeReply(
	{tokensPerSecond, now}: ReplySettings,
	request: ChatRequest,
	reply: Reply,
	fault: Fault,
): EncodedReply {
	if (fault.status !== undefined) {
		return encodeWhole(encodeStatus(fault.status, now()), fault);
	}
	const cut = cutReply(reply, request.maxTokens);
	const head = {
		id: `chatcmpl-${randomBytes(15).toString('base64url')}`,
		created: Math.floor(now() / 1000),
		model: request.model,
	};
	const countThis = () => countUsage(countPromptTokens(request), cut);
	if (!request.isStreaming) {
		const text = encodeJson(encodeCompletion(head, cut, countThis()), fault);
		return encodeWhole({status: 200, headers: {'content-type': jsonType}, text}, fault);
	}
	const chunks = encodeChunks(head, cut, request.includesUsage ? countThis() : undefined);
	return {
		status: 200,
		headers: {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-cache',
			'x-accel-buffering': 'no',
		},
		parts: interruptStream(encodeEvents(chunks, fault), fault),
		pace: {
			tokensPerSecond: fault.tokensPerSecond ?? tokensPerSecond,
			keepAliveMs: fault.keepAliveMs,
		},
	};
}

function encodeWhole({status, headers, text}: WholeReply, fault: Fault): EncodedReply {
	// A length that is not kept would leave the client waiting where the body is to end well.
	const endsEarly = fault.cut?.ending === 'end';
	const length = endsEarly ? {} : {'content-length': Buffer.byteLength(text)};
	return {
		status,
		headers: {...headers, ...length},
		parts: interruptText(text, fault),
		pace: {},
	};
}
