/**
 * Keeps the last requests for `GET /requests`, newest first, with their keys masked. Its memory is
 * bounded, whatever the requests hold.
 */
import type {IncomingMessage, ServerResponse} from 'node:http';
import {parseJson} from '../../json.ts';
import {redactUrl} from '../../redact.ts';

const maxRequests = 100;

/** One request, which more becomes known about. */
export interface RequestRecord {
	noteBody(bytes: Uint8Array): void;
	noteRule(rule: string): void;
}

export interface RequestRecorder {
	/** Follows a request until its response is closed. */
	begin(id: string, request: IncomingMessage, response: ServerResponse): RequestRecord;
	/** As `docs/scenarios.md` describes it. */
	list(): {readonly object: 'list'; readonly data: readonly unknown[]};
	clear(): void;
}

type Entry = {
	/** All fields of the request but its body. */
	readonly fields: Record<string, unknown>;
	/** The body; as a text it takes less room than as values. */
	text: string | null;
};

/**
 * @param apiKey the key of the service, which is masked everywhere
 * @param now Unix milliseconds.
 * @param maxBytes Of all bodies; the oldest requests make room for new ones.
 */
export function createRequestRecorder(
	apiKey: string | undefined,
	now: () => number,
	maxBytes: number,
): RequestRecorder {
	let newestFirst: readonly Entry[] = [];
	const dropOldest = () => {
		let bytes = 0;
		newestFirst = newestFirst.slice(0, maxRequests).filter(({text}, place) => {
			bytes += text?.length ?? 0;
			return place === 0 || bytes <= maxBytes;
		});
	};
	return {
		begin(id, request, response) {
			const maskSecrets = createMask([apiKey, ...readSecrets(request)]);
			const fields = describeRequest(id, request, maskSecrets, now());
			const entry: Entry = {fields, text: null};
			newestFirst = [entry, ...newestFirst];
			dropOldest();
			const start = performance.now();
			response.once('close', () => {
				fields['status'] = response.headersSent ? response.statusCode : null;
				fields['state'] = response.writableFinished ? 'sent' : 'cut';
				fields['duration_ms'] = Math.round(performance.now() - start);
			});
			return {
				noteBody(bytes) {
					entry.text = maskSecrets(new TextDecoder().decode(bytes));
					dropOldest();
				},
				noteRule(rule) {
					fields['rule'] = rule;
				},
			};
		},
		list() {
			const data = newestFirst.map(({fields, text}) => {
				return {...fields, body: text === null ? null : (parseJson(text) ?? text)};
			});
			return {object: 'list', data};
		},
		clear() {
			newestFirst = [];
		},
	};
}

function describeRequest(
	id: string,
	request: IncomingMessage,
	maskSecrets: (text: string) => string,
	now: number,
): Entry['fields'] {
	const headers = Object.entries(request.headers).map(([name, value = '']) => [
		name,
		secretHeader.test(name) ? maskKey(String(value)) : maskSecrets(String(value)),
	]);
	return {
		id,
		received: new Date(now).toISOString(),
		method: request.method ?? '',
		path: maskSecrets(readPath(request.url ?? '/')),
		headers: Object.fromEntries(headers),
		rule: null,
		status: null,
		state: 'open',
		duration_ms: null,
	};
}

const secretHeader = /authorization|cookie|key|token|secret|password/;

/** Shorter ones are found in ordinary words. */
const minSecretLength = 4;

/** Each one is looked for in the whole body. */
const maxSecrets = 10;

/** Secrets that may appear elsewhere in the request too. */
function readSecrets({headers}: IncomingMessage): readonly string[] {
	const secret = Object.entries(headers).filter(
		([name]) => secretHeader.test(name) && name !== 'cookie',
	);
	return secret.slice(0, maxSecrets).map(([, value]) => String(value).replace(/^[a-z]+ +/i, ''));
}

function createMask(secrets: ReadonlyArray<string | undefined>): (text: string) => string {
	const known = secrets.filter((secret = '') => secret.length >= minSecretLength);
	return (text) =>
		known.reduce<string>((masked, secret = '') => masked.replaceAll(secret, '[redacted]'), text);
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
