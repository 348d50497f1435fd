/** Hints for the errors that a service reports, as one table. */
import {codeOf, type Hint} from '../../hint.ts';
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
	hint(refusal: Refusal): Hint | undefined;
};

/** A 429 that waiting does not help, in the words of several services. */
export const noQuota =
	/insufficient_(?:quota|balance|credit|funds)|exceeded_current_quota|billing_(?:hard_limit|not_active)|insufficient balance|credit balance is too low/i;

/** Some services answer 400 to a wrong key. */
export const wrongKey =
	/API_KEY_INVALID|invalid_api_key|(?:incorrect|invalid) api key|api key not (?:valid|found)/i;

const refusalWords = [
	String.raw`forbidden|\b(?:unsupported|unrecogni[sz]ed|deprecated|no longer)`,
	String.raw`\bunknown (?:name|field|param|arg|key|propert|variant|request)|\bis unknown`,
	String.raw`\bextra (?:input|field)|\badditional propert|\bwas unexpected`,
	String.raw`\bunexpected (?:name|field|param|arg|key|propert|input)|\bonly the default`,
	String.raw`(?:\bnot|n't|\bcannot) (?:currently |yet |be )*(?:support|permit|allow|accept|recogni[sz]|know|implement|compatible|a valid)`,
].join('|');

/**
 * Returns a pattern for a text that refuses fields, in one of its sentences: not one that only mentions
 * them, or says that a value is out of range.
 *
 * @param more patterns of further words that refuse these fields
 */
export function refusalOf(fields: readonly string[], more = '(?!)'): RegExp {
	const start = String.raw`(?:^|[.!?;]\s+|\n)`;
	const sentence = String.raw`(?:(?![.!?;]\s|\n)[\s\S])*?`;
	const parts = [...fields, `${refusalWords}|${more}`];
	return new RegExp(start + parts.map((part) => `(?=${sentence}(?:${part}))`).join(''), 'i');
}

/** Fields of most conventions. The word alone: `stream_options` is another field. */
export const streamRefusal = new RegExp(
	`verified to stream|${refusalOf([String.raw`\bstream(?:ing)?\b`]).source}`,
	'i',
);

/** Some services require a message that says JSON. */
export const jsonNotMentioned = /must contain the word '?json/i;

export const temperatureRefusal = refusalOf([String.raw`\btemperature\b`]);
export const topPRefusal = refusalOf([String.raw`\btop_p\b`]);

/** A refusal of OpenAI's models over chat completions. Some reason even without the field. */
export const reasoningWithToolsRefusal = refusalOf([String.raw`\btools?\b`, 'reasoning.?effort']);

const rows: readonly Row[] = [
	{statuses: [407], hint: () => ({code: 'proxy-login'})},
	{
		statuses: [401, 403],
		hint: ({parsed}) => (parsed.isPage ? {code: 'check-gateway'} : undefined),
	},
	{pattern: noQuota, hint: () => ({code: 'no-credit'})},
	{statuses: [402], hint: () => ({code: 'no-credit'})},
	{pattern: wrongKey, hint: ({context}) => keyHint(context, false)},
	{statuses: [401], hint: keyHeaderHint},
	{statuses: [401], hint: ({context}) => keyHint(context, false)},
	{
		statuses: [403],
		pattern: /\b(?:moderation|flagged|content policy)/i,
		hint: () => ({code: 'content-refused'}),
	},
	{statuses: [403], hint: ({context}) => keyHint(context, true)},
	{statuses: [413], hint: () => ({code: 'request-too-large'})},
	{
		statuses: [400],
		pattern:
			/plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server|plain HTTP to an SSL/i,
		hint: () => ({code: 'use-https'}),
	},
	{pattern: jsonNotMentioned, hint: () => ({code: 'mention-json'})},
	{statuses: [400, 422], pattern: streamRefusal, hint: () => ({code: 'no-streaming'})},
	{
		statuses: [400, 422],
		pattern: reasoningWithToolsRefusal,
		hint: () => ({code: 'no-reasoning-with-tools'}),
	},
	{
		statuses: [400, 404],
		pattern:
			/\bnot a chat model\b|\b(?:in|use|using|with|through) (?:the )?(?:\/?v1\/responses|responses api)\b/i,
		hint: () => ({code: 'no-chat-model'}),
	},
	{
		statuses: [400, 422],
		pattern: temperatureRefusal,
		hint: ({context}) => refusedField('temperature', context),
	},
	{
		statuses: [400, 422],
		pattern: topPRefusal,
		hint: ({context}) => refusedField('top_p', context),
	},
	{statuses: [400, 422], hint: fieldHint},
	{statuses: [400, 404, 415, 422, 500, 501], hint: partHint},
	{statuses: [429], hint: ({waitMs}) => ({code: 'wait', waitMs})},
	{hint: ({waitMs}) => (waitMs === undefined ? undefined : {code: 'wait', waitMs})},
	// Azure, whose model is the name of a deployment.
	{statuses: [404], pattern: /DeploymentNotFound/, hint: () => ({code: 'choose-deployment'})},
	{statuses: [400, 404], hint: modelHint},
	{statuses: [404, 405], hint: ({context}) => context.addressHint},
	{pattern: /unexpected endpoint/i, hint: ({context}) => context.addressHint},
];

/** Words that refuse a whole field, and those that refuse its value. */
const fieldRefusal =
	/unsupported|unrecogni[sz]ed|unknown|unexpected|not (?:supported|permitted|allowed|recogni[sz]ed)|(?:not|n't) support/i;
const valueRefusal =
	/(?:unsupported|invalid) value|supported values|unknown variant|only the default|one of/i;

function fieldHint({parsed, context}: Refusal): Hint | undefined {
	const {chosenFields = []} = context;
	const words = wordsOf(parsed);
	if (!fieldRefusal.test(words) || valueRefusal.test(words)) return undefined;
	const named = words.match(/[\w-]+/g) ?? [];
	const field = chosenFields.find((name) => named.some((word) => isNameOf(name, word)));
	return field === undefined ? undefined : refusedField(field, context);
}

function refusedField(field: string, {fieldSources}: ErrorContext): Hint {
	return {code: 'refused-field', field, source: fieldSources?.[field]};
}

/** Services write `reasoningEffort` for `reasoning_effort`, or speak of thinking. */
function isNameOf(field: string, word: string): boolean {
	if (field === word || (field === 'reasoning_effort' && word === 'thinking')) return true;
	return field.includes('_') && field.replaceAll('_', '') === word.toLowerCase();
}

export function findHint(refusal: Refusal): Hint | undefined {
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

function keyHint(context: ErrorContext, isDenied: boolean): Hint {
	const {keySource, authHeader, isKeyReadAgain = false} = context;
	if (keySource === undefined) {
		return {code: 'set-key', origin: context.url.origin, authHeader, isKeyReadAgain};
	}
	return {code: 'check-key', keySource, isDenied, authHeader, isKeyReadAgain};
}

const anyPart = /content[ _]?(?:part|block|type)|part type|unknown variant|modalit/i;
const wordsOfParts = {
	document: /\bfiles?\b|\bpdf|document/i,
	audio: /audio/i,
	image: /image|vision/i,
};

/** Some services know no parts but text, or report them as unknown types. */
function partHint({parsed, context: {parts}}: Refusal): Hint | undefined {
	const words = wordsOf(parsed);
	const part = (['document', 'audio', 'image'] as const).find(
		(type) => parts?.has(type) && (wordsOfParts[type].test(words) || anyPart.test(words)),
	);
	return part === undefined ? undefined : {code: 'unsupported-part', part};
}

/** Azure, and services that name the header they expect. */
const azureKey = /subscription key|access token is missing|cognitiveservices/i;
const namedKeyHeader = /\bx-api-key\b|\bapi-key\b(?=['"`]? header)/i;

/** The key may be right, and its header wrong. */
function keyHeaderHint({parsed, context: {keySource, authHeader}}: Refusal): Hint | undefined {
	if (keySource === undefined || authHeader !== undefined) return undefined;
	const words = wordsOf(parsed);
	const header = azureKey.test(words) ? 'api-key' : namedKeyHeader.exec(words)?.[0];
	return header === undefined
		? undefined
		: {code: 'other-key-header', header: header.toLowerCase()};
}

const missingModel =
	/not (?:be )?found|not exist|unknown|no such|not a valid|invalid model|model_not_found|not supported/i;

/** Whether a refusal (400, 404) is about the model and not about the rest of the request. */
export function isAboutModel(words: string, {model, isModelChosen}: ErrorContext): boolean {
	if (model === '' || !/model/i.test(words)) return false;
	return !isModelChosen || words.includes(model) || missingModel.test(words);
}

function modelHint({parsed, context}: Refusal): Hint | undefined {
	const words = wordsOf(parsed);
	if (!isAboutModel(words, context)) return undefined;
	const {isModelChosen, model, addressHint} = context;
	const hint: Hint = isModelChosen
		? {code: 'choose-model'}
		: {code: 'set-model', defaultModel: model};
	// Some services call any unknown address an unknown model.
	const isAddressWrong = codeOf(addressHint) === 'use-base-url' && !words.includes(model);
	return isAddressWrong ? {code: 'several', hints: [addressHint, hint]} : hint;
}
