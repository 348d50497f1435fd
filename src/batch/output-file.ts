/**
 * The answers of a batch on the disk: a line each, appended in one write. The file alone says what is
 * left to do, however the run before was stopped.
 */
import {
	closeSync,
	fdatasyncSync,
	fstatSync,
	openSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {ChatError, toChatError} from '../errors.ts';
import {makeFolders} from '../files/private-files.ts';
import {parseJsonObject} from '../json.ts';
import {readLines} from '../sessions/read-lines.ts';

/** Fields preceding the JSON output. */
export type AnswerHead = {
	readonly id: string;
	/** Tells whether the line still asks the same. */
	readonly hash: string;
	readonly exit_code: number;
};

/** The answers an output file has already. */
export type EarlierAnswers = {
	/** Returns the exit code of the answer to this request; undefined without one. */
	find(id: string, hash: string): number | undefined;
	/**
	 * Opens or creates the file. Cuts off a torn last line.
	 *
	 * @throws {ChatError} `create` if it cannot be written
	 */
	open(): OutputFile;
};

/** Methods throw `output` errors. */
export interface OutputFile {
	/** @param line with its end */
	append(line: string): void;
	close(): void;
}

/**
 * Changes nothing yet.
 *
 * @param name of the file, for messages
 * @param draft a path for a new version; given if failed answers are to be taken out
 * @throws {ChatError} `data` for a file with anything else in it; `input` for an unreadable one
 */
export function readOutputFile(path: string, name: string, draft?: string): EarlierAnswers {
	const found = new Map<string, number>();
	const stats = statSync(path, {throwIfNoEntry: false});
	// A device or a pipe has no answers to find.
	const size = stats?.isFile() === true ? stats.size : 0;
	const length = attempt('input', name, () =>
		scan(path, name, size, ({id, hash, exit_code}) => {
			if (draft === undefined || exit_code === 0) found.set(keyOf(id, hash), exit_code);
		}),
	);
	return {
		find: (id, hash) => found.get(keyOf(id, hash)),
		open: () =>
			attempt('create', name, () => {
				makeFolders(dirname(path));
				if (size > 0) truncateSync(path, length);
				if (draft !== undefined && length > 0) writeWithoutFailed(path, draft);
				return openFile(path, name);
			}),
	};
}

function openFile(path: string, name: string): OutputFile {
	const fd = openSync(path, 'a', 0o600);
	const isFile = fstatSync(fd).isFile();
	return {
		append: (line) =>
			attempt('output', name, () => {
				const bytes = Buffer.from(line);
				for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
			}),
		close() {
			if (isFile) attempt('output', name, () => fdatasyncSync(fd));
			closeSync(fd);
		},
	};
}

function attempt<Result>(
	kind: 'create' | 'input' | 'output',
	name: string,
	work: () => Result,
): Result {
	try {
		return work();
	} catch (cause) {
		if (cause instanceof ChatError) throw cause;
		const what = kind === 'input' ? 'read' : 'write';
		throw new ChatError(kind, `cannot ${what} ${name}: ${toChatError(cause).message}`, {cause});
	}
}

function keyOf(id: string, hash: string): string {
	return `${hash} ${id}`;
}

/**
 * Returns the total length of the complete lines.
 *
 * @throws {ChatError} `data` for a line that is not an answer
 */
function scan(
	path: string,
	name: string,
	size: number,
	onAnswer: (head: AnswerHead) => void,
): number {
	let length = 0;
	for (const line of size === 0 ? [] : readLines(path)) {
		const end = length + line.length + 1;
		const text = line.toString('utf8');
		const head = end > size ? undefined : readHead(text);
		if (head === undefined && (end <= size || !mayBeTorn(text))) throw notOurs(name);
		if (head === undefined) break;
		onAnswer(head);
		length = end;
	}
	return length;
}

const start = '{"id":"';

function mayBeTorn(text: string): boolean {
	return text.startsWith(start) || start.startsWith(text);
}

function readHead(text: string): AnswerHead | undefined {
	const {id, hash, exit_code} = parseJsonObject(text) ?? {};
	const isHead = typeof id === 'string' && typeof hash === 'string';
	return isHead && typeof exit_code === 'number' ? {id, hash, exit_code} : undefined;
}

function notOurs(name: string): ChatError {
	return new ChatError('data', `${name} has other lines than the answers of a batch`, {
		hint: 'It was not changed. Name another file with -o.',
	});
}

/** Replaces the file as a whole: a run stopped here leaves the old one. */
function writeWithoutFailed(path: string, draft: string): void {
	try {
		const fd = openSync(draft, 'wx', 0o600);
		for (const line of readLines(path)) {
			if (readHead(line.toString('utf8'))?.exit_code === 0) writeSync(fd, `${line}\n`);
		}
		fdatasyncSync(fd);
		closeSync(fd);
		renameSync(draft, path);
	} catch (error) {
		rmSync(draft, {force: true});
		throw error;
	}
}
