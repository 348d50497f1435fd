/**
 * Takes a planned reply to the client: the wait, the head, the body, and all that goes wrong on the
 * way. A reply without faults goes the same way.
 */
import {randomBytes} from 'node:crypto';
import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';
import type {ChatRequest} from '../request/request.ts';
import {encodeError, ServiceError} from '../service-error.ts';
import {encodeBody, encodeEvents, encodeJson} from './encode-events.ts';
import {encodeChunks, encodeCompletion} from './encode-reply.ts';
import type {Fault, RetryAfter, ScriptedStatus} from './fault.ts';
import {interruptStream, interruptText} from './interrupt-body.ts';
import {countUsage, cutReply, type Reply} from './reply.ts';
import {type BodyPart, delay, hangUp, type StreamPace, streamReply} from './stream-reply.ts';
import type {TakeTurn} from './turns.ts';

/** The part of a service that replies depend on. */
export type ReplySettings = {
	readonly latencyMs: number;
	readonly tokensPerSecond: number | undefined;
	readonly takeTurn: TakeTurn;
	/** Unix milliseconds. */
	readonly now: () => number;
};

/** A reply, and how it goes wrong. */
export type ReplyPlan = {
	/** The name of the rule of a scenario that it follows; absent: none. */
	readonly rule?: string;
	readonly reply: Reply;
	readonly fault: Fault;
};

type EncodedReply = {
	readonly status: number;
	readonly headers: OutgoingHttpHeaders;
	readonly parts: Iterable<BodyPart>;
	readonly pace?: Omit<StreamPace, 'takeTurn'>;
};

const jsonType = 'application/json; charset=utf-8';

/** @param left Aborts when the client is gone; nothing is sent after that. */
export async function sendReply(
	settings: ReplySettings,
	response: ServerResponse,
	request: ChatRequest,
	{reply, fault}: ReplyPlan,
	left: AbortSignal,
): Promise<void> {
	const {status, headers, parts, pace = {}} = encodeReply(settings, request, reply, fault);
	const delayMs = fault.delayMs ?? settings.latencyMs;
	if (delayMs > 0) await delay(response, delayMs, left);
	if (left.aborted) return;
	if (fault.closeBeforeHead !== undefined) return await hangUp(response, fault.closeBeforeHead);
	response.writeHead(status, {...headers, ...fault.headers});
	await streamReply(response, parts, {...pace, takeTurn: settings.takeTurn}, left);
}

function encodeReply(
	{tokensPerSecond, now}: ReplySettings,
	request: ChatRequest,
	reply: Reply,
	fault: Fault,
): EncodedReply {
	if (fault.status !== undefined) return encodeStatus(fault.status, fault, now());
	const cut = cutReply(reply, request.maxTokens);
	const head = {
		id: `chatcmpl-${randomBytes(15).toString('base64url')}`,
		created: Math.floor(now() / 1000),
		model: request.model,
	};
	if (!request.isStreaming) {
		const completion = encodeCompletion(head, cut, countUsage(request, cut));
		return encodeWhole(200, {'content-type': jsonType}, encodeJson(completion, fault), fault);
	}
	const usage = request.includesUsage ? countUsage(request, cut) : undefined;
	return {
		status: 200,
		headers: {
			'content-type': 'text/event-stream; charset=utf-8',
			'cache-control': 'no-cache',
			'x-accel-buffering': 'no',
		},
		parts: interruptStream(encodeEvents(encodeChunks(head, cut, usage), fault), fault),
		pace: {
			tokensPerSecond: fault.tokensPerSecond ?? tokensPerSecond,
			keepAliveMs: fault.keepAliveMs,
		},
	};
}

function encodeStatus(
	{code, body, retryAfter}: ScriptedStatus,
	fault: Fault,
	now: number,
): EncodedReply {
	const error = encodeError(new ServiceError(code, `status ${code}, as the scenario asks`));
	const headers = {
		'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : jsonType,
		...(retryAfter === undefined ? {} : {'retry-after': encodeRetryAfter(retryAfter, now)}),
	};
	return encodeWhole(code, headers, encodeBody(body ?? error), fault);
}

/** A date has no parts of a second, so the next one counts. */
function encodeRetryAfter({form, ms}: RetryAfter, now: number): string {
	if (form === 'seconds') return String(ms / 1000);
	return new Date(Math.ceil((now + ms) / 1000) * 1000).toUTCString();
}

function encodeWhole(
	status: number,
	headers: OutgoingHttpHeaders,
	text: string,
	fault: Fault,
): EncodedReply {
	// A length that is not kept would leave the client waiting where the body is to end well.
	const endsEarly = fault.cut?.ending === 'end';
	const length = endsEarly ? {} : {'content-length': Buffer.byteLength(text)};
	return {status, headers: {...headers, ...length}, parts: interruptText(text, fault)};
}
