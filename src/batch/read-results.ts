/** Finds single results in the files of a service's batch, without keeping them in memory. */
import {closeSync, openSync, readSync} from 'node:fs';
import {asInteger, asObject, asText, parseJsonObject} from '../json.ts';
import {readLines} from '../sessions/read-lines.ts';

/** The reply to one request. */
export type BatchResult = {readonly status: number; readonly body: string};

export type BatchResults = {
	/**
	 * Returns the result of a request once; undefined without one, also if the service did not get to it
	 * in time.
	 */
	take(requestName: string): BatchResult | undefined;
	/** Returns the number of results not taken. */
	left(): number;
	close(): void;
};

/** @param path of the files' lines, one after the other */
export function openResults(path: string): BatchResults {
	const places = new Map<string, readonly [offset: number, length: number]>();
	let offset = 0;
	for (const line of readLines(path)) {
		const name = asText(parseJsonObject(line.toString('utf8'))?.['custom_id']);
		if (name !== undefined) places.set(name, [offset, line.length]);
		offset += line.length + 1;
	}
	const fd = openSync(path, 'r');
	return {
		take(requestName) {
			const place = places.get(requestName);
			if (place === undefined) return undefined;
			places.delete(requestName);
			const [start, length] = place;
			const bytes = Buffer.alloc(length);
			readSync(fd, bytes, 0, length, start);
			return readResult(bytes.toString('utf8'));
		},
		left: () => places.size,
		close: () => closeSync(fd),
	};
}

const outOfTime: readonly string[] = ['batch_expired', 'batch_cancelled'];

function readResult(text: string): BatchResult | undefined {
	const {response, error} = parseJsonObject(text) ?? {};
	const reply = asObject(response);
	const status = asInteger(reply?.['status_code']);
	if (reply !== undefined && status !== undefined) {
		return {status, body: JSON.stringify(reply['body'] ?? null)};
	}
	if (outOfTime.includes(asText(asObject(error)?.['code']) ?? '')) return undefined;
	return {status: 500, body: JSON.stringify({error: error ?? null})};
}
