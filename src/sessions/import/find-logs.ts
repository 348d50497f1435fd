/** Finds the logs of other programs by their names and times. Nothing is written there, or locked. */
import {closeSync, existsSync, openSync, readdirSync, readSync, statSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import type {Environment} from '../../environment.ts';
import {asText, type JsonObject, parseJsonObject} from '../../json.ts';
import {readLines} from '../read-lines.ts';
import type {LogHead} from './foreign.ts';
import {importFormats} from './formats.ts';
import type {ForeignPlace, ForeignProgram} from './programs.ts';

export type LogFile = {
	readonly path: string;
	/** Milliseconds since 1970. */
	readonly updated: number;
	readonly bytes: number;
};

export type FoundLogs = {
	/** Where they were looked for, whether or not a folder exists. */
	readonly folders: readonly string[];
	/** The last updated first. */
	readonly files: readonly LogFile[];
	readonly titles: ReadonlyMap<string, string>;
};

export function findLogs(
	{places, titles}: ForeignProgram,
	home: Pick<Environment, 'variables' | 'homedir'>,
): FoundLogs {
	const folders: string[] = [];
	const found = new Map<string, LogFile>();
	for (const place of places) {
		const folder = findFolder(place, home);
		if (folder === undefined) continue;
		folders.push(folder);
		for (const path of listPaths(folder, '', place)) {
			const {mtimeMs: updated = 0, size: bytes = 0} = statSync(path, {throwIfNoEntry: false}) ?? {};
			const name = path.replace(otherForms, '');
			const known = found.get(name);
			if (known === undefined || rankOf(path) > rankOf(known.path)) {
				found.set(name, {path, updated, bytes});
			}
		}
	}
	return {
		folders,
		files: [...found.values()].sort((a, b) => b.updated - a.updated),
		titles: titles === undefined ? new Map() : readTitles(join(folders[0] ?? '', titles)),
	};
}

/** A conversation may have two files: a compressed one, and one outside its folder. */
const otherForms = /(?:[\\/]events)?\.jsonl(?:\.zst)?$/;

function rankOf(path: string): number {
	return path.endsWith('.zst') ? 0 : path.endsWith('events.jsonl') ? 2 : 1;
}

function findFolder(
	{folders}: ForeignPlace,
	{variables, homedir = ''}: Pick<Environment, 'variables' | 'homedir'>,
): string | undefined {
	const candidates = folders.flatMap((folder) => {
		const [start = '', ...rest] = folder.split('/');
		const isHome = start === '~';
		const parent = isHome ? homedir : (variables[start.slice(1)] ?? '');
		return isAbsolute(parent) ? [{isHome, path: join(parent, ...rest)}] : [];
	});
	const named = candidates.find(({isHome}) => !isHome);
	return (named ?? candidates.find(({path}) => existsSync(path)) ?? candidates.at(-1))?.path;
}

/** Threat: a link to a file elsewhere. */
function listPaths(
	folder: string,
	below: string,
	{fits, depth}: Omit<ForeignPlace, 'folders'>,
): readonly string[] {
	try {
		return readdirSync(join(folder, below), {withFileTypes: true}).flatMap((entry) => {
			const name = `${below}${entry.name}`;
			if (entry.isFile()) return fits.test(name) ? [join(folder, name)] : [];
			const isEntered = entry.isDirectory() && depth > 0;
			return isEntered ? listPaths(folder, `${name}/`, {fits, depth: depth - 1}) : [];
		});
	} catch {
		return [];
	}
}

function readTitles(path: string): ReadonlyMap<string, string> {
	const titles = new Map<string, string>();
	try {
		for (const line of readLines(path)) {
			const {id, thread_name: title} = parseJsonObject(line.toString('utf8')) ?? {};
			titles.set(asText(id) ?? '', asText(title) ?? '');
		}
	} catch {
		// There may be none.
	}
	return titles;
}

const headBytes = 16_384;

/** Reads what a list shows of a file from its first 16 KiB; empty if it is compressed or not JSON. */
export function readLogHead(path: string): LogHead {
	const values = parseLines(readStart(path));
	const read: JsonObject[] = [];
	function* all() {
		yield* read;
		yield* values;
	}
	for (const value of values) {
		read.push(value);
		const format = importFormats.find(({detect}) => detect(value));
		if (format?.readHead !== undefined) return format.readHead(all(), path);
	}
	return {source: '', title: '', cwd: ''};
}

/** Parses no more than is needed: a line each, or a small file that is one value. */
function* parseLines(text: string): Generator<JsonObject, void, undefined> {
	const isWhole = /^\{\s*\n/.test(text);
	for (const line of isWhole ? [text] : text.split('\n')) {
		const value = parseJsonObject(line);
		if (value !== undefined) yield value;
	}
}

function readStart(path: string): string {
	try {
		const fd = openSync(path, 'r');
		try {
			const bytes = Buffer.allocUnsafe(headBytes);
			return bytes.toString('utf8', 0, readSync(fd, bytes));
		} finally {
			closeSync(fd);
		}
	} catch {
		return '';
	}
}
