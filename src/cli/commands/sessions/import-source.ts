/** Import files, and the files next to them. */
import {lstatSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {ChatError} from '../../../errors.ts';
import {detectFileKind} from '../../../input/file-kind.ts';
import {encodingOf} from '../../../input/load-text.ts';
import {checkFile, readFileBytes, readStdin, unreadable} from '../../../input/read-bytes.ts';
import type {FoundLogs} from '../../../sessions/import/find-logs.ts';
import type {FindFile, ImportContext} from '../../../sessions/import/foreign.ts';
import {type ProgramName, programs} from '../../../sessions/import/programs.ts';
import {readChunks} from '../../../sessions/read-lines.ts';
import {mebibyte, shortenHome} from '../../../wording.ts';
import {createFileSource} from '../../run/read-request.ts';
import type {SessionRun} from './session-verb.ts';

export type ImportSource = Omit<ImportContext, 'now'> & {
	/** The path, or `stdin`. */
	readonly name: string;
	/** UTF-8 bytes. Reading throws a `ChatError` with kind `input` or `data`. */
	readonly chunks: Iterable<Uint8Array>;
	/** Whether it was found among the files of a program. */
	readonly isFound?: boolean;
	/** When the file was last updated, in milliseconds since 1970. */
	readonly updated?: number;
};

/** More than any export, and less than memory. */
const maxBytes = 1024 * mebibyte;

/**
 * Opens stdin, a file, or the conversations in a service's export folder or ZIP archive.
 *
 * @throws {ChatError} `usage` if nothing is piped in; `input` or `data` if there are none
 */
export async function* openImport(
	name: string,
	{environment}: Pick<SessionRun, 'environment'>,
	signal: AbortSignal,
): AsyncGenerator<ImportSource, void, undefined> {
	const fromBytes = (label: string, bytes: Uint8Array): ImportSource => ({
		name: label,
		chunks: decodeChunks([bytes], label),
		findFile: () => undefined,
		path: undefined,
	});
	if (name === '-') {
		yield fromBytes('stdin', await readPiped(environment, signal));
		return;
	}
	const files = createFileSource(signal, environment);
	const path = resolve(files.cwd, name);
	if (statSync(path, {throwIfNoEntry: false})?.isDirectory() === true) {
		for (const file of onlyConversations(listFiles(path), name)) {
			yield await openFile(file, join(name, file.slice(path.length)));
		}
		return;
	}
	const stats = checkFile(name, files.cwd, true);
	if (!stats.isFile()) yield fromBytes(name, await readFileBytes(name, maxBytes, files));
	else if (isZip(path, name)) yield* openArchive(path, name);
	else yield await openFile(path, name);
}

export type Wanted = {
	/** Maximum age in milliseconds. */
	readonly since: number | undefined;
	/** The only file. */
	readonly chosen: string | undefined;
};

/**
 * Opens the conversations of a program where it keeps them.
 *
 * @throws {ChatError} `input` if there are none
 */
export async function* openFound(
	name: ProgramName,
	{since, chosen}: Wanted,
	environment: Environment,
): AsyncGenerator<ImportSource, void, undefined> {
	const {files, titles} = await findConversations(name, environment);
	const oldest = since === undefined ? 0 : environment.date() - since;
	for (const {path, updated} of files) {
		if (updated < oldest || path !== (chosen ?? path)) continue;
		const shown = shortenHome(path, environment.homedir);
		yield {...(await openFile(path, shown)), titles, updated, isFound: true};
	}
}

/** @throws {ChatError} `input` if there are none */
export async function findConversations(
	name: ProgramName,
	environment: Environment,
): Promise<FoundLogs> {
	const {findLogs} = await import('../../../sessions/import/find-logs.ts');
	const {label, places} = programs[name];
	const found = findLogs(programs[name], environment);
	if (found.files.length > 0) return found;
	const looked = found.folders.map((folder) => shortenHome(folder, environment.homedir)).join(', ');
	const [variable = ''] = /^\$\w+/.exec(places[0].folders[0]) ?? [];
	throw new ChatError('input', `found no conversations of ${label} in ${looked}`, {
		hint: `If it keeps them elsewhere, set ${variable.slice(1)}, or name the files.`,
	});
}

async function readPiped({stdin}: Environment, signal: AbortSignal): Promise<Uint8Array> {
	if (stdin.kind === 'data') return await readStdin(stdin, {maxBytes, signal});
	throw new ChatError('usage', '- reads stdin, but nothing was piped in', {
		hint: 'Pipe something in: llm logs -n 0 --json | chat sessions import -',
	});
}

/** Returns each `conversations.json`, or its parts: `conversations-001.json`. */
function onlyConversations(paths: readonly string[], name: string): readonly string[] {
	const found = paths.filter((path) => /^conversations[\w-]*\.json$/i.test(basename(path)));
	if (found.length > 0) return found;
	throw new ChatError('data', `${name} has no conversations.json`);
}

async function openFile(path: string, name: string): Promise<ImportSource> {
	return {
		name,
		chunks: decodeChunks(await unpackFile(path, name).catch(failLater), name),
		findFile: createFinder(() => listFiles(dirname(path)), readSmallFile),
		path,
	};
}

async function unpackFile(path: string, name: string): Promise<Iterable<Uint8Array>> {
	const {findUnpacker} = await import('../../../sessions/import/unpack.ts');
	const unpack = findUnpacker(headOf(path, name));
	const bytes = readNamed(path, name);
	if (unpack === undefined) return bytes;
	return await unpack(bytes).catch((cause) => failToRead(name, cause));
}

/** Throws while the file is read, so that others still are. */
function* failLater(error: Error): Generator<Uint8Array, void, undefined> {
	yield* [];
	throw error;
}

function isZip(path: string, name: string): boolean {
	const first = headOf(path, name);
	return detectFileKind(first)?.isArchive === true;
}

function headOf(path: string, name: string): Uint8Array {
	const [first = new Uint8Array()] = readNamed(path, name, headBytes);
	return first;
}

async function* openArchive(
	path: string,
	name: string,
): AsyncGenerator<ImportSource, void, undefined> {
	const {openZip} = await import('../../../sessions/import/zip-file.ts');
	const zip = await openZip(path).catch((cause) => failToRead(name, cause));
	try {
		const findFile = createFinder(
			() => zip.names,
			(file) => zip.readNow(file, maxFileBytes),
		);
		for (const file of onlyConversations(zip.names, name)) {
			const label = `${name}/${file}`;
			const read = zip.readChunks(file, maxBytes);
			const chunks = await read.catch((cause) => failToRead(label, cause));
			yield {name: label, chunks: decodeChunks(chunks, label), findFile, path: undefined};
		}
	} finally {
		zip.close();
	}
}

function failToRead(name: string, cause: Error): never {
	throw new ChatError('data', `cannot read ${name}: ${cause.message}`, {cause});
}

const chunkBytes = 1_048_576;
const headBytes = 4096;

function* readNamed(
	path: string,
	name: string,
	maxBytes = chunkBytes,
): Generator<Uint8Array, void, undefined> {
	try {
		yield* readChunks(path, maxBytes);
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
	const hint = kind.isArchive && 'Name the file: chat sessions import export.zip';
	throw new ChatError('data', `${name} is ${kind.name}, not a file of conversations`, {hint});
}

/** Shorter names would fit any file. */
const minNameLength = 8;
/** The same limit as for an image in a prompt. */
const maxFileBytes = 20 * mebibyte;

/**
 * Finds files by name prefix.
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

/** Returns the files in the folder and one level below. */
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
