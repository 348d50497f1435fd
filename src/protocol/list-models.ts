/** The models that a service offers, for a message: if anything fails, the list is empty. */
import {parseJson} from '../json.ts';
import {modelsUrl} from './endpoint.ts';
import {readText} from './http/read-text.ts';
import {directRoute, openRoute, type Route} from './http/route.ts';
import {send} from './http/transport.ts';
import {asArray, asObject, asText} from './json-values.ts';

const limitMs = 3000;

/** The ids of `GET …/models`, in the service's order. */
export async function listModels(
	connection: {
		readonly url: URL;
		readonly apiKey?: string | undefined;
		readonly route?: Route | undefined;
	},
	signal: AbortSignal,
): Promise<readonly string[]> {
	const url = modelsUrl(connection.url);
	const {apiKey, route = directRoute} = connection;
	try {
		const reply = await send({
			method: 'GET',
			url,
			headers: {
				accept: 'application/json',
				'user-agent': 'chat-completions-cli',
				...(apiKey === undefined ? {} : {authorization: `Bearer ${apiKey}`}),
			},
			body: '',
			route: await openRoute(url, route),
			limits: {connectMs: limitMs, idleMs: limitMs, payloadMs: limitMs, finishGraceMs: limitMs},
			isStreaming: false,
			signal,
		});
		const text = await readText(reply);
		reply.close();
		return reply.head.status === 200 ? readIds(text) : [];
	} catch {
		return [];
	}
}

function readIds(text: string): readonly string[] {
	const list = asArray(asObject(parseJson(text))?.['data']) ?? [];
	return list.flatMap((item) => asText(asObject(item)?.['id']) ?? []);
}
