/**
 * The prompts of earlier sessions: one file of JSON lines, shared by all of them. It changes only under
 * a lock, so that a session that makes it smaller loses nothing of another.
 */
import {
	constants,
	createReadStream,
	existsSync,
	readFileSync,
	realpathSync,
	statSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {type Fold, hasContent, type Prompt} from '../chat/prompt.ts';
import {withLock} from '../files/lock-file.ts';
import {makeFolders, replaceFile} from '../files/private-files.ts';
import {
	isJsonObject,
	type JsonObject,
	type JsonValue,
	parseJsonObject,
	toJsonLine,
} from '../json.ts';
import {openAppendFile} from './append-file.ts';

export type HistoryRecord = Omit<Prompt, 'attachments'> & {
	/** The time, as in `2026-11-22T02:47:45.120Z`. */
	readonly at: string;
	/** The folder of the session. */
	readonly cwd: string;
};

/** @param directory the folder of saved conversations */
export function historyPath(directory: string): string {
	return join(directory, 'history.jsonl');
}

/** Longer texts stay in their session. */
const maxTextLength = 65_536;

/** A larger file is made smaller. */
const maxBytes = 4 * 1_048_576;

const keptBytes = maxBytes / 2;
const keptRecords = 10_000;

/** Two sessions may make the file larger than it should be; nothing else does. */
const maxReadBytes = 2 * maxBytes;

/**
 * Adds a prompt, on a line of its own. One that starts with a space is private, as in a shell.
 *
 * @throws the system's error when it cannot be written
 */
export async function appendHistory(path: string, record: HistoryRecord): Promise<void> {
	if (record.text.startsWith(' ') || record.text.length > maxTextLength) return;
	makeFolders(dirname(path));
	await withLock(lockOf(path), () => {
		const file = openAppendFile(path, constants.O_CREAT);
		try {
			file.append(toJsonLine(record));
		} finally {
			file.close();
		}
	});
}

/**
 * Returns the prompts, oldest first: those of other folders, then those of this one.
 *
 * @throws the system's error when there is no file, or it cannot be read
 */
export async function readHistory(path: string, cwd: string): Promise<readonly Prompt[]> {
	const stats = statSync(path);
	if (!stats.isFile()) return [];
	const here: Prompt[] = [];
	const elsewhere: Prompt[] = [];
	const read = (line: string) => {
		for (const record of recordsOf(line)) {
			const {text} = record;
			const folds = checkFolds(record['folds'], text);
			(record['cwd'] === cwd ? here : elsewhere).push({
				text,
				folds,
				attachments: [],
				signs: checkSigns(record['signs']),
			});
		}
	};
	const start = Math.max(0, stats.size - maxReadBytes);
	let rest = '';
	// In pieces, so that signals are heard in between.
	for await (const piece of createReadStream(path, {encoding: 'utf8', start})) {
		const lines = `${rest}${piece}`.split('\n');
		rest = lines.pop() ?? '';
		lines.forEach(read);
	}
	read(rest);
	return [...elsewhere, ...here];
}

/**
 * Makes a large file smaller: the newest prompts stay, each once a folder. The file is whole at every
 * moment.
 *
 * @throws the system's error when it cannot be read or written
 */
export async function compactHistory(path: string): Promise<void> {
	if (!isLarge(path)) return;
	await replaceLines(path, (text) => {
		// Another session may have done it.
		return isLarge(path) ? newestLines(text) : undefined;
	});
}

/** The prompts of a session, and between which times it was in use. */
export type SessionPrompts = {
	readonly cwd: string;
	readonly since: number;
	readonly until: number;
	readonly texts: ReadonlySet<string>;
};

/**
 * Removes the prompts of these sessions.
 *
 * @throws the system's error when it cannot be read or written
 */
export async function forgetPrompts(
	directory: string,
	sessions: readonly SessionPrompts[],
): Promise<void> {
	await rewriteHistory(directory, (record) => {
		const at = Date.parse(String(record['at']));
		const isForgotten = sessions.some(
			({cwd, since, until, texts}) =>
				cwd === record['cwd'] && since <= at && at <= until && texts.has(record.text),
		);
		return isForgotten ? undefined : record;
	});
}

/** @param change returns undefined to remove a prompt */
async function rewriteHistory(
	directory: string,
	change: (record: StoredRecord) => StoredRecord | undefined,
): Promise<void> {
	const path = historyPath(directory);
	if (!existsSync(path)) return;
	await replaceLines(path, (text) => {
		const before = text.split('\n').flatMap(recordsOf);
		const after = before.map(change);
		if (after.every((record, index) => record === before[index])) return undefined;
		return after.filter((record) => record !== undefined).map(toJsonLine);
	});
}

/** @param change returns undefined if nothing is to change */
async function replaceLines(
	path: string,
	change: (text: string) => readonly string[] | undefined,
): Promise<void> {
	await withLock(lockOf(path), () => {
		const target = realpathSync(path);
		const lines = change(readFileSync(target, 'utf8'));
		if (lines !== undefined) replaceFile(target, lines.join(''), 'new');
	});
}

function isLarge(path: string): boolean {
	const stats = statSync(path, {throwIfNoEntry: false});
	return stats !== undefined && stats.size > maxBytes;
}

function newestLines(text: string): readonly string[] {
	const lines = new Map<string, string>();
	let bytes = 0;
	for (const record of text.split('\n').flatMap(recordsOf).reverse()) {
		const key = JSON.stringify([record['cwd'], record.text]);
		if (lines.has(key)) continue;
		const line = toJsonLine(record);
		bytes += Buffer.byteLength(line);
		if (bytes > keptBytes || lines.size === keptRecords) break;
		lines.set(key, line);
	}
	return [...lines.values()].reverse();
}

function lockOf(path: string): string {
	return `${path}.lock`;
}

type StoredRecord = JsonObject & {readonly text: string};

/** Returns the records of a line: none of a damaged one, except those that follow the damage. */
function recordsOf(line: string): readonly StoredRecord[] {
	const whole = parseJsonObject(line);
	const found = whole === undefined ? line.split(/(?=\{"at":")/).map(parseJsonObject) : [whole];
	return found.filter((record) => record !== undefined).filter(isStored);
}

function isStored(record: JsonObject): record is StoredRecord {
	return typeof record['text'] === 'string' && hasContent(record['text']);
}

/** Returns undefined unless every fold is a part of the text, in order. */
function checkFolds(
	value: JsonValue | undefined,
	{length}: {readonly length: number},
): readonly Fold[] | undefined {
	if (!Array.isArray(value)) return undefined;
	const folds: readonly JsonValue[] = value;
	let last = 0;
	const checked = folds.flatMap((fold) => {
		if (!isJsonObject(fold)) return [];
		const {from, to, label} = fold;
		if (typeof from !== 'number' || typeof to !== 'number' || typeof label !== 'string') return [];
		if (!(from >= last && to >= from && to <= length)) return [];
		last = to;
		return [{from, to, label}];
	});
	return checked.length === folds.length ? checked : undefined;
}

/** The editor leaves out an offset at which there is no sign. */
function checkSigns(value: JsonValue | undefined): readonly number[] | undefined {
	return Array.isArray(value) ? value.filter((one) => typeof one === 'number') : undefined;
}
