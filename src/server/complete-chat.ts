/**
 * `POST /v1/chat/completions`: body, checks, reply, and its way to the client.
 */
import {randomBytes} from 'node:crypto';
import type {ServerResponse} from 'node:http';
import {countPromptTokens} from './count-prompt.ts';
import {encodeChunks, encodeCompletion} from './encode-reply.ts';
import type {Exchange} from './exchange.ts';
import {parseJsonObject} from './json.ts';
import {readBody} from './read-body.ts';
import {type CutReply, countUsage, cutReply} from './reply.ts';
import {checkRequest} from './request/check-request.ts';
import type {ChatRequest} from './request/request.ts';
import {sendJson} from './send-json.ts';
import type {Service} from './service.ts';
import {delay, streamReply} from './stream-reply.ts';

/** @throws {ServiceError} for every request that gets no reply. */
export async function completeChat(service: Service, exchange: Exchange): Promise<void> {
	const {limits} = service;
	const bytes = await readBody(exchange.request, limits.maxBodyBytes, exchange.beforeReading);
	const request = checkRequest(parseJsonObject(bytes));
	const release = service.slots.take();
	const left = signalClose(exchange.response);
	left.addEventListener('abort', release, {once: true});
	if (left.aborted) return release();
	const reply = cutReply(service.makeReply(request), request.maxTokens);
	if (service.latencyMs > 0) await delay(service.latencyMs, left);
	if (left.aborted) return;
	await sendReply(service, exchange.response, request, reply, left);
}

/** Aborts when the response has ended or its connection is gone. */
function signalClose(response: ServerResponse): AbortSignal {
	const closed = new AbortController();
	if (response.destroyed || response.socket?.destroyed === true) closed.abort();
	else response.once('close', () => closed.abort());
	return closed.signal;
}

async function sendReply(
	service: Service,
	response: ServerResponse,
	request: ChatRequest,
	reply: CutReply,
	left: AbortSignal,
): Promise<void> {
	const {drainTimeoutMs} = service.limits;
	const head = {
		id: `chatcmpl-${randomBytes(15).toString('base64url')}`,
		created: Math.floor(service.now() / 1000),
		model: request.model,
	};
	if (!request.isStreaming) {
		const usage = countUsage(countPromptTokens(request), reply);
		response.setTimeout(drainTimeoutMs, () => response.destroy());
		sendJson(response, 200, encodeCompletion(head, reply, usage));
		return;
	}
	const usage = request.includesUsage ? countUsage(countPromptTokens(request), reply) : undefined;
	response.writeHead(200, {
		'content-type': 'text/event-stream; charset=utf-8',
		'cache-control': 'no-cache',
		'x-accel-buffering': 'no',
	});
	const pace = {tokensPerSecond: service.tokensPerSecond, drainTimeoutMs};
	await streamReply(response, encodeChunks(head, reply, usage), pace, left);
}
