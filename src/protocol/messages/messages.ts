/** The Messages convention. */
import {createWire, type WireOptions} from '../create-wire.ts';
import type {PartRefusal} from '../errors/error-context.ts';
import {refusalOf, valueRefusal} from '../errors/refusal-words.ts';
import {defaultHeaders, keyedHeaders} from '../key-header.ts';
import {modelsUrl, operationUrl} from '../operation-url.ts';
import type {Wire} from '../wire.ts';
import {createBlockDecoder} from './decode-blocks.ts';
import {encodeParameters, encodeRequest} from './encode-request.ts';

const operation = '/messages';
const version = '2023-06-01';

/** Models that think by budget say `enabled`, others refuse thinking as a whole. */
const refusals: readonly PartRefusal[] = [
	{
		about: 'adaptive thinking',
		statuses: [400],
		pattern: refusalOf([String.raw`\badaptive\b`], 'does not match|input tag|extra inputs'),
		isOfModel: true,
		notice: 'this model does not choose how long it thinks; retrying with a budget',
	},
	{
		about: 'reasoning',
		statuses: [400],
		pattern: refusalOf([String.raw`\bthinking\b|\bsignature\b`], 'invalid'),
		isOfModel: true,
		notice: 'this model does not accept thinking; retrying without it',
	},
	{
		about: 'effort',
		statuses: [400],
		pattern: refusalOf([String.raw`\beffort\b`]),
		unless: valueRefusal,
		field: 'effort',
		isOfModel: true,
		notice: 'this model does not take an effort; retrying without it',
	},
	{
		about: 'max_tokens',
		statuses: [400],
		pattern: /\bmax_tokens\b[\s\S]*\bmaximum\b/i,
		isOfModel: true,
		notice: 'retrying with a smaller max_tokens, as this model requires',
	},
];

export function createMessages(baseUrl: URL, options: WireOptions = defaultHeaders): Wire {
	const url = operationUrl(baseUrl, operation);
	const list = modelsUrl(url, operation);
	list.searchParams.set('limit', '1000');
	const {findFacts} = options;
	const isUsual = options.authHeader === defaultHeaders.authHeader;
	const authHeader = isUsual ? 'x-api-key' : options.authHeader;
	return createWire({
		name: 'messages',
		url,
		modelsUrl: list,
		words: {
			replyName: 'a message',
			serviceHint: 'Is this the base URL of a service with the Messages API?',
			addressHint: 'The service may not have the Messages API: --wire chat uses chat completions.',
			refusals,
		},
		findFacts,
		headers: (apiKey) => ({
			'anthropic-version': version,
			...keyedHeaders({...options, authHeader}, apiKey),
		}),
		encodeRequest: (request, isRefused) => {
			const maxTokens = findFacts?.(request.options.model).output;
			return encodeRequest(request, {origin: url.origin, maxTokens}, isRefused);
		},
		encodeParameters,
		createDecoder: (context, attempts) => createBlockDecoder(context, attempts, url.origin),
	});
}
