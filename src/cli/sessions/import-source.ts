/** The files that conversations are imported from, and the files next to them. */
import {lstatSync, readdirSync, readFileSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {detectFileKind} from '../../input/file-kind.ts';
import {readStdin, unreadable} from '../../input/read-bytes.ts';
import type {ImportContext} from '../../sessions/import/foreign.ts';
import {readChunks} from '../../sessions/read-lines.ts';
import {mebibyte} from '../../wording.ts';

export type ImportSource = Omit<ImportContext, 'now'> & {
	/** The path, or `stdin`. */
	readonly name: string;
	/** Its bytes, as UTF-8. They throw a `ChatError` of kind `input` or `data`. */
	readonly chunks: Iterable<Uint8Array>;
};

/** More than any export, and less than memory. */
const maxStdinBytes = 1024 * mebibyte;

/** @throws {ChatError} `usage` if nothing is piped in */
export async function openStdin({stdin}: Environment, directory: string): Promise<ImportSource> {
	if (stdin.kind !== 'data') {
		const words = 'Pipe something in: llm logs -n 0 --json | chat sessions import -';
		throw new ChatError('usage', '- reads stdin, but nothing was piped in', {
			hint: {code: 'own-words', words},
		});
	}
	const bytes = await readStdin(stdin, {maxBytes: maxStdinBytes});
	return {
		name: 'stdin',
		chunks: decodeChunks([bytes], 'stdin'),
		findFile: () => undefined,
		directory,
	};
}

export function openImportFile(name: string, cwd: string): ImportSource {
	const path = resolve(cwd, name);
	const folder = dirname(path);
	return {
		name,
		chunks: decodeChunks(readNamed(path, name), name),
		findFile: createFinder(folder),
		// A session is in a folder of its month, in one of its year, in `sessions`.
		directory: resolve(folder, '..', '..', '..'),
	};
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
const encodings: ReadonlyArray<readonly [beginning: RegExp, name: string]> = [
	[/^\xff\xfe/, 'utf-16le'],
	[/^\xfe\xff/, 'utf-16be'],
];

function* decodeChunks(
	chunks: Iterable<Uint8Array>,
	name: string,
): Generator<Uint8Array, void, undefined> {
	let decoder: TextDecoder | undefined;
	let isFirst = true;
	for (const chunk of chunks) {
		if (isFirst) {
			checkKind(chunk, name);
			const beginning = Buffer.from(chunk.subarray(0, 2)).toString('latin1');
			const encoding = encodings.find(([pattern]) => pattern.test(beginning))?.[1];
			decoder = encoding === undefined ? undefined : new TextDecoder(encoding);
		}
		isFirst = false;
		yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, {stream: true}));
	}
}

function checkKind(chunk: Uint8Array, name: string): void {
	const kind = detectFileKind(chunk);
	if (kind === undefined) return;
	const words = 'Unpack it, then import its conversations.json.';
	const isArchive = kind.hint.code === 'unpack-archive';
	throw new ChatError('data', `${name} is ${kind.name}, not a file of conversations`, {
		hint: isArchive ? {code: 'own-words', words} : undefined,
	});
}

/** Shorter names would fit any file. */
const minNameLength = 8;
/** As for an image of a prompt. */
const maxFileBytes = 20 * mebibyte;

/** Finds files in the folder and in those in it. Threat: a link to a file elsewhere. */
function createFinder(folder: string): ImportContext['findFile'] {
	let known: readonly string[] | undefined;
	return (start) => {
		if (start.length < minNameLength) return undefined;
		known ??= listFiles(folder);
		const path = known.find((candidate) => basename(candidate).startsWith(start));
		if (path === undefined) return undefined;
		try {
			const stats = lstatSync(path);
			return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(path) : undefined;
		} catch {
			return undefined;
		}
	};
}

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
