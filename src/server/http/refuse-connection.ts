/** Replies to requests that are not valid HTTP, in the form of every other error. */
import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {nodeHttp} from '../../protocol/node-http.ts';
import {encodeError, ServiceError} from '../service-error.ts';
import {makeRequestId} from './handle-request.ts';

const badRequest = [400, 'the request is not valid HTTP'] as const;

const refusalOfCode: Readonly<Record<string, readonly [status: number, message: string]>> = {
	HPE_HEADER_OVERFLOW: [431, 'the headers are too large'],
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};

/** Answers bytes that the HTTP parser rejects, and headers that never end. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
	// The client may have half of a response already: a second one inside it would mislead.
	const hasAnswered = ((socket as Socket).bytesWritten ?? 0) > 0;
	if (!socket.writable || hasAnswered || error.code === 'ECONNRESET') {
		socket.destroy();
		return;
	}
	const [status, message] = refusalOfCode[error.code ?? ''] ?? badRequest;
	const body = JSON.stringify(encodeError(new ServiceError(status, message)));
	const head = [
		`HTTP/1.1 ${status} ${nodeHttp().STATUS_CODES[status]}`,
		'content-type: application/json; charset=utf-8',
		`content-length: ${Buffer.byteLength(body)}`,
		`x-request-id: ${makeRequestId()}`,
		'connection: close',
	];
	socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
