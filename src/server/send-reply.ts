/**
 * Takes a planned reply to the client: the wait, the head, the body, and all that goes wrong on the
 * way. A reply without faults goes the same way.
 */
import {randomBytes} from 'node:crypto';
import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';
import {countPromptTokens} from './count-prompt.ts';
import {encodeEvents, encodeJson} from './encode-events.ts';
import {encodeChunks, encodeCompletion} from './encode-reply.ts';
import {encodeStatus, jsonType, type WholeReply} from './encode-status.ts';
import type {Fault} from './fault.ts';
import {hangUp} from './hang-up.ts';
import {interruptStream, interruptText} from './interrupt-body.ts';
import {countUsage, cutReply, type Reply} from './reply.ts';
import type {ReplyPlan} from './reply-plan.ts';
import type {ChatRequest} from './request/request.ts';
import type {Service} from './service.ts';
import {type BodyPart, delay, type StreamPace, streamReply} from './stream-reply.ts';

type EncodedReply = {
	readonly status: number;
	readonly headers: OutgoingHttpHeaders;
	readonly parts: Iterable<BodyPart>;
	readonly pace: Omit<StreamPace, 'drainTimeoutMs' | 'nextTurn'>;
};

/** @param left Aborts when the client is gone; nothing is sent after that. */
export async function sendReply(
	service: Service,
	response: ServerResponse,
	request: ChatRequest,
	{reply, fault}: ReplyPlan,
	left: AbortSignal,
): Promise<void> {
	const encoded = encodeReply(service, request, reply, fault);
	const delayMs = fault.delayMs ?? service.latencyMs;
	if (delayMs > 0) await delay(delayMs, left);
	if (left.aborted) return;
	if (fault.closeBeforeHead !== undefined) return await hangUp(response, fault.closeBeforeHead);
	const {nextTurn} = service;
	const {drainTimeoutMs} = service.limits;
	const {status, headers, parts, pace} = encoded;
	response.writeHead(status, {...headers, ...fault.headers});
	await streamReply(response, parts, {...pace, drainTimeoutMs, nextTurn}, left);
}

function encodeReply(
	service: Service,
	request: ChatRequest,
	reply: Reply,
	fault: Fault,
): EncodedReply {
	if (fault.status !== undefined) {
		return encodeWhole(encodeStatus(fault.status, service.now()), fault);
	}
	const cut = cutReply(reply, request.maxTokens);
	const head = {
		id: `chatcmpl-${randomBytes(15).toString('base64url')}`,
		created: Math.floor(service.now() / 1000),
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
			tokensPerSecond: fault.tokensPerSecond ?? service.tokensPerSecond,
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
