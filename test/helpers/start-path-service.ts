/** Starts a service that replies by method and path, for one test. */
import {createServer, type IncomingHttpHeaders, type ServerResponse} from 'node:http';
import {text} from 'node:stream/consumers';
import {listen} from './listen.ts';

export type PathRequest = {
	/** Method and path: `GET /v1/models`. */
	readonly line: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
};

export type PathService = {
	readonly url: string;
	/** The requests so far; the list grows. */
	readonly requests: readonly PathRequest[];
};

type Headers = Readonly<Record<string, string>>;

/** Makes a reply that is not JSON with status 200. */
export function rawReply(status: number, body: string, headers: Headers = {}): Reply {
	return (response) => response.writeHead(status, headers).end(body);
}

type Reply = (response: ServerResponse) => void;

/** @param replies JSON values or raw replies by method and path; anything else gets 404 */
export async function startPathService(
	replies: Readonly<Record<string, unknown>>,
): Promise<PathService> {
	const requests: PathRequest[] = [];
	const server = createServer(async (request, response) => {
		const line = `${request.method} ${request.url}`;
		requests.push({line, headers: request.headers, body: await text(request)});
		const reply = Object.hasOwn(replies, line) ? replies[line] : rawReply(404, 'no such path');
		if (typeof reply === 'function') reply(response);
		else response.end(JSON.stringify(reply));
	});
	return {url: `http://127.0.0.1:${await listen(server)}`, requests};
}
