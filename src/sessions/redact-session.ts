/**
 * Masks a text in the file of a session. The file stays the same one, and no line changes its
 * length, so that a run that still adds to it loses nothing.
 */
import {closeSync, fdatasyncSync, fstatSync, futimesSync, openSync, writeSync} from 'node:fs';
import {withLock} from '../files/lock-file.ts';
import {
	isJsonObject,
	type JsonObject,
	type JsonValue,
	parseJsonObject,
	toJsonLine,
} from '../json.ts';
import {readLines} from './read-lines.ts';
import type {TextMask} from './text-mask.ts';

/** A session of 100 MB takes a second. */
const patienceMs = 20_000;

/** @throws the system's error when the file cannot be read or written */
export async function redactSession(path: string, mask: TextMask): Promise<void> {
	// Two runs that mask different texts would undo each other's work.
	await withLock(`${path}.lock`, () => maskFile(path, mask), patienceMs);
}

type Line = {readonly start: number; readonly bytes: Buffer};

type PartialLine = Line & {readonly record: JsonObject};

function maskFile(path: string, mask: TextMask): void {
	const fd = openSync(path, 'r+');
	try {
		const {size, atime, mtime} = fstatSync(fd);
		const partials = new Map<JsonValue | undefined, PartialLine[]>();
		let start = 0;
		for (const bytes of readLines(path)) {
			const line = {start, bytes};
			start += bytes.length + 1;
			const record = parseJsonObject(bytes.toString('utf8'));
			if (record?.['type'] === 'partial') {
				const {of} = record;
				partials.set(of, [...(partials.get(of) ?? []), {...line, record}]);
			} else {
				replaceLine(fd, line, record && maskRecord(record, mask), mask);
			}
		}
		for (const lines of partials.values()) {
			for (const {record, ...line} of maskPartials(lines, mask)) {
				replaceLine(fd, line, record, mask);
			}
		}
		if (mask.count() > 0) fdatasyncSync(fd);
		// The session that was used last stays the one to continue.
		if (fstatSync(fd).size === size) futimesSync(fd, atime, mtime);
	} finally {
		closeSync(fd);
	}
}

/** @param record undefined if the line is damaged */
function replaceLine(
	fd: number,
	{start, bytes}: Line,
	record: JsonObject | undefined,
	mask: TextMask,
): void {
	const masked = Buffer.alloc(bytes.length, ' ');
	const written = Buffer.from(record === undefined ? '' : toJsonLine(record).slice(0, -1));
	if (record !== undefined && written.length <= bytes.length) {
		written.copy(masked);
	} else {
		bytes.copy(masked);
		mask.applyToBytes(masked);
	}
	if (masked.equals(bytes)) return;
	for (let done = 0; done < masked.length; ) {
		done += writeSync(fd, masked, done, masked.length - done, start + done);
	}
}

/** Fields whose texts are never those of a person, a model or a tool. */
const structure: ReadonlySet<string> = new Set([
	'type',
	'id',
	'of',
	'parent',
	'at',
	'created',
	'forkOf',
	'role',
	'status',
	'kind',
	'format',
	'mime',
	'blob',
	'callId',
]);

/** Fields with any JSON inside, in which names may have the text, too. */
const anyJson: ReadonlySet<string> = new Set(['options', 'providerData', 'raw', 'value']);

function maskRecord(record: JsonObject, mask: TextMask): JsonObject {
	const entries = Object.entries(record).map(([name, value]) => {
		if (structure.has(name)) return [name, value];
		return [name, anyJson.has(name) ? maskAny(value, mask) : maskField(value, mask)];
	});
	return Object.fromEntries(entries);
}

function maskField(value: JsonValue, mask: TextMask): JsonValue {
	if (Array.isArray(value)) return value.map((item) => maskField(item, mask));
	return isJsonObject(value) ? maskRecord(value, mask) : maskAny(value, mask);
}

function maskAny(value: JsonValue, mask: TextMask): JsonValue {
	if (typeof value === 'string') return mask.apply(value);
	if (Array.isArray(value)) return value.map((item) => maskAny(item, mask));
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.map(([name, item]) => [mask.apply(name), maskAny(item, mask)]));
}

/** The text may begin in one record and end in the next one. */
function maskPartials(lines: readonly PartialLine[], mask: TextMask): readonly PartialLine[] {
	const deltas = lines.flatMap(({record}) => eventsOf(record)).filter(isDelta);
	const masked = new Map<JsonObject, JsonObject>();
	for (const type of new Set(deltas.map((delta) => delta.type))) {
		const same = deltas.filter((delta) => delta.type === type);
		const text = mask.apply(same.map((delta) => delta.text).join(''));
		let place = 0;
		for (const delta of same) {
			const end = place + delta.text.length;
			masked.set(delta, {...delta, text: text.slice(place, end)});
			place = end;
		}
	}
	return lines.map(({record, ...line}) => {
		const events = eventsOf(record).map((event) => masked.get(event) ?? maskRecord(event, mask));
		return {...line, record: {...record, events}};
	});
}

type Delta = JsonObject & {readonly type: string; readonly text: string};

function isDelta(event: JsonObject): event is Delta {
	return typeof event['type'] === 'string' && typeof event['text'] === 'string';
}

function eventsOf({events}: JsonObject): readonly JsonObject[] {
	return Array.isArray(events) ? events.filter(isJsonObject) : [];
}

/** Whether the file can be read and has the text somewhere. */
export function hasText(path: string, mask: TextMask): boolean {
	try {
		for (const line of readLines(path)) if (mask.isIn(line)) return true;
	} catch {
		// Another run may have deleted it.
	}
	return false;
}
