/** The Bearer check. Compares digests in constant time, and never puts a key into a message. */
import {createHash, timingSafeEqual} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {ServiceError} from '../service-error.ts';

/**
 * @param apiKey The key of the service; undefined: every request passes.
 * @throws {ServiceError} 401 when the key is missing or wrong.
 */
export function authorize(request: IncomingMessage, apiKey: string | undefined): void {
	if (apiKey === undefined) return;
	const given = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
	if (given === undefined) {
		throw unauthorized('no API key: send the header Authorization: Bearer <API_KEY>');
	}
	if (!timingSafeEqual(digest(given.trim()), digest(apiKey))) {
		throw unauthorized('the API key is not valid');
	}
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

function unauthorized(message: string): ServiceError {
	return new ServiceError(401, message, {
		code: 'invalid_api_key',
		headers: {'www-authenticate': 'Bearer'},
	});
}
