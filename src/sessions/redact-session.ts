/**
 * Masks a text in the file of a session, which is replaced as a whole. A run that still adds to it goes
 * on in the new file.
 */
import {
	closeSync,
	fdatasyncSync,
	fstatSync,
	futimesSync,
	openSync,
	realpathSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {withLock} from '../files/lock-file.ts';
import {
	isJsonObject,
	type JsonObject,
	type JsonValue,
	parseJsonObject,
	toJsonLine,
} from '../json.ts';
import {redactJson} from '../redact.ts';
import {openAppendFile} from './append-file.ts';
import {readLines, readLinesAt} from './read-lines.ts';
import {draftPath} from './session-path.ts';
import {anyJsonFields, wordFields} from './session-record.ts';
import type {TextMask} from './text-mask.ts';

/** A session of 100 MB takes a second. */
const patienceMs = 20_000;

/** A run that has looked at the file before it was replaced writes its record much sooner. */
const lateMs = 100;

/** @throws the system's error when the file cannot be read or written */
export async function redactFile(link: string, mask: TextMask): Promise<void> {
	const path = realpathSync(link);
	// Two runs that mask different texts would undo each other's work.
	const late = await withLock(`${path}.lock`, () => replaceMasked(path, mask), patienceMs);
	if (late === undefined) return;
	await delay(lateMs);
	late();
}

/**
 * Returns what copies records that other runs have just added to the file that was replaced; undefined if
 * the text is not in it.
 */
function replaceMasked(path: string, mask: TextMask): (() => void) | undefined {
	const fd = openSync(path, 'r');
	const before = mask.count();
	try {
		const draft = draftPath(path);
		let end = writeMasked(fd, draft, mask);
		const isWhole = fstatSync(fd).size === end;
		if (isWhole && mask.count() === before) {
			rmSync(draft);
			closeSync(fd);
			return undefined;
		}
		renameSync(draft, path);
		const carryOver = (isLast: boolean) => {
			const lines: string[] = [];
			end = maskLines(fd, end, mask, isLast, (line) => lines.push(line));
			if (lines.length > 0) appendLines(path, lines);
		};
		carryOver(false);
		return () => {
			carryOver(true);
			closeSync(fd);
		};
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

const passes = 3;

/** @returns the end of what was read */
function writeMasked(fd: number, draft: string, mask: TextMask): number {
	const out = openSync(draft, 'w', 0o600);
	try {
		let end = 0;
		// Another run may add to it meanwhile. The last pass is short.
		for (let pass = 0; pass < passes; pass += 1) {
			end = maskLines(fd, end, mask, false, (line) => writeFileSync(out, line));
		}
		// The session that was used last stays the one to continue.
		const {atime, mtime} = fstatSync(fd);
		futimesSync(out, atime, mtime);
		fdatasyncSync(out);
		return end;
	} catch (error) {
		rmSync(draft, {force: true});
		throw error;
	} finally {
		closeSync(out);
	}
}

function appendLines(path: string, lines: readonly string[]): void {
	const file = openAppendFile(path);
	try {
		for (const line of lines) file.append(line);
		file.sync();
	} finally {
		file.close();
	}
}

/**
 * Stops where the file ended at first: another run may write faster than this one reads.
 *
 * @param isLast whether a line without its end counts: another run may be writing it
 * @returns the end of the last line
 */
function maskLines(
	fd: number,
	start: number,
	mask: TextMask,
	isLast: boolean,
	write: (line: string) => void,
): number {
	const partials = new Map<JsonValue | undefined, JsonObject[]>();
	const {size} = fstatSync(fd);
	let end = start;
	for (const bytes of readLinesAt(fd, start)) {
		if (end >= size || (bytes.at(-1) !== 0x0a && !isLast)) break;
		end += bytes.length;
		const text = bytes.toString('utf8').replace(/\n$/, '');
		const record = parseJsonObject(text);
		if (record?.['type'] === 'partial') {
			const {of} = record;
			partials.set(of, [...(partials.get(of) ?? []), record]);
		} else {
			write(record === undefined ? `${mask.apply(text)}\n` : toJsonLine(maskRecord(record, mask)));
		}
	}
	for (const records of partials.values()) {
		write(toJsonLine(maskRecord(joinPartials(records), mask)));
	}
	return end;
}

/** The text may begin in one record and end in the next one. */
function joinPartials(records: readonly JsonObject[]): JsonObject {
	const joined: JsonObject[] = [];
	for (const {events} of records) {
		for (const event of Array.isArray(events) ? events.filter(isJsonObject) : []) {
			const last = joined.at(-1);
			const [before, after] = [last?.['text'], event['text']];
			const isSame = last !== undefined && last['type'] === event['type'];
			if (isSame && typeof before === 'string' && typeof after === 'string') {
				joined[joined.length - 1] = {...last, text: before + after};
			} else {
				joined.push(event);
			}
		}
	}
	return {...records.at(-1), events: joined};
}

function maskRecord(record: JsonObject, mask: TextMask): JsonObject {
	const entries = Object.entries(record).map(([name, value]) => {
		if (wordFields.has(name)) return [name, value];
		return [name, anyJsonFields.has(name) ? maskAny(value, mask) : maskField(value, mask)];
	});
	return Object.fromEntries(entries);
}

function maskField(value: JsonValue, mask: TextMask): JsonValue {
	if (Array.isArray(value)) return value.map((item) => maskField(item, mask));
	return isJsonObject(value) ? maskRecord(value, mask) : maskAny(value, mask);
}

function maskAny(value: JsonValue, mask: TextMask): JsonValue {
	return redactJson(value, (text) => mask.apply(text));
}

/** Whether the file can be read and has the text somewhere. */
export function hasText(path: string, mask: TextMask): boolean {
	try {
		for (const line of readLines(path)) if (mask.isIn(line.toString('utf8'))) return true;
	} catch {
		// Another run may have deleted it.
	}
	return false;
}
