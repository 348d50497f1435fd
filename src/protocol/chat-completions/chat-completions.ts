/** The chat-completions convention. */
import type {Message} from '../../chat/message.ts';
import {createReplyDecoder} from '../decode/decode-reply.ts';
import {defaultHeaders, type HeaderOptions, keyedHeaders} from '../key-header.ts';
import type {Wire} from '../wire.ts';
import {createChunkDecoder} from './decode-chunks.ts';
import {encodeParameters, encodeRequest} from './encode-request.ts';
import {chatCompletionsUrl, checkAddress, modelsUrl} from './endpoint.ts';
import type {MessageJson} from './json-types.ts';
import {refusals} from './words.ts';

export function createChatCompletions(baseUrl: URL, options = defaultHeaders): Wire {
	const url = chatCompletionsUrl(baseUrl);
	const words = {
		replyName: 'a chat completion',
		serviceHint: 'Is this the base URL of a chat-completions service?',
		...checkAddress(baseUrl),
		refusals,
	};
	const isOpenAi = /(?:^|\.)api\.openai\.com$/.test(url.hostname);
	return createWire({url, words}, options, isOpenAi ? [{about: 'max_tokens'}] : []);
}

/** Returns messages as the body of a request has them, for services that refuse nothing. */
export function encodeMessages(
	messages: readonly Message[],
	model: string,
): readonly MessageJson[] {
	return encodeRequest({messages, options: {model, isStreaming: false}}, () => false).messages;
}

type Endpoint = Pick<Wire, 'url' | 'words'>;

/** A part of requests that the service refuses, or only one model. */
type RefusedPart = {readonly about: string; readonly model?: string | undefined};

function createWire(
	endpoint: Endpoint,
	options: HeaderOptions,
	refused: readonly RefusedPart[],
): Wire {
	const {url} = endpoint;
	return {
		...endpoint,
		headers: (apiKey) => keyedHeaders(options, apiKey),
		encode(stepRequest) {
			const requested = stepRequest.options.model;
			const isRefused = (part: string) =>
				refused.some(({about, model = requested}) => about === part && model === requested);
			const request = encodeRequest(stepRequest, isRefused);
			const parameters = Object.entries(encodeParameters(stepRequest.options, isRefused));
			return {
				body: JSON.stringify(request),
				isStreaming: request.stream,
				chosenFields: parameters.flatMap(([name, value]) => (value === undefined ? [] : [name])),
			};
		},
		createDecoder: (context, attempts) =>
			createReplyDecoder(createChunkDecoder(context, attempts), context),
		without: ({about, isOfModel = false}, model) =>
			createWire(endpoint, options, [...refused, {about, model: isOfModel ? model : undefined}]),
		// Few runs ask about models.
		async listModels(request) {
			const {readModels} = await import('../read-models.ts');
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
