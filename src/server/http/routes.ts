/** The service's paths, their methods and handlers. */
import type {ServerResponse} from 'node:http';
import type {JsonObject} from '../../json.ts';
import {findModel, listModels} from '../models.ts';
import {completionEncoder} from '../reply/encode-completion.ts';
import {responseEncoder} from '../reply/encode-response.ts';
import {type Asked, sendReply} from '../reply/send-reply.ts';
import {checkRequest} from '../request/check-request.ts';
import {checkResponse} from '../request/check-response.ts';
import {ServiceError} from '../service-error.ts';
import {parseJsonObject, readBody} from './read-json.ts';
import {type Exchange, type Service, sendJson} from './service.ts';

type Serve = (service: Service, exchange: Exchange) => Promise<void> | void;

export type Route = {
	readonly pattern: RegExp;
	/** Handlers by method; `HEAD` is served as `GET`. */
	readonly serve: Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', Serve>>>;
	/** Whether it needs no key. */
	readonly isOpen?: boolean;
	/** Whether its requests are left unrecorded. */
	readonly isUnrecorded?: boolean;
};

const routes: readonly Route[] = [
	{pattern: /^\/v1\/chat\/completions$/, serve: {POST: serveReply(askCompletion)}},
	{pattern: /^\/v1\/responses$/, serve: {POST: serveReply(askResponse)}},
	{
		pattern: /^\/v1\/models$/,
		serve: {
			GET: ({planner}, {response}) => sendJson(response, 200, listModels(planner.window)),
		},
	},
	{
		pattern: /^\/v1\/models\/.+$/,
		serve: {
			GET: ({planner}, {response, path}) =>
				sendJson(response, 200, findModel(readModelName(path), planner.window)),
		},
	},
	{
		pattern: /^\/health$/,
		isOpen: true,
		isUnrecorded: true,
		serve: {
			GET: ({openReplies}, {response}) =>
				sendJson(response, 200, {status: 'ok', replies: openReplies.size}),
		},
	},
	{
		pattern: /^\/requests$/,
		isUnrecorded: true,
		serve: {
			GET: ({recorder}, {response}) => sendJson(response, 200, recorder.list()),
			DELETE: (service, {response}) => {
				service.recorder.clear();
				service.planner.restart();
				response.writeHead(204).end();
			},
		},
	},
];

export function findRoute(path: string): Route | undefined {
	return routes.find(({pattern}) => pattern.test(path));
}

/** @throws {ServiceError} 404 for an unknown path, 405 for another method */
export function chooseServe(route: Route | undefined, path: string, method: string): Serve {
	if (route === undefined) {
		const message = `there is nothing at ${path.slice(0, 200)}; replies are at /v1/chat/completions and /v1/responses`;
		throw new ServiceError(404, message, {code: 'not_found'});
	}
	const {GET, POST, DELETE} = route.serve;
	const served = new Map(
		Object.entries({GET, HEAD: GET, POST, DELETE}).filter(([, serve]) => serve !== undefined),
	);
	const serve = served.get(method);
	if (serve !== undefined) return serve;
	const allow = [...served.keys()].join(', ');
	const message = `${method} is not allowed at ${path.slice(0, 200)}, only ${allow}`;
	throw new ServiceError(405, message, {code: 'method_not_allowed', headers: {allow}});
}

function readModelName(path: string): string {
	const encoded = path.slice('/v1/models/'.length);
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}

function askCompletion(body: JsonObject): Asked {
	const request = checkRequest(body);
	return {request, encoder: completionEncoder(request)};
}

function askResponse(body: JsonObject): Asked {
	const asked = checkResponse(body);
	return {request: asked.request, encoder: responseEncoder(asked)};
}

function serveReply(ask: (body: JsonObject) => Asked): Serve {
	return async (service, {request, response, record}) => {
		const bytes = await readBody(request, service.limits.maxBodyBytes);
		service.recorder.noteBody(record, bytes);
		const asked = ask(parseJsonObject(bytes));
		const left = openReply(service, response);
		await service.takeTurn('newcomer');
		if (left.aborted) return;
		const plan = service.planner.plan(asked.request);
		Object.assign(record?.fields ?? {}, {rule: plan.rule ?? null});
		await sendReply(service, response, asked, plan, left);
	};
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
