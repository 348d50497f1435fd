/** Who may use the service: the host name of a request, its key, and the origin of a page. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {ServiceError} from '../service-error.ts';

const loopbackNamePattern = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Refuses requests for another host on a service that only this machine can reach. They come from a
 * web page whose domain was pointed here (DNS rebinding), which could read what was received.
 *
 * @param ownHost The host that the service was started with; undefined: every name passes.
 * @throws {ServiceError} 421
 */
export function checkHost({headers, socket}: IncomingMessage, ownHost: string | undefined): void {
	const {host} = headers;
	if (host === undefined || ownHost === undefined) return;
	const name = host.toLowerCase().replace(/:\d*$/, '');
	if (loopbackNamePattern.test(name) || name === ownHost.toLowerCase()) return;
	const given = JSON.stringify(host.slice(0, 100));
	const message = `the host ${given} is not a name of this machine; use localhost:${socket.localPort}`;
	throw new ServiceError(421, message, {code: 'misdirected_request'});
}

export function isLoopbackAddress(address: string): boolean {
	return address === '::1' || address.startsWith('127.');
}

/**
 * Compares digests in constant time, and never puts a key into a message.
 *
 * @param apiKey The key of the service; undefined: every request passes.
 * @throws {ServiceError} 401 when the key is missing or wrong.
 */
export function checkKey({headers}: IncomingMessage, apiKey: string | undefined): void {
	if (apiKey === undefined) return;
	const given = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
	if (given !== undefined && timingSafeEqual(digest(given.trim()), digest(apiKey))) return;
	const message =
		given === undefined
			? 'no API key: send the header Authorization: Bearer <API_KEY>'
			: 'the API key is not valid';
	throw new ServiceError(401, message, {
		code: 'invalid_api_key',
		headers: {'www-authenticate': 'Bearer'},
	});
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

/**
 * Allows the pages of an origin to use the service and to read its replies.
 *
 * @param origin An origin or `*`; undefined: no page.
 * @returns whether the request is the question that a browser asks before the real one
 */
export function allowOrigin(
	{method, headers}: IncomingMessage,
	response: ServerResponse,
	origin: string | undefined,
): boolean {
	if (origin === undefined) return false;
	response.setHeader('access-control-allow-origin', origin);
	response.setHeader('access-control-expose-headers', 'x-request-id, retry-after');
	if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
	response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
	const wanted = headers['access-control-request-headers'] ?? 'authorization, content-type';
	response.setHeader('access-control-allow-headers', wanted);
	return true;
}
