/**
 * Keeps the last requests for `GET /requests`, newest first, with their keys masked. Its memory is
 * bounded, whatever the requests hold.
 */
import type {IncomingMessage, ServerResponse} from 'node:http';
import {parseJson} from '../../json.ts';
import {mayHoldSecret, redactUrl} from '../../redact.ts';

const maxRequests = 100;

/** A request record, filled in during handling. */
export type RequestRecord = {
	/** The `GET /requests` fields, without the body. */
	readonly fields: Record<string, unknown>;
	/** The body as bytes, smaller than its values. */
	bytes?: Uint8Array;
};

export interface RequestRecorder {
	/** Follows a request until its response is closed. */
	begin(id: string, request: IncomingMessage, response: ServerResponse): RequestRecord;
	/** Keeps a request body, and makes room for it. */
	noteBody(record: RequestRecord | undefined, bytes: Uint8Array): void;
	list(): {readonly object: 'list'; readonly data: readonly unknown[]};
	clear(): void;
}

/**
 * @param now Unix milliseconds
 * @param maxBytes limit for all bodies; the oldest requests make room for new ones
 */
export function createRequestRecorder(now: () => number, maxBytes: number): RequestRecorder {
	let newestFirst: readonly RequestRecord[] = [];
	const dropOldest = () => {
		let total = 0;
		newestFirst = newestFirst.slice(0, maxRequests).filter(({bytes}, place) => {
			total += bytes?.length ?? 0;
			return place === 0 || total <= maxBytes;
		});
	};
	return {
		begin(id, request, response) {
			const record: RequestRecord = {fields: describeRequest(id, request, now())};
			newestFirst = [record, ...newestFirst];
			dropOldest();
			const start = performance.now();
			response.once('close', () => {
				Object.assign(record.fields, {
					status: response.headersSent ? response.statusCode : null,
					state: response.writableFinished ? 'sent' : 'cut',
					duration_ms: Math.round(performance.now() - start),
				});
			});
			return record;
		},
		noteBody(record, bytes) {
			if (record !== undefined) record.bytes = bytes;
			dropOldest();
		},
		list() {
			const data = newestFirst.map(({fields, bytes}) => ({...fields, body: readBody(bytes)}));
			return {object: 'list', data};
		},
		clear() {
			newestFirst = [];
		},
	};
}

function describeRequest(id: string, request: IncomingMessage, now: number) {
	const headers = Object.entries(request.headers).map(([name, value]) => [
		name,
		mayHoldSecret(name) ? maskKey(String(value)) : String(value),
	]);
	return {
		id,
		received: new Date(now).toISOString(),
		method: request.method ?? '',
		path: readPath(request.url ?? '/'),
		headers: Object.fromEntries(headers),
		rule: null,
		status: null,
		state: 'open',
		duration_ms: null,
	};
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

/** The body's JSON value, or its text. */
function readBody(bytes: Uint8Array | undefined): unknown {
	if (bytes === undefined) return null;
	const text = new TextDecoder().decode(bytes);
	return parseJson(text) ?? text;
}
