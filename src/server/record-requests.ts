/**
 * What was received, for `GET /requests`: the last requests, newest first, with their keys masked
 * and long texts shortened. Its memory is bounded, whatever the requests hold.
 */
import type {IncomingHttpHeaders, IncomingMessage, ServerResponse} from 'node:http';
import type {JsonValue} from '../json.ts';
import {createRedactor, type Redact, redactUrl} from '../redact.ts';
import {shortenJson, shortenText} from './shorten-json.ts';

const maxRequests = 100;

export type RecordedRequest = {
	/** The `x-request-id` of the response. */
	readonly id: string;
	/** ISO 8601. */
	readonly received: string;
	readonly method: string;
	/** With its query. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** JSON; the beginning of the text if it is none; null if it was not read. */
	readonly body: JsonValue;
	/** The rule of the scenario that was followed; null: none. */
	readonly rule: string | null;
	/** Null as long as nothing was sent. */
	readonly status: number | null;
	/** `cut`: the response was not sent to its end, by a fault or because the client left. */
	readonly state: 'open' | 'sent' | 'cut';
	readonly duration_ms: number | null;
};

/** One request, to be told more about. */
export interface RequestRecord {
	noteText(bytes: Uint8Array): void;
	noteBody(body: JsonValue): void;
	noteRule(rule: string): void;
}

export interface RequestRecorder {
	/** Follows a request until its response is closed. */
	begin(id: string, request: IncomingMessage, response: ServerResponse): RequestRecord;
	list(): {readonly object: 'list'; readonly data: readonly RecordedRequest[]};
	clear(): void;
}

/**
 * @param apiKey The key of the service, masked wherever it stands.
 * @param now Unix milliseconds.
 */
export function createRequestRecorder(
	apiKey: string | undefined,
	now: () => number,
): RequestRecorder {
	let newestFirst: Array<{value: RecordedRequest}> = [];
	return {
		begin(id, request, response) {
			const redact = createRedactor([apiKey, ...readSecrets(request.headers)]);
			const entry = {value: describeRequest(id, request, redact, now())};
			newestFirst = [entry, ...newestFirst].slice(0, maxRequests);
			const note = (news: Partial<RecordedRequest>) => {
				entry.value = {...entry.value, ...news};
			};
			const start = performance.now();
			response.once('close', () =>
				note({
					status: response.headersSent ? response.statusCode : null,
					state: response.writableFinished ? 'sent' : 'cut',
					duration_ms: Math.round(performance.now() - start),
				}),
			);
			return {
				noteText: (bytes) => note({body: shortenText(decodeStart(bytes), redact)}),
				noteBody: (body) => note({body: shortenJson(body, redact)}),
				noteRule: (rule) => note({rule}),
			};
		},
		list: () => ({object: 'list', data: newestFirst.map(({value}) => value)}),
		clear() {
			newestFirst = [];
		},
	};
}

function describeRequest(
	id: string,
	request: IncomingMessage,
	redact: Redact,
	now: number,
): RecordedRequest {
	const headers = Object.entries(request.headers).map(([name, value = '']) => [
		name,
		secretHeader.test(name) ? maskKey(String(value)) : redact(String(value)),
	]);
	return {
		id,
		received: new Date(now).toISOString(),
		method: request.method ?? '',
		path: redact(readPath(request.url ?? '/')).slice(0, 1_000),
		headers: Object.fromEntries(headers),
		body: null,
		rule: null,
		status: null,
		state: 'open',
		duration_ms: null,
	};
}

const secretHeader = /authorization|cookie|key|token|secret|password/;

/** What may stand elsewhere in a request too; all the cookies of a client in a row do not. */
function readSecrets(headers: IncomingHttpHeaders): readonly string[] {
	return Object.entries(headers).flatMap(([name, value = '']) =>
		secretHeader.test(name) && name !== 'cookie' ? [String(value).replace(/^[a-z]+ +/i, '')] : [],
	);
}

/** The scheme and the last four characters, which shorter keys keep to themselves. */
function maskKey(value: string): string {
	const [, scheme = '', key = ''] = /^([a-z]+ +)?(.*)$/is.exec(value) ?? [];
	return `${scheme}…${key.length < 12 ? '' : key.slice(-4)}`;
}

function readPath(url: string): string {
	const base = 'http://service';
	if (!URL.canParse(url, base)) return url.split('?', 1)[0] ?? '';
	return redactUrl(new URL(url, base)).replace(/^[a-z]+:\/\/[^/]*/, '');
}

/** Enough of a body that is no JSON to see what it is. */
function decodeStart(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes.subarray(0, 4_000));
}
