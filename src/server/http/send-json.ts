/** One JSON value as a whole response. */
import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';

export function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: OutgoingHttpHeaders = {},
): void {
	writeJson(response, status, body, headers);
	response.end();
}

/** Like `sendJson`, but leaves the response open. Its length is known, so a client need not wait. */
export function writeJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: OutgoingHttpHeaders = {},
): void {
	const bytes = Buffer.from(JSON.stringify(body));
	response.writeHead(status, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': bytes.length,
		...headers,
	});
	response.write(bytes);
}
