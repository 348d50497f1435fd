/**
 * The paths of the service, their methods, and who serves them.
 */
import {completeChat} from './complete-chat.ts';
import type {Exchange} from './exchange.ts';
import {findModel, listModels} from './models.ts';
import {sendJson} from './send-json.ts';
import type {Service} from './service.ts';
import {ServiceError} from './service-error.ts';

export type Route = {
	readonly pattern: RegExp;
	readonly method: 'GET' | 'POST';
	/** Whether it is served without a key. */
	readonly isOpen?: boolean;
	readonly serve: (service: Service, exchange: Exchange) => Promise<void> | void;
};

const routes: readonly Route[] = [
	{pattern: /^\/v1\/chat\/completions$/, method: 'POST', serve: completeChat},
	{
		pattern: /^\/v1\/models$/,
		method: 'GET',
		serve: (_service, {response}) => sendJson(response, 200, listModels()),
	},
	{
		pattern: /^\/v1\/models\/.+$/,
		method: 'GET',
		serve: (_service, {response, path}) => sendJson(response, 200, findModel(readModelName(path))),
	},
	{
		pattern: /^\/health$/,
		method: 'GET',
		isOpen: true,
		serve: ({slots}, {response}) => sendJson(response, 200, {status: 'ok', replies: slots.taken}),
	},
];

export function findRoute(path: string): Route | undefined {
	return routes.find((route) => route.pattern.test(path));
}

/** @throws {ServiceError} 404 when there is no route, 405 when it has another method. */
export function checkMethod(
	route: Route | undefined,
	path: string,
	method: string,
): asserts route is Route {
	if (route === undefined) {
		const message = `there is nothing at ${path.slice(0, 200)}; chat completions are at /v1/chat/completions`;
		throw new ServiceError(404, message, {code: 'not_found'});
	}
	const allowed = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
	if (allowed.includes(method)) return;
	const allow = allowed.join(', ');
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
