/** The files that conversations are imported from, and the files next to them. */
import {lstatSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {encodingOf} from '../../../input/decode-text.ts';
import {detectFileKind} from '../../../input/file-kind.ts';
import {
	checkFile,
	type FileSource,
	readFileBytes,
	readStdin,
	unreadable,
} from '../../../input/read-bytes.ts';
import type {FindFile, ImportContext} from '../../../sessions/import/foreign.ts';
import type {ZipFile} from '../../../sessions/import/zip-file.ts';
import {readChunks} from '../../../sessions/read-lines.ts';
import {mebibyte} from '../../../wording.ts';

export type ImportSource = Omit<ImportContext, 'now'> & {
	/** The path, or `stdin`. */
	readonly name: string;
	/** Its bytes, as UTF-8. They throw a `ChatError` of kind `input` or `data`. */
	readonly chunks: Iterable<Uint8Array>;
};

/** More than any export, and less than memory. */
const maxBytes = 1024 * mebibyte;

/** @throws {ChatError} `usage` if nothing is piped in */
export async function openStdin(
	{stdin}: Environment,
	signal: AbortSignal,
	directory: string,
): Promise<ImportSource> {
	if (stdin.kind !== 'data') {
		const words = 'Pipe something in: llm logs -n 0 --json | chat sessions import -';
		throw new ChatError('usage', '- reads stdin, but nothing was piped in', {
			hint: words,
		});
	}
	return fromBytes('stdin', await readStdin(stdin, {maxBytes, signal}), directory);
}

function fromBytes(name: string, bytes: Uint8Array, directory: string): ImportSource {
	return {name, chunks: decodeChunks([bytes], name), findFile: () => undefined, directory};
}

/**
 * Opens a file, or the conversations in a folder or ZIP archive that a service has delivered.
 *
 * @throws {ChatError} `input` or `data` if there are none
 */
export async function* openImport(
	name: string,
	directory: string,
	files: FileSource,
): AsyncGenerator<ImportSource, void, undefined> {
	const path = resolve(files.cwd, name);
	if (statSync(path, {throwIfNoEntry: false})?.isDirectory() === true) {
		const found = listFiles(path).filter(isConversations);
		if (found.length === 0) throw noConversations(name);
		for (const file of found) yield openFile(file, join(name, file.slice(path.length)));
		return;
	}
	const stats = checkFile(name, files.cwd, true);
	if (!stats.isFile()) yield fromBytes(name, await readFileBytes(name, maxBytes, files), directory);
	else if (isZip(path, name)) yield* openArchive(path, name, directory);
	else yield openFile(path, name);
}

/** `conversations.json`, or a part of it: `conversations-001.json`. */
function isConversations(path: string): boolean {
	return /^conversations[\w-]*\.json$/i.test(basename(path));
}

function noConversations(name: string): ChatError {
	return new ChatError('data', `${name} has no conversations.json`);
}

function openFile(path: string, name: string): ImportSource {
	const folder = dirname(path);
	const known = () => listFiles(folder);
	return {
		name,
		chunks: decodeChunks(readNamed(path, name), name),
		findFile: createFinder(known, readSmallFile),
		// A session is in a folder of its month, in one of its year, in `sessions`.
		directory: resolve(folder, '..', '..', '..'),
	};
}

function isZip(path: string, name: string): boolean {
	const [first] = readNamed(path, name);
	return first !== undefined && Buffer.from(first.subarray(0, 2)).toString('latin1') === 'PK';
}

async function* openArchive(
	path: string,
	name: string,
	directory: string,
): AsyncGenerator<ImportSource, void, undefined> {
	const {openZip} = await import('../../../sessions/import/zip-file.ts');
	let zip: ZipFile;
	try {
		zip = await openZip(path);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('data', `cannot read ${name}: ${message}`, {cause});
	}
	try {
		const found = zip.names.filter(isConversations);
		if (found.length === 0) throw noConversations(name);
		const findFile = createFinder(
			() => zip.names,
			(file) => zip.readNow(file, maxFileBytes),
		);
		for (const file of found) {
			const label = `${name}/${file}`;
			const chunks = decodeChunks(await readFromZip(zip, file, label), label);
			yield {name: label, chunks, findFile, directory};
		}
	} finally {
		zip.close();
	}
}

async function readFromZip(
	zip: ZipFile,
	file: string,
	label: string,
): Promise<readonly Uint8Array[]> {
	try {
		return await zip.readChunks(file, maxBytes);
	} catch (cause) {
		const {message} = cause as Error;
		throw new ChatError('data', `cannot read ${label}: ${message}`, {cause});
	}
}

const chunkBytes = 1_048_576;

function* readNamed(path: string, name: string): Generator<Uint8Array, void, undefined> {
	try {
		yield* readChunks(path, chunkBytes);
	} catch (cause) {
		throw unreadable(name, cause);
	}
}

/** PowerShell writes UTF-16 into files. */
function* decodeChunks(
	chunks: Iterable<Uint8Array>,
	name: string,
): Generator<Uint8Array, void, undefined> {
	let decoder: TextDecoder | undefined;
	let isFirst = true;
	for (const chunk of chunks) {
		if (isFirst) {
			checkKind(chunk, name);
			const encoding = encodingOf(chunk);
			decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
		}
		isFirst = false;
		yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, {stream: true}));
	}
}

function checkKind(chunk: Uint8Array, name: string): void {
	const kind = detectFileKind(chunk);
	if (kind === undefined) return;
	const words = 'Name the file: chat sessions import export.zip';
	throw new ChatError('data', `${name} is ${kind.name}, not a file of conversations`, {
		hint: kind.isArchive ? words : undefined,
	});
}

/** Shorter names would fit any file. */
const minNameLength = 8;
/** As for an image of a prompt. */
const maxFileBytes = 20 * mebibyte;

/**
 * Finds files by the start of their names.
 *
 * @param list returns the paths, and is called once at most
 * @param read may throw
 */
function createFinder(
	list: () => readonly string[],
	read: (path: string) => Uint8Array | undefined,
): FindFile {
	let known: readonly string[] | undefined;
	return (start) => {
		if (start.length < minNameLength) return undefined;
		known ??= list();
		const path = known.find((candidate) => basename(candidate).startsWith(start));
		try {
			return path === undefined ? undefined : read(path);
		} catch {
			return undefined;
		}
	};
}

/** Threat: a link to a file elsewhere. */
function readSmallFile(path: string): Uint8Array | undefined {
	const stats = lstatSync(path);
	return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(path) : undefined;
}

/** Returns the files in the folder and in those in it. */
function listFiles(folder: string, depth = 1): readonly string[] {
	try {
		return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.isFile()) return [path];
			return entry.isDirectory() && depth > 0 ? listFiles(path, depth - 1) : [];
		});
	} catch {
		return [];
	}
}
