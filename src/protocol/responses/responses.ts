/** The Responses convention, as Open Responses defines it. */
import {createWire, type WireOptions} from '../create-wire.ts';
import type {PartRefusal} from '../errors/error-context.ts';
import {refusalOf, sentenceWith, valueRefusal} from '../errors/refusal-words.ts';
import {defaultHeaders, keyedHeaders} from '../key-header.ts';
import {modelsUrl, operationUrl} from '../operation-url.ts';
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
		// OpenAI shows summaries to verified organizations only.
		about: 'reasoning summary',
		statuses: [400, 403],
		pattern: sentenceWith(String.raw`\bverif`, String.raw`\breasoning summar`),
		notice: 'this account gets no reasoning summaries; retrying without them',
	},
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

export function createResponses(baseUrl: URL, options: WireOptions = defaultHeaders): Wire {
	const url = operationUrl(baseUrl, operation);
	return createWire({
		name: 'responses',
		url,
		batchPath: `/v1${operation}`,
		modelsUrl: modelsUrl(url, operation),
		words: {
			replyName: 'a response',
			serviceHint: 'Is this the base URL of a service with the Responses API?',
			addressHint: 'The service may not have the Responses API: --wire chat uses chat completions.',
			refusals,
		},
		findFacts: options.findFacts,
		headers: (apiKey) => keyedHeaders(options, apiKey),
		encodeRequest: (request, isRefused) => encodeRequest(request, url.origin, isRefused),
		encodeParameters,
		createDecoder: (context, attempts) => createEventDecoder(context, attempts, url.origin),
	});
}
