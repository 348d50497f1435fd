/** `POST /v1/chat/completions`: body, checks, plan, and its way to the client. */
import type {ServerResponse} from 'node:http';
import type {JsonObject} from '../../json.ts';
import {sendReply} from '../reply/send-reply.ts';
import {checkRequest} from '../request/check-request.ts';
import {parseJsonObject} from './parse-body.ts';
import {readBody} from './read-body.ts';
import type {Exchange, Service} from './service.ts';

/** @throws {ServiceError} for a request that is refused. */
export async function completeChat(service: Service, exchange: Exchange): Promise<void> {
	const {response, record} = exchange;
	const request = checkRequest(await readJson(service, exchange));
	const release = service.slots.take();
	const left = signalClose(response);
	left.addEventListener('abort', release, {once: true});
	if (left.aborted) return release();
	await service.nextTurn();
	if (left.aborted) return;
	const plan = service.replies.plan(request);
	if (plan.rule !== undefined) record?.noteRule(plan.rule);
	await sendReply(service, response, request, plan, left);
}

async function readJson(service: Service, exchange: Exchange): Promise<JsonObject> {
	const {request, record, beforeReading} = exchange;
	const bytes = await readBody(request, service.limits.maxBodyBytes, beforeReading);
	record?.noteBody(bytes);
	return parseJsonObject(bytes);
}

/** Aborts when the response has ended or its connection is gone. */
function signalClose(response: ServerResponse): AbortSignal {
	const closed = new AbortController();
	if (response.destroyed || response.socket?.destroyed === true) closed.abort();
	else response.once('close', () => closed.abort());
	return closed.signal;
}
