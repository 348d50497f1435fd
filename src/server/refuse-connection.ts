/**
 * What is no proper HTTP request still gets a proper reply, in the form of every other error.
 */
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';
import {makeRequestId} from './handle-request.ts';
import {sendJson} from './send-json.ts';
import {encodeError, ServiceError} from './service-error.ts';

type Refusal = {readonly status: number; readonly phrase: string; readonly message: string};

const badRequest: Refusal = {
	status: 400,
	phrase: 'Bad Request',
	message: 'the request is no valid HTTP',
};

const refusalOfCode: Readonly<Record<string, Refusal>> = {
	HPE_HEADER_OVERFLOW: {
		status: 431,
		phrase: 'Request Header Fields Too Large',
		message: 'the headers are too large',
	},
	ERR_HTTP_REQUEST_TIMEOUT: {
		status: 408,
		phrase: 'Request Timeout',
		message: 'the request took too long to arrive',
	},
};

/** Answers bytes that the HTTP parser refuses, and headers that never end. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
	// What was written before may be half of a response: a second one inside it would mislead.
	const hasAnswered = ((socket as Socket).bytesWritten ?? 0) > 0;
	if (!socket.writable || hasAnswered || error.code === 'ECONNRESET') {
		socket.destroy();
		return;
	}
	const {status, phrase, message} = refusalOfCode[error.code ?? ''] ?? badRequest;
	const body = JSON.stringify(encodeError(new ServiceError(status, message)));
	const head = [
		`HTTP/1.1 ${status} ${phrase}`,
		'content-type: application/json; charset=utf-8',
		`content-length: ${Buffer.byteLength(body)}`,
		`x-request-id: ${makeRequestId()}`,
		'connection: close',
	];
	socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** Answers an `Expect` header other than `100-continue`. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
	response.setHeader('x-request-id', makeRequestId());
	const error = new ServiceError(417, 'the only expectation known here is 100-continue');
	sendJson(response, error.status, encodeError(error), {connection: 'close'});
}
