/**
 * Masks a text in a session file, replacing it as a whole. A run still adding to it goes on in the
 * new file.
 */
import {
	closeSync,
	fdatasyncSync,
	fstatSync,
	futimesSync,
	openSync,
	readSync,
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
import {FileDeletedError, openAppendFile} from './append-file.ts';
import {readLines} from './read-lines.ts';
import {draftPath} from './session-path.ts';
import {anyJsonFields, wordFields} from './session-record.ts';
import type {TextMask} from './text-mask.ts';

const lineFeed = 0x0a;

/** A session of 100 MB takes a second. */
const patienceMs = 20_000;

/** A run that looked at the file before the replacement writes its record much sooner. */
const lateMs = 100;

/** @throws the system's error when the file cannot be read or written */
export async function redactFile(link: string, mask: TextMask): Promise<void> {
	const path = realpathSync(link);
	// Two runs masking different texts would undo each other's work.
	const replaced = await withLock(`${path}.lock`, () => replaceMasked(path, mask), {patienceMs});
	if (replaced === undefined) return;
	await delay(lateMs);
	try {
		appendLines(path, replaced, true);
	} finally {
		replaced.close();
	}
}

/**
 * Returns the replaced file, which other runs may still add to; undefined if the text is not in it.
 */
function replaceMasked(path: string, mask: TextMask): MaskedFile | undefined {
	const file = openMasked(path, mask);
	try {
		const before = mask.count();
		const lines = file.take();
		if (mask.count() === before && file.stats().isRead) {
			file.close();
			return undefined;
		}
		writeDraft(draftPath(path), lines, file);
		renameSync(draftPath(path), path);
		appendLines(path, file);
		return file;
	} catch (error) {
		file.close();
		throw error;
	}
}

function writeDraft(draft: string, lines: readonly string[], {take, stats}: MaskedFile): void {
	const out = openSync(draft, 'w', 0o600);
	try {
		// Another run may add to it meanwhile.
		for (const line of [...lines, ...take()]) writeFileSync(out, line);
		// The last used session stays the one to continue.
		const {atime, mtime, isDeleted} = stats();
		if (isDeleted) throw new FileDeletedError('its file was deleted');
		futimesSync(out, atime, mtime);
		fdatasyncSync(out);
	} catch (error) {
		rmSync(draft, {force: true});
		throw error;
	} finally {
		closeSync(out);
	}
}

type MaskedFile = ReturnType<typeof openMasked>;

function openMasked(path: string, mask: TextMask) {
	const fd = openSync(path, 'r');
	const opened = fstatSync(fd).mtimeMs;
	let end = 0;
	return {
		/**
		 * Returns the lines added since the last call, masked.
		 *
		 * @param isLast whether a line without its end counts: another run may be writing it
		 */
		take(isLast = false) {
			const bytes = Buffer.alloc(fstatSync(fd).size - end);
			const length = readSync(fd, bytes, 0, bytes.length, end);
			const whole = bytes.subarray(0, length).lastIndexOf(lineFeed) + 1;
			const taken = bytes.subarray(0, isLast ? length : whole);
			end += taken.length;
			return maskLines(taken, mask);
		},
		/** Returns its times, whether all of it was taken, and other runs' changes. */
		stats() {
			const {size, atime, mtime, mtimeMs, nlink} = fstatSync(fd);
			const isUsed = mtimeMs !== opened;
			return {atime, mtime, isRead: size === end, isUsed, isDeleted: nlink === 0};
		},
		close: () => closeSync(fd),
	};
}

function appendLines(path: string, {take, stats}: MaskedFile, isLast = false): void {
	const lines = take(isLast);
	if (lines.length === 0) return;
	const file = openAppendFile(path);
	try {
		// Half a line from before does not count as use.
		const write = stats().isUsed ? file.append : file.amend;
		for (const line of lines) write(line);
		file.sync();
	} finally {
		file.close();
	}
}

function maskLines(bytes: Buffer, mask: TextMask): readonly string[] {
	const partials = new Map<JsonValue | undefined, JsonObject[]>();
	const masked: string[] = [];
	for (let start = 0; start < bytes.length; ) {
		const next = bytes.indexOf(lineFeed, start);
		const end = next === -1 ? bytes.length : next;
		const text = bytes.toString('utf8', start, end);
		start = end + 1;
		const record = parseJsonObject(text);
		if (record?.['type'] === 'partial') {
			const {of} = record;
			partials.set(of, [...(partials.get(of) ?? []), record]);
		} else {
			masked.push(record ? toJsonLine(maskRecord(record, mask)) : `${mask.apply(text)}\n`);
		}
	}
	for (const records of partials.values()) {
		masked.push(toJsonLine(maskRecord(joinPartials(records), mask)));
	}
	return masked;
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

/** Whether the file can be read, and masking would change it. The mask counts what it finds. */
export function containsText(path: string, mask: TextMask): boolean {
	try {
		for (const line of readLines(path)) {
			if (!mask.isIn(line.toString('utf8'))) continue;
			// Words of the format are not masked, and do not count.
			const before = mask.count();
			maskLines(line, mask);
			if (mask.count() > before) return true;
		}
	} catch {
		// Another run may have deleted it.
	}
	return false;
}
