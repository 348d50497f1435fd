/**
 * The client: one request in, one step's events out. Retries and fallbacks happen here, before the
 * step's first event and never after it.
 */

import {wait} from '../abort.ts';
import type {ChatEvent, ChatEventBatch, Retry} from '../chat/event.ts';
import type {StepRequest, StreamChat} from '../chat/stream-chat.ts';
import type {ChatError} from '../errors.ts';
import {formatDuration} from '../wording.ts';
import type {ErrorContext, PartRefusal} from './errors/error-context.ts';
import {retryDelayMs} from './errors/retry.ts';
import {type Attempt, sendOnce} from './send-once.ts';
import type {ServiceConnection} from './service-connection.ts';
import {withModelSuggestions} from './suggest-models.ts';
import type {EncodedRequest, Wire} from './wire.ts';

/** The returned function remembers what the service refused. */
export function createStreamChat(initial: ServiceConnection): StreamChat {
	const {maxRetries} = initial.limits;
	let connection = initial;
	let isKeyRefused = false;
	return async function* streamChat(stepRequest, signal) {
		if (isKeyRefused) connection = yield* readKeyAgain(connection, signal);
		for (let retries = 0, attempts = 1; ; attempts++) {
			const request = connection.wire.encode(stepRequest);
			const context = createContext(connection, stepRequest, request);
			const attempt = {connection, context, request, attempts, signal};
			const failure = yield* sendPaced(attempt);
			isKeyRefused = failure?.kind === 'auth';
			if (failure === undefined) return;
			attempts = failure.details.attempts ?? attempts;
			const fallback = findFallback(connection, failure, stepRequest, request);
			if (fallback !== undefined) {
				connection = {...connection, wire: fallback.wire};
				yield [fallbackNotice(fallback.refusal, failure, context)];
				continue;
			}
			const delayMs = retryDelayMs(failure, retries, maxRetries);
			if (delayMs === undefined) {
				throw await withModelSuggestions(failure, context, connection, signal);
			}
			retries++;
			yield [retryNotice(failure, {delayMs, attempt: retries, maxRetries})];
			await wait(delayMs, signal);
		}
	};
}

/** A request refused this often for its rate is retried like any other. */
const maxHolds = 20;

/** Sends a request once the shared rate limit permits, and again if only the rate was refused. */
async function* sendPaced(
	first: Attempt,
): AsyncGenerator<ChatEventBatch, ChatError | undefined, undefined> {
	for (let holds = 0; ; holds++) {
		const end = await first.connection.pace?.begin(first.signal);
		let failure: ChatError | undefined;
		let isHeld = false;
		try {
			failure = yield* sendOnce({...first, attempts: first.attempts + holds});
		} finally {
			isHeld = end?.(failure) ?? false;
		}
		if (!isHeld || holds === maxHolds) return failure;
	}
}

async function* readKeyAgain(
	connection: ServiceConnection,
	signal: AbortSignal,
): AsyncGenerator<ChatEventBatch, ServiceConnection> {
	const again = {...connection, ...(await connection.readKey?.(signal))};
	if (again.apiKey !== connection.apiKey) yield [keyNotice];
	return again;
}

export function createContext(
	connection: ServiceConnection,
	{messages, options}: StepRequest,
	{chosenFields}: EncodedRequest,
): ErrorContext {
	const {wire, apiKey, keySource = 'the settings', authHeader, readKey, defaultModel} = connection;
	return {
		url: wire.url,
		words: wire.words,
		model: options.model,
		maxTokens: options.maxTokens,
		parts: findMedia(messages),
		keySource: apiKey === undefined ? undefined : keySource,
		authHeader,
		isKeyReadAgain: readKey !== undefined,
		chosenFields,
		extraFields: options.extraFields,
		fieldSources: options.fieldSources,
		isModelChosen: options.model !== defaultModel,
	};
}

function findMedia(messages: StepRequest['messages']): ErrorContext['parts'] {
	const parts = messages.flatMap((message) => (message.role === 'user' ? message.parts : []));
	return new Set(parts.flatMap(({type}) => (type === 'text' ? [] : [type])));
}

/** A refusal may concern a user-set field, which stays. */
function findFallback(
	{wire, limits}: ServiceConnection,
	{details}: ChatError,
	request: StepRequest,
	{body}: EncodedRequest,
): {readonly wire: Wire; readonly refusal: PartRefusal} | undefined {
	if (limits.maxRetries === 0) return undefined;
	for (const refusal of wire.words.refusals) {
		const {about, notice} = refusal;
		if (notice === undefined || details.refusedParts?.includes(about) !== true) continue;
		const next = wire.without(refusal, request.options.model);
		if (next.encode(request).body !== body) return {wire: next, refusal};
	}
	return undefined;
}

function fallbackNotice(
	{field = '', notice = '', isReasonShown = false}: PartRefusal,
	{details}: ChatError,
	{fieldSources}: ErrorContext,
): ChatEvent {
	const source = fieldSources?.[field];
	const reason = isReasonShown ? `: ${details.serviceMessage}` : '';
	const place = source === undefined ? '' : ` (set by ${source})`;
	return {type: 'notice', notice: {code: 'fallback', message: `${notice}${reason}${place}`}};
}

const keyNotice: ChatEvent = {
	type: 'notice',
	notice: {code: 'key-read', message: 'the key was read again'},
};

/** The service's words come last, so that they cannot hide ours. */
function retryNotice(failure: ChatError, retry: Omit<Retry, 'reason'>): ChatEvent {
	const {delayMs, attempt, maxRetries} = retry;
	const {status, serviceMessage = ''} = failure.details;
	const count = `(${attempt} of ${maxRetries})`;
	const message = `retrying in ${formatDuration(delayMs)} ${count}: ${failure.message}`;
	const reason = status === undefined ? failure.message : `${status} ${serviceMessage}`.trim();
	return {type: 'notice', notice: {code: 'retry', message, retry: {...retry, reason}}};
}
