/** The chat-completions convention. */
import {createReplyDecoder} from '../decode/decode-reply.ts';
import {asArray, asObject, asText} from '../json-values.ts';
import type {Wire} from '../wire.ts';
import {createChunkDecoder} from './decode-chunks.ts';
import {encodeRequest} from './encode-request.ts';
import {addressHint, chatCompletionsUrl, modelsUrl} from './endpoint.ts';
import {findFallback, type Quirks, quirksOf} from './fallback.ts';

export function createChatCompletions(baseUrl: URL): Wire {
	const url = chatCompletionsUrl(baseUrl);
	return createWire(url, quirksOf(url));
}

function createWire(url: URL, quirks: Quirks): Wire {
	return {
		url,
		addressHint: addressHint(url),
		headers: (apiKey) => (apiKey === undefined ? {} : {authorization: `Bearer ${apiKey}`}),
		encode(stepRequest) {
			const request = encodeRequest(stepRequest, quirks);
			return {body: JSON.stringify(request), isStreaming: request.stream};
		},
		createDecoder: (context, attempts) =>
			createReplyDecoder(createChunkDecoder(context, attempts), context),
		findFallback({details: {status, serviceMessage = ''}}, body) {
			const fallback = findFallback(quirks, status, serviceMessage, body);
			return fallback && {wire: createWire(url, fallback.quirks), message: fallback.message};
		},
		async listModels(get) {
			const list = asArray(asObject(await get(modelsUrl(url)))?.['data']) ?? [];
			return list.flatMap((item) => asText(asObject(item)?.['id']) ?? []);
		},
	};
}
