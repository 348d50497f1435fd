/** Refusals shared by all conventions, and how a refused request is explained. */
import type {ErrorDetails, ErrorKind} from '../../errors.ts';
import {type Hint, joinHints} from '../../hint.ts';
import {storeHint} from '../../providers.ts';
import {formatDuration, quoteWord} from '../../wording.ts';
import {proxyLoginHint} from '../http/socket-error.ts';
import type {ErrorContext, Refusal, Refused} from './error-context.ts';
import type {ParsedError} from './parse-error-body.ts';
import {refusalOf, valueRefusal} from './refusal-words.ts';

export const gatewayHint =
	'A web page answered, not the service: a firewall, a login page or a proxy is in front of it.';
const creditHint = 'The account has no credit or quota left; retrying will not help.';

/** A request exceeding the context window, in several services' words. */
const tooLong =
	/context[ _-]?(?:length|window|size)|maximum context|(?:prompt|input|request) is too long|too many (?:input |total )?tokens|exceeds? (?:the )?(?:model's |maximum )?(?:input )?token (?:limit|count)|maximum (?:number of )?(?:input )?tokens|input tokens exceed/i;
const tooLongHint = {
	line: 'The request is too long for the model: send less, or choose a model with a larger context window.',
	repl: '/compact replaces older turns by a summary.',
};

const rows: readonly Refusal[] = [
	{statuses: [407], kind: 'auth', hint: proxyLoginHint},
	{statuses: [401, 403], hint: ({isPage}) => (isPage ? gatewayHint : undefined)},
	{
		// A 429 that waiting does not help, in several services' words.
		pattern:
			/insufficient_(?:quota|balance|credit|funds)|exceeded_current_quota|billing_(?:hard_limit|not_active)|insufficient balance|credit balance is too low/i,
		kind: 'quota',
		hint: creditHint,
	},
	{
		// Some services answer 400 to a wrong key.
		pattern:
			/API_KEY_INVALID|invalid_api_key|(?:incorrect|invalid) api key|api key not (?:valid|found)/i,
		kind: 'auth',
		hint: refusedKeyHint,
	},
	{statuses: [402], kind: 'quota', hint: creditHint},
	{statuses: [401], kind: 'auth', hint: refusedKeyHint},
	{
		statuses: [400, 403, 422],
		pattern:
			/\b(?:moderation|flagged)\b|\b(?:content|usage)[ _-](?:management[ _-])?(?:polic|filter)|ResponsibleAI/i,
		kind: 'rejected',
		hint: ({status}) =>
			`The service refused the prompt because of its content${status === 403 ? ', not the key' : ''}.`,
	},
	{statuses: [403], kind: 'auth', hint: ({context}) => keyHint(context, true)},
	{statuses: [400, 413, 422], pattern: tooLong, hint: tooLongHint, isTooLong: true},
	{statuses: [413], hint: 'The request is too large: send fewer or smaller images or files.'},
	{
		statuses: [400],
		pattern:
			/plain HTTP request was sent to HTTPS|HTTP request to an HTTPS server|plain HTTP to an SSL/i,
		hint: 'The port expects https: write https:// in the base URL.',
	},
	{
		// llama-server calls these internal errors.
		statuses: [500],
		pattern: /\b(?:image|audio|video) input is not supported|\brequires --jinja\b/i,
		kind: 'rejected',
		hint: partHint,
	},
	{statuses: [400, 422], unless: valueRefusal, hint: fieldHint},
	{statuses: [400, 404, 415, 422, 500, 501], hint: partHint},
	{hint: waitHint},
	{
		statuses: [404],
		pattern: /DeploymentNotFound/,
		hint: 'Azure calls a model by its deployment: name it with -m, or in the base URL if that contains one.',
	},
	{statuses: [400, 404], hint: modelHint, isModelUnknown: true},
	{statuses: [404, 405], hint: ({context}) => context.words.addressHint},
	{pattern: /unexpected endpoint/i, hint: ({context}) => context.words.addressHint},
];

/**
 * The wire's rows precede the common ones; the first row with something to say counts. A refused
 * prompt, key or account never means a refused request part.
 */
export function explainRefusal(reply: Omit<Refused, 'words'>): Pick<
	ErrorDetails,
	'hint' | 'refusedParts' | 'isModelUnknown' | 'isTooLong'
> & {
	kind: ErrorKind | undefined;
} {
	const {context} = reply;
	const refused = {...reply, words: wordsOf(reply, context.model)};
	const common = rows.filter((row) => fits(row, refused));
	const isOther = common.some(({pattern, kind}) => pattern !== undefined && kind !== undefined);
	const parts = isOther ? [] : context.words.refusals.filter((row) => fits(row, refused));
	const all = [...parts, ...common];
	const explained = all.map((row) => ({...row, hint: hintFor(row, refused)}));
	const {hint, isModelUnknown} = explained.find((row) => row.hint !== undefined) ?? {};
	const kind = all.find((row) => row.kind !== undefined)?.kind;
	const isTooLong = all.some((row) => row.isTooLong) || undefined;
	return {kind, hint, isModelUnknown, isTooLong, refusedParts: parts.map(({about}) => about)};
}

function fits(row: Refusal, {status, param: cause = '', words}: Refused): boolean {
	const {statuses, pattern, param, unless} = row;
	if (statuses !== undefined && !statuses.some((listed) => listed === status)) return false;
	if (unless?.test(words) === true) return false;
	return pattern?.test(words) !== false || param?.test(cause) === true;
}

function hintFor({hint, field}: Refusal, refused: Refused): Hint | undefined {
	if (typeof hint === 'function') return hint(refused);
	return hint ?? (field === undefined ? undefined : leaveOutHint(field, refused.context));
}

/** Threat: code that takes long to search. The message is shortened already. */
const maxWordLength = 200;

/** A model name may contain a field name. */
function wordsOf(parsed: ParsedError, model: string): string {
	const {message, type = '', code = type, param = '', reason = ''} = parsed;
	const said = model === '' ? message : message.replaceAll(model, 'm');
	const [cause, word, kind, detail] = [param, code, type, reason].map((text) =>
		text.slice(0, maxWordLength),
	);
	return `${said}\n${cause} ${word}\n${kind}\n${detail}`;
}

function waitHint({status, waitMs}: Refused): string | undefined {
	if (waitMs !== undefined) return `The service asks to wait ${formatDuration(waitMs)}.`;
	return status === 429 ? 'Try again later.' : undefined;
}

/** Finds a user-set field, as in `top_k` or `topK`: a word such as `Provider` names none. */
function fieldHint({words, context}: Refused): Hint | undefined {
	const named = words.match(/[\w-]+/g) ?? [];
	const field = context.chosenFields?.find((name) => {
		const joined = name.includes('_') ? name.replaceAll('_', '') : undefined;
		if (!named.some((word) => word === name || word.toLowerCase() === joined)) return false;
		const written = name.replace(/[^\w]/g, String.raw`\$&`).replaceAll('_', '_?');
		return refusalOf([String.raw`(?<!\w)${written}(?!\w)`]).test(words);
	});
	return field === undefined ? undefined : leaveOutHint(field, context);
}

export function leaveOutHint(field: string, {fieldSources, extraFields}: ErrorContext): Hint {
	const source = fieldSources?.[field];
	const removal = `${field}=null`;
	const [flag, change] = Object.hasOwn(extraFields ?? {}, field)
		? [`-O ${quoteWord(removal)}`, removal]
		: [`--${field.replaceAll('_', '-')} ''`, field];
	const place = (isNamed: boolean) => (isNamed ? ` (set by ${source})` : '');
	const search = source === undefined ? '; chat config list shows where it is set' : '';
	const isOfLine = source === undefined || source.startsWith('--');
	const isOfRepl = source === undefined || source === '/set';
	return {
		line: `Leave out ${field}${place(!isOfLine)} with ${flag}, or /set ${change} in a session${search}.`,
		repl: `Leave out ${field}${place(!isOfRepl)} with /set ${change}.`,
	};
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

/** Azure, and services that name the header they expect. */
const azureKey = /subscription key|access token is missing|cognitiveservices/i;
const namedKeyHeader = /\bx-api-key\b|\bapi-key\b(?=['"`]? header)/i;

/** The key may be right, and its header wrong. */
function refusedKeyHint({status, words, context}: Refused): Hint {
	const {keySource, authHeader} = context;
	const found = azureKey.test(words) ? 'api-key' : namedKeyHeader.exec(words)?.[0];
	const isHeaderSet = keySource === undefined || authHeader !== undefined;
	if (status !== 401 || isHeaderSet || found === undefined) return keyHint(context, false);
	const header = found.toLowerCase();
	return `The service expects the key in another header: --auth-header ${header}, or chat config set auth-header ${header}`;
}

const anyPart = /content[ _]?(?:part|block|type)|part type|unknown variant|modalit/i;
const wordsOfParts = {
	document: /\bfiles?\b|\bpdf|document/i,
	audio: /audio/i,
	image: /image|\bvision\b/i,
};

/** Some services know no parts but text, or report them as unknown types. */
function partHint({words, context: {parts}}: Refused): Hint | undefined {
	const part = (['document', 'audio', 'image'] as const).find(
		(type) => parts?.has(type) && (wordsOfParts[type].test(words) || anyPart.test(words)),
	);
	if (part === 'document') {
		return 'The service may not support PDFs. Send the text: pdftotext file.pdf - | chat "your question"';
	}
	if (part === undefined) return undefined;
	return modelChoiceHint(
		`The model may not support ${part === 'audio' ? 'audio' : 'images'}. Choose another`,
	);
}

const missingModel =
	/not (?:be )?found|not exist|unknown|no such|not a valid|invalid model|model_not_found|not supported/i;

function modelHint({message, words, context}: Refused): Hint | undefined {
	const {model, isModelChosen} = context;
	const {addressHint, isAddressWrong} = context.words;
	const isNamed = message.includes(model);
	if (model === '' || !/model/i.test(`${message}\n${words}`)) return undefined;
	// The refusal concerns the model, not the rest of the request.
	if (isModelChosen && !isNamed && !missingModel.test(words)) return undefined;
	const problem = `No model is set, so the default ${model} was requested. Choose one with`;
	const hint = isModelChosen
		? modelChoiceHint('Choose another model')
		: {line: `${problem} -m or CHAT_MODEL.`, repl: `${problem} /model.`};
	// Some services call any unknown address an unknown model.
	return isAddressWrong === true && !isNamed ? joinHints(addressHint, hint) : hint;
}

export function modelChoiceHint(advice: string): Hint {
	return {
		line: `${advice} with -m, or with /model in a session.`,
		repl: `${advice} with /model.`,
	};
}
