/** The Responses convention, as Open Responses defines it. */
import {createReplyDecoder} from '../decode/decode-reply.ts';
import type {PartRefusal} from '../errors/error-context.ts';
import {refusalOf, valueRefusal} from '../errors/refusal-words.ts';
import {defaultHeaders, type HeaderOptions, keyedHeaders} from '../key-header.ts';
import {operationUrl} from '../operation-url.ts';
import type {Wire} from '../wire.ts';
import {createEventDecoder} from './decode-events.ts';
import {encodeParameters, encodeRequest} from './encode-request.ts';

const operation = '/responses';

const fieldOfModel = (name: string): PartRefusal => ({
	about: name,
	statuses: [400, 422],
	field: name,
	pattern: refusalOf([String.raw`\b${name}\b`]),
	unless: valueRefusal,
	isOfModel: true,
	notice: `this model does not take ${name}; retrying without it`,
});

const refusals: readonly PartRefusal[] = [
	fieldOfModel('temperature'),
	fieldOfModel('top_p'),
	{
		about: 'reasoning',
		statuses: [400, 422],
		pattern: refusalOf(
			[String.raw`\bencrypted[ _]content|\breasoning(?:\.summary|\.effort)?\b`],
			'invalid_encrypted_content|could not be (?:decrypted|verified)',
		),
		unless: valueRefusal,
		isOfModel: true,
		notice: 'this model takes no reasoning; retrying without it',
	},
];

/** A part of requests that one model refuses. */
type RefusedPart = {readonly about: string; readonly model: string};

export function createResponses(
	baseUrl: URL,
	options: HeaderOptions = defaultHeaders,
	refused: readonly RefusedPart[] = [],
): Wire {
	const url = operationUrl(baseUrl, operation);
	return {
		url,
		words: {
			replyName: 'a response',
			serviceHint: 'Is this the base URL of a service with the Responses API?',
			addressHint: 'The service may not have the Responses API: --wire chat uses chat completions.',
			refusals,
		},
		headers: (apiKey) => keyedHeaders(options, apiKey),
		encode(request) {
			const {model} = request.options;
			const isRefused = (part: string) =>
				refused.some((other) => other.about === part && other.model === model);
			const parameters = Object.entries(encodeParameters(request.options, isRefused));
			return {
				body: JSON.stringify(encodeRequest(request, url.origin, isRefused)),
				isStreaming: request.options.isStreaming,
				chosenFields: parameters.flatMap(([name, value]) => (value === undefined ? [] : [name])),
			};
		},
		createDecoder: (context, attempts) =>
			createReplyDecoder(createEventDecoder(context, attempts, url.origin), context),
		without: ({about}, model) => createResponses(baseUrl, options, [...refused, {about, model}]),
		async listModels(request) {
			const {readModels} = await import('../read-models.ts');
			const list = new URL(url);
			list.pathname = list.pathname.replace(operation, '/models');
			return readModels(await request(list));
		},
		listLoadedModels: async () => [],
		describeModels: async (models) => models,
	};
}
