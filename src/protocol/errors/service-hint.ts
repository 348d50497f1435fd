/** Hints for the errors that a service reports, as one table. */
import type {ErrorDetails} from '../../errors.ts';
import {type Hint, joinHints} from '../../hint.ts';
import {storeHint} from '../../providers.ts';
import {formatDuration, quoteWord} from '../../wording.ts';
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
	/** A function returns undefined to leave the hint to the next row that fits. */
	readonly hint: Hint | ((refusal: Refusal) => Hint | undefined);
	/** Whether only a known model is refused like that. */
	readonly isModelKnown?: true;
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

export const gatewayHint =
	'A web page answered, not the service: a firewall, a login page or a proxy is in front of it.';
const creditHint = 'The account has no credit or quota left; retrying will not help.';

function waitHint(waitMs: number | undefined): string {
	return waitMs === undefined
		? 'Try again later.'
		: `The service asks to wait ${formatDuration(waitMs)}.`;
}

const rows: readonly Row[] = [
	{statuses: [407], hint: proxyLoginHint},
	{
		statuses: [401, 403],
		hint: ({parsed}) => (parsed.isPage ? gatewayHint : undefined),
	},
	{pattern: noQuota, hint: creditHint},
	{statuses: [402], hint: creditHint},
	{pattern: wrongKey, hint: ({context}) => keyHint(context, false)},
	{statuses: [401], hint: keyHeaderHint},
	{statuses: [401], hint: ({context}) => keyHint(context, false)},
	{
		statuses: [403],
		pattern: /\b(?:moderation|flagged|content policy)/i,
		hint: 'The service refused the prompt because of its content, not the key.',
	},
	{statuses: [403], hint: ({context}) => keyHint(context, true)},
	{statuses: [413], hint: 'The request is too large: send fewer or smaller images or files.'},
	{
		statuses: [400],
		pattern:
			/plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server|plain HTTP to an SSL/i,
		hint: 'The port expects https: write https:// in the base URL.',
	},
	{
		pattern: jsonNotMentioned,
		hint: {
			line: 'Mention JSON in the prompt or in the system message (-s).',
			repl: 'Mention JSON in the prompt or in the system message (/system).',
		},
	},
	{
		statuses: [400, 422],
		pattern: streamRefusal,
		hint: {line: 'Use --no-stream.', repl: 'Use /set stream false.'},
	},
	{
		statuses: [400, 422],
		pattern: reasoningWithToolsRefusal,
		hint: 'Use --reasoning-effort none (in a session: /set reasoning_effort none), leave out the tools, or choose another model with -m.',
		isModelKnown: true,
	},
	{
		statuses: [400, 404],
		pattern:
			/\bnot a chat model\b|\b(?:in|use|using|with|through) (?:the )?(?:\/?v1\/responses|responses api)\b/i,
		hint: 'The model does not support chat completions; it may need the Responses API, which chat does not support. Choose another with -m, or with /model in a session.',
		isModelKnown: true,
	},
	{
		statuses: [400, 422],
		pattern: temperatureRefusal,
		hint: ({context}) => refusedFieldHint('temperature', context),
		isModelKnown: true,
	},
	{
		statuses: [400, 422],
		pattern: topPRefusal,
		hint: ({context}) => refusedFieldHint('top_p', context),
		isModelKnown: true,
	},
	{statuses: [400, 422], hint: fieldHint, isModelKnown: true},
	{statuses: [400, 404, 415, 422, 500, 501], hint: partHint},
	{statuses: [429], hint: ({waitMs}) => waitHint(waitMs)},
	{hint: ({waitMs}) => (waitMs === undefined ? undefined : waitHint(waitMs))},
	// Azure, whose model is the name of a deployment.
	{
		statuses: [404],
		pattern: /DeploymentNotFound/,
		hint: 'Azure calls a model by its deployment: name it with -m, or in the base URL if that contains one.',
	},
	{statuses: [400, 404], hint: modelHint},
	{statuses: [404, 405], hint: ({context}) => context.words.addressHint},
	{pattern: /unexpected endpoint/i, hint: ({context}) => context.words.addressHint},
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
	return field === undefined ? undefined : refusedFieldHint(field, context);
}

function refusedFieldHint(field: string, {fieldSources, extraFields}: ErrorContext): Hint {
	const source = fieldSources?.[field];
	const removal = `${field}=null`;
	const [flag, change] = Object.hasOwn(extraFields ?? {}, field)
		? [`-O ${quoteWord(removal)}`, removal]
		: [`--${field.replaceAll('_', '-')} ''`, field];
	const place = (isNamed: boolean) => (isNamed ? ` (set by ${source})` : '');
	const search = source === undefined ? '; chat config list shows where it is set' : '';
	const isOfLine = source === undefined || source.startsWith('--');
	const isOfRepl = source === undefined || source === '/set';
	const leaveOut = {
		line: `Leave out ${field}${place(!isOfLine)} with ${flag}, or /set ${change} in a session${search}.`,
		repl: `Leave out ${field}${place(!isOfRepl)} with /set ${change}.`,
	};
	return field === 'reasoning_effort' ? joinHints(reasoningHint, leaveOut) : leaveOut;
}

const reasoningHint = {
	line: 'The model may not reason (chat models show), or take another field, as in -O thinking.type=enabled.',
	repl: 'The model may not reason, or take another field, as in /set thinking.type=enabled.',
};

/** Services write `reasoningEffort` for `reasoning_effort`, or speak of thinking. */
function isNameOf(field: string, word: string): boolean {
	if (field === word || (field === 'reasoning_effort' && word === 'thinking')) return true;
	return field.includes('_') && field.replaceAll('_', '') === word.toLowerCase();
}

export function explainRefusal(refusal: Refusal): Pick<ErrorDetails, 'hint' | 'isModelUnknown'> {
	const {status, parsed, context} = refusal;
	const words = wordsOf(parsed);
	const isModelUnknown = isAboutModel(words, context);
	for (const {statuses, pattern, isModelKnown, hint: known} of rows) {
		if (statuses !== undefined && !statuses.some((listed) => listed === status)) continue;
		if (pattern !== undefined && !pattern.test(words)) continue;
		const hint = typeof known === 'function' ? known(refusal) : known;
		if (hint !== undefined) {
			return {hint, isModelUnknown: isModelUnknown && isModelKnown !== true};
		}
	}
	return {isModelUnknown};
}

/** Returns the words of the service, in one text. */
export function wordsOf({message, code, type, reason}: ParsedError): string {
	return [message, code, type, reason].join('\n');
}

function keyHint(context: ErrorContext, isDenied: boolean): Hint {
	const {keySource, authHeader, isKeyReadAgain = false} = context;
	if (keySource === undefined) {
		if (authHeader === 'none') return 'No API key was sent, because auth-header is none.';
		const next = isKeyReadAgain ? ', which the next prompt uses' : '';
		return `No API key was sent. To store one${next}: ${storeHint(context.url.origin)}`;
	}
	const verb = isDenied ? 'denied access to' : 'does not accept';
	const where = authHeader === undefined ? '' : `, sent as ${authHeader} (auth-header)`;
	const next = isKeyReadAgain ? ' It is read again before the next prompt.' : '';
	return `The service ${verb} the key from ${keySource}${where}. Does the key belong to this service?${next}`;
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
	if (part === 'document') {
		return 'The service may not support PDFs. Send the text: pdftotext file.pdf - | chat "your question"';
	}
	if (part === undefined) return undefined;
	const problem = `The model may not support ${part === 'audio' ? 'audio' : 'images'}. Choose another`;
	return {
		line: `${problem} with -m, or with /model in a session.`,
		repl: `${problem} with /model.`,
	};
}

/** Azure, and services that name the header they expect. */
const azureKey = /subscription key|access token is missing|cognitiveservices/i;
const namedKeyHeader = /\bx-api-key\b|\bapi-key\b(?=['"`]? header)/i;

/** The key may be right, and its header wrong. */
function keyHeaderHint({parsed, context: {keySource, authHeader}}: Refusal): Hint | undefined {
	if (keySource === undefined || authHeader !== undefined) return undefined;
	const words = wordsOf(parsed);
	const found = azureKey.test(words) ? 'api-key' : namedKeyHeader.exec(words)?.[0];
	if (found === undefined) return undefined;
	const header = found.toLowerCase();
	return `The service expects the key in another header: --auth-header ${header}, or chat config set auth-header ${header}`;
}

const missingModel =
	/not (?:be )?found|not exist|unknown|no such|not a valid|invalid model|model_not_found|not supported/i;

/** Whether a refusal (400, 404) is about the model and not about the rest of the request. */
function isAboutModel(words: string, {model, isModelChosen}: ErrorContext): boolean {
	if (model === '' || !/model/i.test(words)) return false;
	return !isModelChosen || words.includes(model) || missingModel.test(words);
}

function modelHint({parsed, context}: Refusal): Hint | undefined {
	const words = wordsOf(parsed);
	if (!isAboutModel(words, context)) return undefined;
	const {isModelChosen, model} = context;
	const {addressHint, isAddressWrong} = context.words;
	const hint = isModelChosen ? otherModelHint : defaultModelHint(model);
	// Some services call any unknown address an unknown model.
	return isAddressWrong && !words.includes(model) ? joinHints(addressHint, hint) : hint;
}

const otherModelHint = {
	line: 'Choose another model with -m, or with /model in a session.',
	repl: 'Choose another model with /model.',
};

function defaultModelHint(model: string): Hint {
	const problem = `No model is set, so the default ${model} was requested. Choose one with`;
	return {line: `${problem} -m or CHAT_MODEL.`, repl: `${problem} /model.`};
}
