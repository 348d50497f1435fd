/**
 * The client: one request down, the events of one step up. Retries and fallbacks happen here,
 * before the first event of the step and never after it.
 */

import {wait} from '../abort.ts';
import type {
	ChatEvent,
	ChatEventBatch,
	ChatRequest,
	Notice,
	NoticeCode,
	StreamChat,
} from '../chat/event.ts';
import {ChatError, toChatError} from '../errors.ts';
import {redactUrl} from '../redact.ts';
import {createReplyDecoder, type ReplyDecoder} from './decode/decode-reply.ts';
import {formatDuration} from './duration.ts';
import {encodeRequest} from './encode-request.ts';
import {type ErrorContext, errorFromReply, marksOf} from './errors/service-error.ts';
import {isAboutModel} from './errors/service-hint.ts';
import {findFallback, type Quirks, quirksOf} from './fallback.ts';
import {readText} from './http/read-text.ts';
import {directRoute, openRoute, type Route} from './http/route.ts';
import {type Reply, send, type TimeLimits} from './http/transport.ts';
import {listModels} from './list-models.ts';
import {retryDelayMs} from './retry.ts';

export type ServiceConnection = {
	/** The address of the operation, see `endpoint.ts`. */
	readonly url: URL;
	/** Sent as a bearer token; without one no header is sent. Printable ASCII. */
	readonly apiKey?: string | undefined;
	/** Where the key came from, for messages. */
	readonly keySource?: string | undefined;
	/** `maxRetries` 0: never a second request, not even without a field that was refused. */
	readonly limits: TimeLimits & {readonly maxRetries: number};
	/** Reads the key again, before the request that follows a refusal of it. */
	readonly readKey?: (() => Promise<Pick<ServiceConnection, 'apiKey' | 'keySource'>>) | undefined;
	/** The way to the service; direct by default. */
	readonly route?: Route | undefined;
	/** The model that is asked for if the user chose none. */
	readonly defaultModel?: string | undefined;
	/** Whether a second request may explain a refusal that is about the model. */
	readonly isModelListWanted?: boolean | undefined;
	/** Yield `trace` notices about the request and its reply. */
	readonly isVerbose?: boolean | undefined;
};

/** What the service refused once is remembered for as long as the returned function lives. */
export function createStreamChat(initial: ServiceConnection): StreamChat {
	const {maxRetries} = initial.limits;
	let connection = initial;
	let isKeyRefused = false;
	let quirks = quirksOf(connection.url);
	const renewKey = async () => {
		if (isKeyRefused) connection = {...connection, ...(await connection.readKey?.())};
	};
	return async function* streamChat(asked, signal) {
		await renewKey();
		const context = createContext(connection, asked);
		for (let retries = 0, attempts = 1; ; attempts++) {
			const request = quirks.isStreamed ? asked : withoutStream(asked);
			const body = JSON.stringify(encodeRequest(request, quirks));
			const attempt = {connection, context, request, body, attempts, signal};
			const failure = yield* sendOnce(attempt);
			isKeyRefused = failure?.kind === 'auth';
			if (failure === undefined) return;
			const fallback = fallBack(quirks, failure, attempt);
			if (fallback !== undefined) {
				({quirks} = fallback);
				yield [notice('fallback', fallback.message)];
				continue;
			}
			const delayMs = retryDelayMs(failure, retries, maxRetries);
			if (delayMs === undefined) throw await explain(failure, attempt);
			retries++;
			// Ours first: whatever stands in the service's words, it hides nothing that follows.
			const when = `retrying in ${formatDuration(delayMs)} (${retries} of ${maxRetries})`;
			const retry = {delayMs, attempt: retries, maxRetries, reason: failure.message};
			const message = `${when}: ${failure.message}`;
			yield [{type: 'notice', notice: {code: 'retry', message, retry}}];
			await wait(delayMs, signal);
		}
	};
}

function withoutStream({messages, options}: ChatRequest): ChatRequest {
	return {messages, options: {...options, isStreaming: false}};
}

function fallBack(quirks: Quirks, {details}: ChatError, {connection, body}: Attempt) {
	if (connection.limits.maxRetries === 0) return undefined;
	return findFallback(quirks, details.status, details.serviceMessage ?? '', body);
}

const shownModels = 20;

/** Adds the models that the service offers to a refusal that is about the model. */
async function explain(failure: ChatError, attempt: Attempt): Promise<ChatError> {
	const {connection, context, signal} = attempt;
	const {status, code, hint, serviceMessage = ''} = failure.details;
	const isRefusal = status === 400 || status === 404;
	const isListWanted = connection.isModelListWanted === true;
	if (!isListWanted || !isRefusal || !isAboutModel(`${serviceMessage} ${code}`, context))
		return failure;
	const models = await listModels(connection, signal);
	if (models.length === 0) return failure;
	const rest = models.length > shownModels ? `, and ${models.length - shownModels} more` : '';
	const offer = `The service offers ${models.slice(0, shownModels).join(', ')}${rest}.`;
	return new ChatError(failure.kind, failure.message, {
		...failure.details,
		hint: hint === undefined ? offer : `${hint} ${offer}`,
	});
}

function createContext(connection: ServiceConnection, {options}: ChatRequest): ErrorContext {
	const {url, apiKey, keySource = 'the settings', readKey, defaultModel} = connection;
	return {
		url,
		model: options.model,
		keySource: apiKey === undefined ? undefined : keySource,
		isKeyReadAgain: readKey !== undefined,
		isModelChosen: options.model !== defaultModel,
	};
}

type Attempt = {
	readonly connection: ServiceConnection;
	readonly context: ErrorContext;
	readonly request: ChatRequest;
	/** The request as it goes over the wire. */
	readonly body: string;
	/** Which request of the step this is, from 1. */
	readonly attempts: number;
	readonly signal: AbortSignal;
};

/**
 * Makes one request and yields its events, one batch for each read. A failure that comes before
 * anything was shown is returned, so that the request may be made again; any later one is thrown.
 */
async function* sendOnce(
	attempt: Attempt,
): AsyncGenerator<ChatEventBatch, ChatError | undefined, undefined> {
	const {connection, context, request, body, attempts, signal} = attempt;
	const {url, apiKey, limits, route = directRoute, isVerbose = false} = connection;
	const {isStreaming} = request.options;
	const headers = createHeaders(isStreaming, apiKey);
	// `performance` would load the whole of `node:perf_hooks`.
	const startedAt = Date.now();
	let isShown = false;
	let reply: Reply | undefined;
	try {
		if (isVerbose) yield traceRequest(url, route, headers, body);
		reply = await send({
			method: 'POST',
			url,
			headers,
			body,
			route: await openRoute(url, route),
			limits,
			isStreaming,
			signal,
		});
		if (isVerbose) yield traceReply(reply, Date.now() - startedAt);
		const refusal = await readRefusal(reply, context);
		if (refusal !== undefined) throw refusal;
		const decoder = createReplyDecoder({...context, ...marksOf(reply.head)}, attempts);
		for (let isEnded = false; !isEnded; ) {
			isEnded = decodeRead(await reply.read(), reply, decoder);
			const events = decoder.take();
			isShown ||= events.some((event) => event.type !== 'notice');
			if (events.length > 0) yield events;
			if (decoder.error !== undefined) throw decoder.error;
		}
		signal.throwIfAborted();
		if (isVerbose) yield [trace(`done after ${formatDuration(Date.now() - startedAt)}`)];
		return undefined;
	} catch (error) {
		signal.throwIfAborted();
		const failure = withAttempts(toChatError(error), attempts);
		if (isShown) throw failure;
		return failure;
	} finally {
		reply?.close();
	}
}

/** Returns the error of a reply whose status is not 2xx. */
async function readRefusal(reply: Reply, context: ErrorContext): Promise<ChatError | undefined> {
	const {status} = reply.head;
	if (status >= 200 && status < 300) return undefined;
	return errorFromReply(reply.head, await readText(reply), context);
}

/** Decodes the bytes of one read, or the end of the body; returns whether nothing more is to come. */
function decodeRead(
	chunks: readonly Uint8Array[] | undefined,
	reply: Reply,
	decoder: ReplyDecoder,
): boolean {
	const {payloads} = decoder;
	for (const chunk of chunks ?? []) if (!decoder.isDone) decoder.push(chunk);
	if (decoder.payloads > payloads) reply.notePayload();
	if (decoder.isFinished) reply.noteFinish();
	const isLast = chunks === undefined || decoder.isDone;
	if (isLast && decoder.error === undefined) {
		decoder.end({isBodyComplete: reply.isBodyComplete(), failure: reply.failure()});
	}
	return isLast;
}

function createHeaders(isStreaming: boolean, apiKey: string | undefined): Record<string, string> {
	return {
		'content-type': 'application/json',
		accept: isStreaming ? 'text/event-stream' : 'application/json',
		// Proxies buffer what they compress, and a cut compressed body is hard to tell.
		'accept-encoding': 'identity',
		'user-agent': 'chat-completions-cli',
		...(apiKey === undefined ? {} : {authorization: `Bearer ${apiKey}`}),
	};
}

function withAttempts(error: ChatError, attempts: number): ChatError {
	return new ChatError(error.kind, error.message, {
		...error.details,
		attempts,
		cause: error.kind === 'bug' ? error.details.cause : error,
	});
}

function notice(code: NoticeCode, message: string): {type: 'notice'; notice: Notice} {
	return {type: 'notice', notice: {code, message}};
}

function trace(message: string): ChatEvent {
	return {type: 'trace', message};
}

/** Header names only: values may be secret. */
function traceRequest(
	url: URL,
	{proxy}: Route,
	headers: Record<string, string>,
	body: string,
): ChatEventBatch {
	const via = proxy === undefined ? '' : ` through the proxy ${redactUrl(proxy)}`;
	return [
		trace(`> POST ${redactUrl(url)}${via} (${Buffer.byteLength(body)} bytes)`),
		trace(`> ${Object.keys(headers).join(', ')}`),
	];
}

function traceReply({head}: Reply, elapsedMs: number): ChatEventBatch {
	return [
		trace(`< ${head.status} after ${formatDuration(elapsedMs)}`),
		trace(`< ${Object.keys(head.headers).join(', ')}`),
	];
}
