/**
 * Delivers a planned reply to the client: the delay, the head, the body, and all faults. A reply
 * without faults goes the same way.
 */
import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';
import {doneMarker} from '../../protocol/chat-completions/json-types.ts';
import type {ChatRequest} from '../request/request.ts';
import {encodeError, ServiceError} from '../service-error.ts';
import {encodeBody, type ReplyEncoder, type ReplyEvent} from './encoder.ts';
import type {Fault} from './fault.ts';
import {interruptStream, interruptText} from './interrupt-body.ts';
import {countUsage, cutReply, type Reply} from './reply.ts';
import {type BodyPart, hangUp, pause, sendBody, type TakeTurn} from './send-body.ts';

/** The service properties that replies depend on. */
export type ReplySettings = {
	readonly latencyMs: number;
	readonly tokensPerSecond: number | undefined;
	readonly takeTurn: TakeTurn;
	/** Unix milliseconds. */
	readonly now: () => number;
};

/** A checked request, and the encoder for its reply. */
export type Asked = {readonly request: ChatRequest; readonly encoder: ReplyEncoder};

/** A reply, and its faults. */
export type ReplyPlan = {
	/** Name of the matching scenario rule; absent: none. */
	readonly rule?: string;
	readonly reply: Reply;
	readonly fault: Fault;
};

type EncodedReply = {
	readonly status: number;
	readonly headers: OutgoingHttpHeaders;
	readonly parts: Iterable<BodyPart>;
	/** Interval between comments; for streams only. */
	readonly keepAliveMs?: number | undefined;
};

const jsonType = 'application/json; charset=utf-8';

/** @param left aborts when the client is gone; nothing is sent after that */
export async function sendReply(
	settings: ReplySettings,
	response: ServerResponse,
	asked: Asked,
	{reply, fault}: ReplyPlan,
	left: AbortSignal,
): Promise<void> {
	const encoded = encodeReply(settings, asked, reply, fault);
	const delayMs = fault.delay ?? settings.latencyMs;
	await pause(response, delayMs, left);
	if (left.aborted) return;
	const {content_type: type, close_before_head: closing} = fault;
	if (closing !== undefined) return await hangUp(response, closing === true ? 'fin' : closing);
	const changedType = type === undefined ? {} : {'content-type': type};
	response.writeHead(encoded.status, {...encoded.headers, ...changedType, ...fault.headers});
	const pace = {
		tokensPerSecond: fault.rate ?? settings.tokensPerSecond,
		keepAliveMs: encoded.keepAliveMs,
		takeTurn: settings.takeTurn,
	};
	await sendBody(response, encoded.parts, pace, left);
}

function encodeReply(
	{now}: ReplySettings,
	{request, encoder}: Asked,
	reply: Reply,
	fault: Fault,
): EncodedReply {
	if (fault.status !== undefined) return encodeStatus(fault.status, fault, now());
	const cut = cutReply(reply, request.maxTokens);
	const facts = {
		countUsage: () => countUsage(request, cut),
		fault,
		now: () => Math.floor(now() / 1000),
	};
	if (!request.isStreaming) {
		const {error, malformed} = fault;
		const text =
			error === undefined ? encoder.encodeWhole(cut, facts) : encodeBody(describeError(error));
		const sent = malformed === undefined ? text : (malformed.text ?? breakText(text));
		return encodeWhole(200, {'content-type': jsonType}, sent, fault);
	}
	const headers = {
		'content-type': 'text/event-stream; charset=utf-8',
		'cache-control': 'no-cache',
		'x-accel-buffering': 'no',
	};
	const events = endEvents(encoder.encodeEvents(cut, facts), encoder, fault);
	const parts = interruptStream(encodeEvents(events, fault), fault);
	return {status: 200, headers, parts, keepAliveMs: fault.keep_alive_comments};
}

/** A stream's events with the fault's error, and the end mark. */
function* endEvents(
	events: Iterable<ReplyEvent>,
	encoder: ReplyEncoder,
	{error, done}: Fault,
): Generator<ReplyEvent, void, undefined> {
	let sent = 0;
	for (const event of events) {
		if (sent === error?.after_events) break;
		yield event;
		sent += 1;
	}
	if (sent === error?.after_events) yield encoder.encodeError(describeError(error), sent);
	if (done !== 'missing') yield {data: doneMarker};
	if (done === 'duplicate') yield {data: doneMarker};
}

function describeError({body}: NonNullable<Fault['error']>): unknown {
	return body ?? encodeError(new ServiceError(500, 'an error, as the scenario asks'));
}

/** Events as text, each with its blank line. */
function* encodeEvents(
	events: Iterable<ReplyEvent>,
	{malformed}: Fault,
): Generator<string, void, undefined> {
	let number = 0;
	for (const {name, data} of events) {
		number += 1;
		const text = malformed?.event === number ? (malformed.text ?? breakText(data)) : data;
		const head = name === undefined ? '' : `event: ${name}\n`;
		yield `${head}data: ${text.replaceAll('\n', '\ndata: ')}\n\n`;
	}
}

/** Invalid on purpose: half a JSON object, or half the end mark. */
function breakText(text: string): string {
	return text.slice(0, Math.ceil(text.length / 2));
}

function encodeStatus(status: number, fault: Fault, now: number): EncodedReply {
	const {body, retry_after: retryAfter} = fault;
	const error = encodeError(new ServiceError(status, `status ${status}, as the scenario asks`));
	const headers = {
		'content-type': typeof body === 'string' ? 'text/plain; charset=utf-8' : jsonType,
		...(retryAfter === undefined ? {} : {'retry-after': encodeRetryAfter(retryAfter, now)}),
	};
	return encodeWhole(status, headers, encodeBody(body ?? error), fault);
}

/** A date has no fractions, so the next second counts. */
function encodeRetryAfter(wait: NonNullable<Fault['retry_after']>, now: number): string {
	if (typeof wait === 'number') return String(wait / 1000);
	return new Date(Math.ceil((now + wait.date) / 1000) * 1000).toUTCString();
}

function encodeWhole(
	status: number,
	headers: OutgoingHttpHeaders,
	text: string,
	fault: Fault,
): EncodedReply {
	// An unmet length would leave the client waiting where the body should end cleanly.
	const endsEarly = fault.cut?.how === 'end';
	const length = endsEarly ? {} : {'content-length': Buffer.byteLength(text)};
	return {status, headers: {...headers, ...length}, parts: interruptText(text, fault)};
}
