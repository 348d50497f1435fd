/** The Messages convention. */
import {createReplyDecoder} from '../decode/decode-reply.ts';
import type {PartRefusal} from '../errors/error-context.ts';
import {refusalOf, valueRefusal} from '../errors/refusal-words.ts';
import {defaultHeaders, type HeaderOptions, keyedHeaders} from '../key-header.ts';
import {operationUrl} from '../operation-url.ts';
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
		pattern: refusalOf(
			[String.raw`\badaptive\b`],
			String.raw`does not match|input tag|extra inputs`,
		),
		isOfModel: true,
		notice: 'this model does not choose how long it thinks; retrying with a budget',
	},
	{
		about: 'thinking',
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

/** A part of requests that one model refuses. */
type RefusedPart = {readonly about: string; readonly model: string};

export function createMessages(
	baseUrl: URL,
	options: HeaderOptions = defaultHeaders,
	refused: readonly RefusedPart[] = [],
): Wire {
	const url = operationUrl(baseUrl, operation);
	const isUsual = options.authHeader === defaultHeaders.authHeader;
	const authHeader = isUsual ? 'x-api-key' : options.authHeader;
	return {
		url,
		words: {
			replyName: 'a message',
			serviceHint: 'Is this the base URL of a service with the Messages API?',
			addressHint: 'The service may not have the Messages API: --wire chat uses chat completions.',
			refusals,
		},
		headers: (apiKey) => ({
			'anthropic-version': version,
			...keyedHeaders({...options, authHeader}, apiKey),
		}),
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
			createReplyDecoder(createBlockDecoder(context, attempts, url.origin), context),
		without: ({about}, model) => createMessages(baseUrl, options, [...refused, {about, model}]),
		async listModels(request) {
			const {readModels} = await import('../read-models.ts');
			const list = new URL(url);
			list.pathname = list.pathname.replace(operation, '/models');
			list.searchParams.set('limit', '1000');
			return readModels(await request(list));
		},
		listLoadedModels: async () => [],
		describeModels: async (models) => models,
	};
}
