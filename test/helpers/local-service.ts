/**
 * A service that lists its models and answers every prompt with `Hello from` and the model, as local
 * services do. It records the requests and stops with the test.
 */
import {createServer} from 'node:http';
import {text} from 'node:stream/consumers';
import {listen} from './listen.ts';

export type LocalServiceOptions = {
	/** Other requests get 401. */
	readonly key?: string;
	/** The reply to the request for the models, in place of the list. */
	readonly listReply?: string;
	/** The status of answers, with an error in place of an answer. */
	readonly chatStatus?: number;
};

export type LocalService = {
	readonly port: number;
	/** `127.0.0.1:<port>` */
	readonly host: string;
	/** Each request so far: `GET /v1/models`, and the key if there was one. */
	readonly requests: readonly string[];
};

export async function startLocalService(
	models: readonly string[],
	{key, listReply, chatStatus}: LocalServiceOptions = {},
): Promise<LocalService> {
	const requests: string[] = [];
	const server = createServer(async (request, response) => {
		const body = await text(request);
		const {authorization} = request.headers;
		const line = `${request.method} ${request.url}`;
		requests.push(authorization === undefined ? line : `${line} ${authorization}`);
		response.setHeader('content-type', 'application/json');
		if (key !== undefined && authorization !== `Bearer ${key}`) {
			response.writeHead(401).end('{"error":{"message":"wrong key"}}');
		} else if (request.url === '/v1/models') {
			const data = models.map((id) => ({id, object: 'model'}));
			response.end(listReply ?? JSON.stringify({object: 'list', data}));
		} else if (chatStatus !== undefined) {
			response.writeHead(chatStatus).end('{"error":{"message":"out of order"}}');
		} else {
			const {model} = JSON.parse(body);
			const message = {role: 'assistant', content: `Hello from ${model}`};
			const choices = [{index: 0, message, finish_reason: 'stop'}];
			response.end(JSON.stringify({id: 'c1', object: 'chat.completion', model, choices}));
		}
	});
	const port = await listen(server);
	return {port, host: `127.0.0.1:${port}`, requests};
}

/** Variables that lead the names of all local services to ports where nothing answers. */
export const noLocalServices: Readonly<Record<string, string>> = {
	OLLAMA_HOST: '127.0.0.1:1',
	LM_STUDIO_URL: 'http://127.0.0.1:1',
	LLAMA_ARG_PORT: '1',
};
