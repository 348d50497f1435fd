/** The chat-completions convention. */
import type {Message} from '../../chat/message.ts';
import {ChatError} from '../../errors.ts';
import type {JsonObject} from '../../json.ts';
import {createWire} from '../create-wire.ts';
import {defaultHeaders, keyedHeaders} from '../key-header.ts';
import {modelsUrl} from '../operation-url.ts';
import type {Wire} from '../wire.ts';
import {createChunkDecoder} from './decode-chunks.ts';
import {encodeParameters, encodeRequest} from './encode-request.ts';
import {chatCompletionsUrl, checkAddress, operation} from './endpoint.ts';
import type {MessageJson} from './json-types.ts';
import {refusals} from './words.ts';

export function createChatCompletions(baseUrl: URL, options = defaultHeaders): Wire {
	const url = chatCompletionsUrl(baseUrl);
	const isOpenAi = /(?:^|\.)api\.openai\.com$/.test(url.hostname);
	const refused = isOpenAi ? [{about: 'max_tokens'}] : [];
	return createWire(
		{
			name: 'chat',
			url,
			batchPath: `/v1${operation}`,
			modelsUrl: modelsUrl(url, operation),
			words: {
				replyName: 'a chat completion',
				serviceHint: 'Is this the base URL of a chat-completions service?',
				...checkAddress(baseUrl),
				refusals,
			},
			headers: (apiKey) => keyedHeaders(options, apiKey),
			encodeRequest: (request, isRefused) => ({
				...(request.options.isSearching ? searchFields(url) : {}),
				...encodeRequest(request, isRefused),
			}),
			encodeParameters,
			createDecoder: createChunkDecoder,
			async listLoadedModels(models, request) {
				const {listLoadedModels} = await import('./native-models.ts');
				return await listLoadedModels(models, url, request);
			},
			async describeModels(models, request) {
				const {askNativeApi} = await import('./native-models.ts');
				return await askNativeApi(models, url, request);
			},
		},
		refused,
	);
}

/** @throws {ChatError} `usage` for a service without a search of its own */
function searchFields({hostname}: URL): JsonObject {
	if (hostname === 'openrouter.ai') return {plugins: [{id: 'web'}]};
	throw new ChatError('usage', 'this service has no web search over chat completions', {
		hint: 'Leave --search out, or add an MCP server that searches: chat mcp add',
	});
}

/** Returns messages as the body of a request has them, for services that refuse nothing. */
export function encodeMessages(
	messages: readonly Message[],
	model: string,
): readonly MessageJson[] {
	return encodeRequest({messages, options: {model, isStreaming: false}}, () => false).messages;
}
