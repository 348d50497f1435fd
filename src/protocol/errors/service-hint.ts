/** Hints for the errors that a service reports, as one table. */

import {hasVersion} from '../chat-completions/endpoint.ts';
import {streamRefusal, temperatureRefusal, topPRefusal} from '../chat-completions/fallback.ts';
import {formatDuration} from '../duration.ts';
import {proxyLoginHint} from '../http/socket-error.ts';
import type {ErrorContext} from './error-context.ts';
import type {ParsedError} from './parse-error-body.ts';

type Refusal = {
	readonly status: number | undefined;
	readonly parsed: ParsedError;
	/** How long the service asks to wait, in milliseconds. */
	readonly waitMs: number | undefined;
	readonly context: ErrorContext;
};

type Row = {
	readonly statuses?: readonly number[];
	/** Found in the message, the code, the type or the reason. */
	readonly pattern?: RegExp;
	/** Returns undefined to leave the hint to the next row that fits. */
	hint(refusal: Refusal): string | undefined;
};

/** A 429 that waiting does not help, in the words of several services. */
export const noQuota =
	/insufficient_(?:quota|balance|credit|funds)|exceeded_current_quota|billing_(?:hard_limit|not_active)|insufficient balance|credit balance is too low/i;

/** Some services answer 400 to a wrong key. */
export const wrongKey =
	/API_KEY_INVALID|invalid_api_key|(?:incorrect|invalid) api key|api key not (?:valid|found)/i;

const rows: readonly Row[] = [
	{statuses: [407], hint: () => proxyLoginHint},
	{
		statuses: [401, 403],
		hint: ({parsed}) =>
			parsed.isPage
				? 'A web page answered, not the service: a firewall, a login page or a proxy is in front of it.'
				: undefined,
	},
	{pattern: noQuota, hint: quotaHint},
	{statuses: [402], hint: quotaHint},
	{pattern: wrongKey, hint: ({context}) => keyHint(context, 'does not accept')},
	{statuses: [401], hint: ({context}) => keyHint(context, 'does not accept')},
	{
		statuses: [403],
		pattern: /\b(?:moderation|flagged|content policy)/i,
		hint: () => 'The service refused the prompt because of its content, not the key.',
	},
	{statuses: [403], hint: ({context}) => keyHint(context, 'denied access to')},
	{
		statuses: [413],
		hint: () => 'The request is too large: send fewer or smaller images or files.',
	},
	{
		statuses: [400],
		pattern:
			/plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server|plain HTTP to an SSL/i,
		hint: () => 'The port expects https: write https:// in the base URL.',
	},
	{
		pattern: /must contain the word '?json/i,
		hint: () => 'Mention JSON in the prompt or in the system message (-s).',
	},
	{statuses: [400, 422], pattern: streamRefusal, hint: () => 'Use --no-stream.'},
	{statuses: [400, 422], pattern: temperatureRefusal, hint: unsetHint},
	{statuses: [400, 422], pattern: topPRefusal, hint: unsetHint},
	{statuses: [429], hint: waitHint},
	{hint: (refusal) => (refusal.waitMs === undefined ? undefined : waitHint(refusal))},
	{statuses: [400, 404], hint: modelHint},
	{statuses: [404], hint: endpointHint},
	{pattern: /unexpected endpoint/i, hint: endpointHint},
];

export function findHint(refusal: Refusal): string | undefined {
	const {status, parsed} = refusal;
	const words = wordsOf(parsed);
	for (const {statuses, pattern, hint} of rows) {
		if (statuses !== undefined && !statuses.some((known) => known === status)) continue;
		if (pattern !== undefined && !pattern.test(words)) continue;
		const found = hint(refusal);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Returns the words of the service, in one text. */
export function wordsOf({message, code, type, reason}: ParsedError): string {
	return [message, code, type, reason].join('\n');
}

function unsetHint(): string {
	return 'Unset it for this model; chat config list shows where it is set.';
}

function quotaHint(): string {
	return 'The account has no credit or quota left; retrying will not help.';
}

function keyHint({keySource, isKeyReadAgain = false}: ErrorContext, verb: string): string {
	if (keySource === undefined) {
		return isKeyReadAgain
			? 'No API key was sent. Store one with: chat auth set (the next prompt uses it)'
			: 'No API key was sent. Set CHAT_API_KEY, or store one with: chat auth set';
	}
	const next = isKeyReadAgain ? ' The next prompt uses a new one that is stored there.' : '';
	return `The service ${verb} the key from ${keySource}. Does the key belong to this service?${next}`;
}

function waitHint({waitMs}: Refusal): string {
	return waitMs === undefined
		? 'Try again later.'
		: `The service asks to wait ${formatDuration(waitMs)}.`;
}

const missingModel =
	/not (?:be )?found|not exist|unknown|no such|not a valid|invalid model|model_not_found|not supported/i;

/** Whether a refusal (400, 404) is about the model and not about the rest of the request. */
export function isAboutModel(words: string, {model, isModelChosen}: ErrorContext): boolean {
	if (!/model/i.test(words)) return false;
	return !isModelChosen || words.includes(model) || missingModel.test(words);
}

function modelHint({parsed, context}: Refusal): string | undefined {
	if (!isAboutModel(wordsOf(parsed), context)) return undefined;
	return context.isModelChosen
		? 'Choose another model with -m, or with /model in a session.'
		: `No model is set, so the default ${context.model} was requested. Choose one with -m or CHAT_MODEL.`;
}

/** The addresses of other operations, which people paste as the base URL. */
const otherOperation =
	/(\/(?:responses|messages|completions|embeddings|models|api\/chat|api\/generate))(?:\/v1)?\/chat\/completions$/;

function endpointHint({context: {url}}: Refusal): string {
	const [, other] = otherOperation.exec(url.pathname) ?? [];
	if (other !== undefined) return `Leave ${other} out of the base URL: it is another operation.`;
	if (!hasVersion(url.pathname)) return 'The base URL has no version; perhaps it ends in /v1.';
	return 'Check the path of the base URL. To use it as it is, end it in /chat/completions.';
}
