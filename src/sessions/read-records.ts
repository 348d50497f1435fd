/** Reads the records of a file that may be damaged. */
import {type JsonObject, parseJsonObject} from '../json.ts';
import {readLines} from './read-lines.ts';
import {checkRecord, isRecordType, type SessionRecord} from './session-record.ts';

export type RecordReader = {
	/** @throws the system's error when the file cannot be read */
	records(): Generator<SessionRecord, void, undefined>;
	/** The lines so far holding nothing readable, or only a record's end. */
	damaged(): number;
};

/**
 * Skips unreadable data: half a line from a killed run, a block of zeros after a power cut.
 *
 * @param isOutline leaves out answer texts, which make up most of a file
 */
export function createRecordReader(path: string, isOutline: boolean): RecordReader {
	let damaged = 0;
	const read = (bytes: Buffer): SessionRecord | 'unknown' | undefined => {
		const outline = isOutline ? readOutline(bytes) : undefined;
		if (outline !== undefined) return outline;
		const line = parseLine(bytes);
		const record = line && checkRecord(line.value);
		if (record === undefined || line?.isWhole === false) damaged += 1;
		return record;
	};
	return {
		*records() {
			for (const bytes of readLines(path)) {
				const record = bytes.length === 0 ? undefined : read(bytes);
				if (record !== undefined && record !== 'unknown') yield record;
			}
		},
		damaged: () => damaged,
	};
}

const closeBrace = 0x7d;
const answerStart = /^\{"type":"(answer|partial)","of":"([^"\\]+)"/;

/** Leaves a damaged line to the whole reader. */
function readOutline(bytes: Buffer): SessionRecord | undefined {
	const [, type, of] = answerStart.exec(bytes.toString('utf8', 0, 256)) ?? [];
	if (of === undefined || isDamaged(bytes)) return undefined;
	if (type === 'partial') return {type, of, ms: 0, events: []};
	return {type: 'answer', of, status: 'complete', messages: [], reasoningMs: 0, totalMs: 0};
}

/** Whether a line is cut off, has zeros in it, or another record after half an answer. */
function isDamaged(bytes: Buffer): boolean {
	if (bytes.at(-1) !== closeBrace || bytes.includes(0)) return true;
	for (let at = 1; ; at += recordStart.length) {
		at = bytes.indexOf(recordStart, at);
		if (at === -1) return false;
		const word = at + recordStart.length;
		if (isRecordType(bytes.toString('latin1', word, bytes.indexOf('"', word)))) return true;
	}
}

type Line = {readonly value: JsonObject; readonly isWhole: boolean};

/** Two writers, or one after a crash, may have put a whole record after half a one. */
function parseLine(bytes: Buffer): Line | undefined {
	const text = decode(bytes);
	const whole = parseJsonObject(text);
	if (whole !== undefined) return {value: whole, isWhole: true};
	for (let place = text.length; place > 0; ) {
		place = text.lastIndexOf(recordStart, place - 1);
		if (place === -1) break;
		const value = parseJsonObject(text.slice(place));
		if (value !== undefined) return {value, isWhole: false};
	}
	return undefined;
}

const recordStart = '{"type":"';

/** Returns an empty text for a line exceeding the maximum text length. */
function decode(bytes: Buffer): string {
	try {
		return bytes.toString('utf8').replaceAll('\0', '');
	} catch {
		return '';
	}
}
