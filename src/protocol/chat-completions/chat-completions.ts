/** The chat-completions convention. */
import type {Message} from '../../chat/message.ts';
import {createReplyDecoder} from '../decode/decode-reply.ts';
import type {Wire} from '../wire.ts';
import {createChunkDecoder} from './decode-chunks.ts';
import {encodeParameters, encodeRequest} from './encode-request.ts';
import {chatCompletionsUrl, checkAddress, modelsUrl} from './endpoint.ts';
import {findFallback, noQuirks, type Quirks, quirksOf} from './fallback.ts';
import type {MessageJson} from './json-types.ts';

export type HeaderOptions = {
	/** The header that carries the key: after `Bearer` in `Authorization`, alone in any other. */
	readonly authHeader: string;
	/** More headers, by name in lower case. */
	readonly headers: Readonly<Record<string, string>>;
};

const defaultHeaders: HeaderOptions = {authHeader: 'Authorization', headers: {}};

export function createChatCompletions(baseUrl: URL, options = defaultHeaders): Wire {
	const url = chatCompletionsUrl(baseUrl);
	const words = {
		replyName: 'a chat completion',
		serviceHint: 'Is the base URL that of a chat-completions service?',
		...checkAddress(baseUrl),
	};
	return createWire({url, words}, options, quirksOf(url));
}

/** Returns messages as the body of a request has them, for services without quirks. */
export function encodeMessages(
	messages: readonly Message[],
	model: string,
): readonly MessageJson[] {
	return encodeRequest({messages, options: {model, isStreaming: false}}, noQuirks).messages;
}

type Endpoint = Pick<Wire, 'url' | 'words'>;

function createWire(endpoint: Endpoint, options: HeaderOptions, quirks: Quirks): Wire {
	const {url} = endpoint;
	return {
		...endpoint,
		headers: (apiKey) => ({...options.headers, ...keyHeader(options, apiKey)}),
		encode(stepRequest) {
			const request = encodeRequest(stepRequest, quirks);
			const parameters = Object.entries(encodeParameters(stepRequest.options, quirks));
			return {
				body: JSON.stringify(request),
				isStreaming: request.stream,
				chosenFields: parameters.flatMap(([name, value]) => (value === undefined ? [] : [name])),
			};
		},
		createDecoder: (context, attempts) =>
			createReplyDecoder(createChunkDecoder(context, attempts), context),
		findFallback({details}, body) {
			const found = findFallback(quirks, details, body);
			if (found === undefined) return undefined;
			const {message, field} = found;
			return {wire: createWire(endpoint, options, found.quirks), message, field};
		},
		// Few runs ask about models.
		async listModels(request) {
			const {readModels} = await import('./read-models.ts');
			return readModels(await request(modelsUrl(url)));
		},
		async listLoadedModels(models, request) {
			const {listLoadedModels} = await import('./native-models.ts');
			return await listLoadedModels(models, url, request);
		},
		async describeModels(models, request) {
			const {askNativeApi} = await import('./native-models.ts');
			return await askNativeApi(models, url, request);
		},
	};
}

function keyHeader(
	{authHeader}: HeaderOptions,
	apiKey: string | undefined,
): HeaderOptions['headers'] {
	if (apiKey === undefined) return {};
	const name = authHeader.toLowerCase();
	return {[name]: name === 'authorization' ? `Bearer ${apiKey}` : apiKey};
}
