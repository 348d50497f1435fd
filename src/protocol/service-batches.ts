/** The service's own batches, in OpenAI's form: a file of requests, answered within a day. */
import {ChatError} from '../errors.ts';
import {asInteger, asObject, asObjects, asText, type JsonValue} from '../json.ts';
import {redactUrl} from '../redact.ts';
import type {ErrorContext} from './errors/error-context.ts';
import {errorFromReply} from './errors/service-error.ts';
import {exchange, failureOf, readErrorText} from './http/exchange.ts';
import {type JsonRequest, requestJson} from './request-json.ts';
import {createHeaders, type ServiceConnection} from './service-connection.ts';

export type ServiceBatch = {
	/** The service's word: `in_progress`, `completed`, `expired`. */
	readonly status: string;
	/** Whether nothing more will come. */
	readonly isEnded: boolean;
	readonly total: number;
	readonly completed: number;
	readonly failed: number;
	/** Names of the files with results. */
	readonly files: readonly string[];
	/** Why the service did not accept the file. */
	readonly problems: readonly string[];
};

export type BatchOptions = Pick<JsonRequest, 'signal' | 'trace'>;

/**
 * Returns the path of a request inside a batch.
 *
 * @throws {ChatError} `usage` if this convention has no such batches
 */
export function batchPathOf({wire}: ServiceConnection): string {
	if (wire.batchPath !== undefined) return wire.batchPath;
	throw new ChatError('usage', `the convention ${wire.name} has no batches in OpenAI's form`);
}

/**
 * Uploads requests, a line of JSON each, and starts a batch. Returns its name.
 *
 * @throws {ChatError} as `requestJson` does
 */
export async function startBatch(
	connection: ServiceConnection,
	lines: string,
	options: BatchOptions,
): Promise<string> {
	const file = await request(connection, '/files', {form: createForm(lines)}, options);
	const body = {
		input_file_id: nameIn(file, connection),
		endpoint: batchPathOf(connection),
		completion_window: '24h',
	};
	return nameIn(await request(connection, '/batches', {body}, options), connection);
}

/** @throws {ChatError} as `requestJson` does */
export async function readBatch(
	connection: ServiceConnection,
	name: string,
	options: BatchOptions,
): Promise<ServiceBatch> {
	const reply = await request(connection, `/batches/${encodeURIComponent(name)}`, {}, options);
	const batch = asObject(reply) ?? {};
	const status = asText(batch['status']) ?? 'unknown';
	const counts = asObject(batch['request_counts']) ?? {};
	const errors = asObjects(asObject(batch['errors'])?.['data']);
	return {
		status,
		isEnded: ['completed', 'failed', 'expired', 'cancelled'].includes(status),
		total: asInteger(counts['total']) ?? 0,
		completed: asInteger(counts['completed']) ?? 0,
		failed: asInteger(counts['failed']) ?? 0,
		files: [batch['output_file_id'], batch['error_file_id']].flatMap((file) => asText(file) ?? []),
		problems: errors.flatMap(({message}) => asText(message) ?? []),
	};
}

/**
 * Passes on a file's bytes.
 *
 * @throws {ChatError} if it is refused or cut; the signal's reason when aborted
 */
export async function readFile(
	connection: ServiceConnection,
	name: string,
	write: (bytes: Uint8Array) => void,
	{signal, trace}: BatchOptions,
): Promise<void> {
	const context = contextOf(connection, `/files/${encodeURIComponent(name)}/content`);
	const {url} = context;
	const headers = createHeaders(connection, 'application/json');
	const {route, limits} = connection;
	const reply = await exchange({method: 'GET', url, headers, route, limits, signal, trace});
	try {
		const {status} = reply.head;
		if (status !== 200) throw errorFromReply(reply.head, await readErrorText(reply), context);
		for (let chunks = await reply.read(); chunks !== undefined; chunks = await reply.read()) {
			chunks.forEach(write);
		}
		signal.throwIfAborted();
		const failed = failureOf(reply, url);
		if (failed !== undefined) throw failed;
	} finally {
		reply.close();
	}
}

const missingStatuses: readonly unknown[] = [404, 405, 501];

async function request(
	connection: ServiceConnection,
	path: string,
	content: Pick<JsonRequest, 'body' | 'form'>,
	options: BatchOptions,
): Promise<JsonValue> {
	const context = contextOf(connection, path);
	const {route, limits} = connection;
	const headers = createHeaders(connection, 'application/json');
	const sent = {...content, ...options, context, headers, route, connectMs: limits.connectMs};
	try {
		return await requestJson({...sent, limitMs: limits.payloadMs});
	} catch (error) {
		const isMissing = error instanceof ChatError && missingStatuses.includes(error.details.status);
		if (!isMissing || content.form === undefined) throw error;
		const message = `${redactUrl(context.url)}: the service has no batch endpoint`;
		throw new ChatError('rejected', message, {
			...error.details,
			hint: 'Without --submit, the lines are asked one by one.',
		});
	}
}

function contextOf(connection: ServiceConnection, path: string): ErrorContext {
	const {wire, apiKey, keySource = 'the settings', authHeader} = connection;
	const operation = batchPathOf(connection).replace(/^\/v1/, '');
	const url = new URL(wire.url);
	url.pathname = url.pathname.replace(operation, path);
	return {
		url,
		words: wire.words,
		model: '',
		keySource: apiKey === undefined ? undefined : keySource,
		authHeader,
		isModelChosen: false,
	};
}

/** No line of JSON begins with it. */
const boundary = 'chat-batch-7c1f0e6d2b9a4f38';

function createForm(lines: string): NonNullable<JsonRequest['form']> {
	const part = (head: string, text: string) =>
		`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
	const file = 'name="file"; filename="batch.jsonl"\r\nContent-Type: application/jsonl';
	return {
		type: `multipart/form-data; boundary=${boundary}`,
		text: `${part('name="purpose"', 'batch')}${part(file, lines)}--${boundary}--\r\n`,
	};
}

function nameIn(reply: JsonValue, {wire}: ServiceConnection): string {
	const name = asText(asObject(reply)?.['id']);
	if (name !== undefined) return name;
	throw new ChatError('protocol', `${redactUrl(wire.url)} did not name the batch it made`);
}
