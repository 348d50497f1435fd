/** `POST /v1/chat/completions`: body, checks, plan, and its way to the client. */
import type {ServerResponse} from 'node:http';
import {sendReply} from '../reply/send-reply.ts';
import {checkRequest} from '../request/check-request.ts';
import {ServiceError} from '../service-error.ts';
import {parseJsonObject, readBody} from './read-json.ts';
import type {Exchange, Service} from './service.ts';

export async function completeChat(service: Service, exchange: Exchange): Promise<void> {
	const {request, response, record} = exchange;
	const bytes = await readBody(request, service.limits.maxBodyBytes);
	record?.noteBody(bytes);
	const chat = checkRequest(parseJsonObject(bytes));
	const left = openReply(service, response);
	await service.takeTurn();
	if (left.aborted) return;
	const plan = service.planner.plan(chat);
	if (plan.rule !== undefined) record?.noteRule(plan.rule);
	await sendReply(service, response, chat, plan, left);
}

/**
 * Counts a reply until its response is closed, which the returned signal reports.
 *
 * @throws {ServiceError} 429
 */
function openReply({openReplies, limits}: Service, response: ServerResponse): AbortSignal {
	if (openReplies.size >= limits.maxReplies) {
		const message = `${limits.maxReplies} replies are under way; try again in a second`;
		const headers = {'retry-after': '1'};
		throw new ServiceError(429, message, {code: 'rate_limit_exceeded', headers});
	}
	openReplies.add(response);
	const closed = new AbortController();
	response.once('close', () => {
		openReplies.delete(response);
		closed.abort();
	});
	return closed.signal;
}
