/** Access checks: a request's host name, its key, and the page's origin. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {ServiceError} from '../service-error.ts';

const loopbackNamePattern = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Refuses requests for another host on a loopback service. They come from a web page whose domain
 * points here (DNS rebinding), and which could read recorded requests.
 *
 * @param ownHost the host that the service was started with; undefined: every name passes
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
 * @param apiKey the service's key; undefined: every request passes
 * @throws {ServiceError} 401 for a missing or wrong key
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
 * Allows an origin's pages to use the service and read its replies.
 *
 * @param origin an origin or `*`; undefined: no page
 * @returns whether the request is a browser's preflight
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
