/** Walks a folder without what its user would not send: Git's own files, ignored ones, links. */
import {existsSync, readFileSync, statSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {dirname, join, relative, resolve} from 'node:path';
import ignore, {type Ignore} from 'ignore';
import {ChatError} from '../errors.ts';
import {mebibyte} from '../wording.ts';
import {unreadable} from './read-bytes.ts';
import {isSlowPattern} from './slow-pattern.ts';

export type WalkOptions = {
	/** As the user wrote it, for messages. */
	readonly name: string;
	/** How many levels are read; 1 for the files of the folder itself. */
	readonly maxDepth: number;
	/** Whether names that start with a dot count. */
	readonly hasHidden: boolean;
	/** The names of folders to skip silently. */
	readonly skipped?: readonly string[];
	readonly signal: AbortSignal | undefined;
};

export type WalkedEntry = {
	/** Relative to the folder, with slashes; that of a folder ends in one. */
	readonly path: string;
	readonly leftOut?: 'git-ignored' | 'link';
};

/** The rules of one `.gitignore`. */
type Rules = {readonly folder: string; readonly matcher: Ignore};

/**
 * Yields the regular files below a folder, ordered by name within each folder, and what is left out
 * of them. A folder that is ignored itself was named on purpose, so only the rules in it count.
 *
 * @param folder absolute
 * @throws {ChatError} `input` for a folder that cannot be read; when `signal` aborts, its reason
 */
export async function* walkFolder(
	folder: string,
	options: WalkOptions,
): AsyncGenerator<WalkedEntry, void, undefined> {
	yield* walk(folder, '', 1, readRulesAbove(folder), options);
}

async function* walk(
	folder: string,
	prefix: string,
	depth: number,
	above: readonly Rules[],
	options: WalkOptions,
): AsyncGenerator<WalkedEntry, void, undefined> {
	options.signal?.throwIfAborted();
	const entries = await readdir(folder, {withFileTypes: true}).catch((cause: unknown) => {
		throw unreadable(join(options.name, prefix), cause);
	});
	const rules = [...readRules(folder), ...above];
	for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const {name} = entry;
		if (isHidden(name, options)) continue;
		const isFolder = entry.isDirectory();
		const path = `${prefix}${name}${isFolder ? '/' : ''}`;
		const next = join(folder, name);
		if (entry.isSymbolicLink()) yield {path, leftOut: 'link'};
		else if (isIgnored(next, isFolder, rules)) yield {path, leftOut: 'git-ignored'};
		else if (entry.isFile()) yield {path};
		else if (isFolder && depth < options.maxDepth) {
			yield* walk(next, path, depth + 1, rules, options);
		}
	}
}

function isHidden(name: string, {hasHidden, skipped = []}: WalkOptions): boolean {
	return name === '.git' || skipped.includes(name) || (name.startsWith('.') && !hasHidden);
}

/** Returns the rules of the folders above, as far as the repository goes; the closest come first. */
function readRulesAbove(folder: string): readonly Rules[] {
	const rules: Rules[] = [];
	for (let current = folder; !existsSync(join(current, '.git')); ) {
		const parent = dirname(current);
		if (parent === current) return [];
		current = parent;
		rules.push(...readRules(current));
	}
	return isIgnored(folder, true, rules) ? [] : rules;
}

/** Returns the rules of a folder; those of a whole repository come last. */
function readRules(folder: string): readonly Rules[] {
	const paths = [join(folder, '.gitignore'), excludePath(folder)];
	return paths.flatMap((path) => {
		const text = path === undefined ? undefined : readSmall(path);
		if (path === undefined || text === undefined) return [];
		checkRules(text, path);
		return [{folder, matcher: ignore({ignorecase: false}).add(text)}];
	});
}

/** Returns the rules that a repository shares with nobody; undefined if the folder has no repository. */
function excludePath(folder: string): string | undefined {
	const path = join(folder, '.git');
	if (!existsSync(path)) return undefined;
	// The folder of a worktree has a file there.
	const [, linked] = /^gitdir: (.+)/.exec(readSmall(path) ?? '') ?? [];
	const own = linked === undefined ? path : resolve(folder, linked);
	const common = resolve(own, readSmall(join(own, 'commondir'))?.trim() ?? '.');
	return join(common, 'info', 'exclude');
}

/** Returns undefined for what is not a file: a pipe would block. */
function readSmall(path: string): string | undefined {
	try {
		const stats = statSync(path);
		if (stats.isFile() && stats.size <= maxRuleBytes) return readFileSync(path, 'utf8');
		if (!stats.isFile()) return undefined;
	} catch {
		return undefined;
	}
	throw tooManyRules(path);
}

const maxRuleBytes = mebibyte;
const maxRules = 5000;

/** Threat: a repository whose rules take minutes and gigabytes. They cannot be skipped: they hide secrets. */
function checkRules(text: string, path: string): void {
	const lines = text.split('\n');
	if (lines.length > maxRules) throw tooManyRules(path);
	const line = lines.findIndex(isSlowPattern);
	if (line === -1) return;
	throw new ChatError('data', `${path}: line ${line + 1} has too many stars to be matched`);
}

function tooManyRules(path: string): ChatError {
	return new ChatError('data', `${path} has more than ${maxRules} lines, which is too many`);
}

/** The closest rules that mention a path decide. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
	for (const {folder, matcher} of rules) {
		const {ignored, unignored} = matcher.test(`${relative(folder, path)}${isFolder ? '/' : ''}`);
		if (ignored || unignored) return ignored;
	}
	return false;
}
