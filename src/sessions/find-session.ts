/** Finds sessions by their ids, titles and folders. */
import {statSync} from 'node:fs';
import {findClosest} from '../did-you-mean.ts';
import {ChatError} from '../errors.ts';
import {createRecordReader} from './read-records.ts';
import {listSessionFiles, type SessionFile} from './session-files.ts';
import type {SessionRecord} from './session-record.ts';
import {buildTree, type TurnNode} from './session-tree.ts';

export type SessionSummary = SessionFile & {
	readonly title: string;
	/** Milliseconds since 1970. */
	readonly created: number;
	/** The number of answered turns. */
	readonly turns: number;
	/** Whether any turn has an answer, on any branch. */
	readonly isAnswered: boolean;
	/** Whether a prompt has no answer. */
	readonly hasDraft: boolean;
	/** Undefined if the naming records are damaged. */
	readonly model: string | undefined;
	readonly cwd: string | undefined;
	readonly prompts: readonly string[];
};

/** Skips answer texts. Returns undefined for an unreadable file. */
export function summarize(file: SessionFile): SessionSummary | undefined {
	return summarizeRecords(file, (records) => records);
}

function summarizeRecords(
	file: SessionFile,
	select: (records: Iterable<SessionRecord>) => Iterable<SessionRecord>,
): SessionSummary | undefined {
	try {
		const tree = buildTree(select(createRecordReader(file.path, true).records()));
		const isAnswered = ({answer, partials}: TurnNode) =>
			answer !== undefined || partials.length > 0;
		const turns = tree.path.filter(isAnswered).length;
		return {
			...file,
			title: tree.title,
			created: Date.parse(tree.header?.created ?? '') || file.updated,
			turns,
			isAnswered: tree.turns.some(isAnswered),
			hasDraft: turns < tree.path.length,
			model: tree.settings?.model,
			cwd: tree.header?.cwd,
			prompts: tree.turns.map(({user}) => user.text),
		};
	} catch {
		return undefined;
	}
}

function* untilAnswer(records: Iterable<SessionRecord>): Generator<SessionRecord> {
	for (const record of records) {
		yield record;
		if (record.type === 'answer' || record.type === 'partial') return;
	}
}

/** Returns the folder's last updated session having an answer, on any branch. */
export function findLatest(directory: string, cwd: string): SessionFile | undefined {
	return listSessionFiles(directory).find((file) => beganIn(cwd, file));
}

/** Files inspected for a first screen, most belonging to other folders. */
const newestFiles = 500;
const readFiles = 100;

/** A longer file is read only up to its first answer. */
const maxSummarySize = 1_048_576;

export type EarlierSummary = Omit<SessionSummary, 'turns'> & {
	/** Undefined for a long conversation. */
	readonly turns: number | undefined;
};

/**
 * Returns the folder's last updated sessions having an answer, at most `count`. The work is
 * bounded, however many sessions there are, so one older than many others may be missing. Never
 * throws.
 */
export function findEarlier(
	directory: string,
	cwd: string,
	count: number,
): readonly EarlierSummary[] {
	const found: EarlierSummary[] = [];
	try {
		const files = listSessionFiles(directory, undefined, newestFiles).slice(0, readFiles);
		for (const file of files) {
			if (found.length === count) break;
			if (!beganIn(cwd, file)) continue;
			const isLong = statSync(file.path).size > maxSummarySize;
			const summary = isLong ? summarizeRecords(file, untilAnswer) : summarize(file);
			if (summary !== undefined) found.push(isLong ? {...summary, turns: undefined} : summary);
		}
	} catch {
		// An unreadable folder is reported when saving a conversation there fails.
	}
	return found;
}

/** Reads up to the first answer. */
function beganIn(cwd: string, {path}: SessionFile): boolean {
	let isHere = false;
	try {
		for (const record of createRecordReader(path, true).records()) {
			isHere ||= record.type === 'session' && record.cwd === cwd;
			if (!isHere) return false;
			if (record.type === 'answer' || record.type === 'partial') return true;
		}
	} catch {
		// An unreadable file is skipped.
	}
	return false;
}

const listHint = {line: 'chat sessions list shows them.', repl: '/sessions lists them'};

const minPrefix = 4;

/**
 * Finds a session by its id, by at least 4 characters of it, or by its exact title.
 *
 * @throws {ChatError} `input` when there is none, `usage` when there are several
 */
export function findSession(directory: string, word: string): SessionFile {
	const id = word.toLowerCase();
	const isPrefix = id.length >= minPrefix;
	const started = isPrefix ? listSessionFiles(directory, (known) => known.startsWith(id)) : [];
	const exact = started.filter((file) => file.id === id);
	const named = exact.length > 0 ? exact : started;
	if (named.length > 0) return onlyOne(word, named);
	const summaries = listSessionFiles(directory).flatMap((file) => summarize(file) ?? []);
	const titled = summaries.filter(({title}) => title === word);
	if (titled.length > 0) return onlyOne(word, titled);
	throw noSession(word, summaries);
}

const shownMatches = 5;

function onlyOne(word: string, found: readonly SessionFile[]): SessionFile {
	const [first, ...more] = found;
	if (first !== undefined && more.length === 0) return first;
	const shown = found.slice(0, shownMatches).map(({id}) => id);
	const rest = found.length > shown.length ? `, and ${found.length - shown.length} more` : '';
	throw new ChatError(
		'usage',
		`"${word}" fits ${found.length} conversations: ${shown.join(', ')}${rest}`,
		{hint: listHint},
	);
}

function noSession(word: string, known: readonly SessionSummary[]): ChatError {
	const words = known.flatMap(({id, title}) => [id, title]);
	const closest = findClosest(word, words);
	const match = known.find(({id, title}) => closest === id || closest === title);
	const suggestion = match === undefined ? '' : `; did you mean ${match.id} "${match.title}"?`;
	return new ChatError('input', `no conversation has the id or title "${word}"${suggestion}`, {
		hint: listHint,
	});
}
