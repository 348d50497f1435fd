/** Walks a folder without what its user would not send: Git's own files, ignored ones, links. */
import {type Dirent, existsSync, opendirSync, readFileSync, statSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import ignore from 'ignore';
import {ChatError} from '../errors.ts';
import {mebibyte} from '../wording.ts';
import {
	findRepository,
	type GitEnvironment,
	listGitFiles,
	normalizeName,
} from './list-git-files.ts';
import {unreadable} from './read-bytes.ts';

export type WalkOptions = {
	/** The folder as the user wrote it, for messages. */
	readonly name: string;
	/** How many levels are read; 1 for the files of the folder itself. */
	readonly maxDepth: number;
	/** Whether names that start with a dot count. */
	readonly hasHidden: boolean;
	/** The names of folders to skip silently. */
	readonly skipped?: readonly string[];
	readonly signal: AbortSignal | undefined;
	readonly git: GitEnvironment;
	/** How long Git may take for a repository. Default 10 s. */
	readonly timeLimitMs?: number;
	/** Called for each repository of which only the `.gitignore` files count, or not all rules. */
	readonly onUnreadRules?: (path: string, reason: string) => void;
};

export type WalkedEntry = {
	/** Relative to the folder, with slashes; that of a folder ends in one. */
	readonly path: string;
	readonly leftOut?: 'git-ignored' | 'link';
};

/** Says whether an absolute path is ignored; undefined if nothing is said of it. */
type Rule = (path: string, isFolder: boolean) => boolean | undefined;

/** The rules that apply in a folder, the closest first. */
type Rules = {readonly rules: readonly Rule[]; readonly isGit: boolean};

/**
 * Yields the regular files below a folder, ordered by name within each folder, and what is left out
 * of them. In a repository Git alone decides what is ignored; elsewhere, or if it cannot, the
 * `.gitignore` files do.
 *
 * @param folder absolute
 * @throws {ChatError} `input` for a folder that cannot be read; when `signal` aborts, its reason
 */
export async function* walkFolder(
	folder: string,
	options: WalkOptions,
): AsyncGenerator<WalkedEntry, void, undefined> {
	yield* walk(folder, '', 1, noRules, options);
}

async function* walk(
	folder: string,
	prefix: string,
	depth: number,
	above: Rules,
	options: WalkOptions,
): AsyncGenerator<WalkedEntry, void, undefined> {
	options.signal?.throwIfAborted();
	const entries = await readdir(folder, {withFileTypes: true}).catch((cause: unknown) => {
		throw unreadable(join(options.name, prefix), cause);
	});
	const hasOwn = entries.some(({name}) => name === '.git');
	const root = prefix === '' ? findRepository(folder) : hasOwn ? folder : undefined;
	const rules =
		root === undefined
			? addRules(folder, prefix, above)
			: await findRules(folder, root, prefix, above, options);
	const seen = entries.filter((entry) => isKnownKind(entry) && !isHidden(entry.name, options));
	for (const entry of seen.sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const isFolder = entry.isDirectory();
		const path = `${prefix}${entry.name}${isFolder ? '/' : ''}`;
		const next = join(folder, entry.name);
		if (entry.isSymbolicLink()) yield {path, leftOut: 'link'};
		else if (isIgnored(next, isFolder, rules)) yield {path, leftOut: 'git-ignored'};
		else if (!isFolder) yield {path};
		else if (depth < options.maxDepth) yield* walk(next, path, depth + 1, rules, options);
	}
}

/** A pipe or a device could block. */
function isKnownKind(entry: Dirent): boolean {
	return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
}

function isHidden(name: string, {hasHidden, skipped = []}: WalkOptions): boolean {
	return name === '.git' || skipped.includes(name) || (name.startsWith('.') && !hasHidden);
}

/** Returns the rules for a folder of a repository. */
async function findRules(
	folder: string,
	root: string,
	prefix: string,
	above: Rules,
	{name, git, timeLimitMs = 10_000, signal, onUnreadRules}: WalkOptions,
): Promise<Rules> {
	const answer = await listGitFiles(folder, root, git, {timeLimitMs, signal});
	const reason = answer.type === 'unknown' ? answer.reason : answer.warning;
	if (reason !== undefined) onUnreadRules?.(join(name, prefix), reason);
	if (answer.type === 'files') return {rules: [ruleOf(folder, answer.names)], isGit: true};
	return addRules(folder, prefix, above.isGit ? noRules : above);
}

const noRules: Rules = {rules: [], isGit: false};

/** Git lists no folders, and a folder without files is not an ignored one. */
function ruleOf(root: string, names: ReadonlySet<string>): Rule {
	return (path, isFolder) => {
		const name = normalizeName(relative(root, path));
		if (names.has(name)) return false;
		return !isFolder || !(names.has(`${name}/`) || isEmptyFolder(path));
	};
}

function isEmptyFolder(path: string): boolean {
	try {
		const folder = opendirSync(path);
		const first = folder.readSync();
		folder.closeSync();
		return first === null;
	} catch {
		return false;
	}
}

/** Nothing is added to what Git says. */
function addRules(folder: string, prefix: string, above: Rules): Rules {
	if (above.isGit) return above;
	const inherited = prefix === '' ? readRulesAbove(folder) : above.rules;
	return {rules: [...readRules(folder), ...inherited], isGit: false};
}

/** Returns the rules of the folders above, as far as the repository goes; the closest come first. */
function readRulesAbove(folder: string): readonly Rule[] {
	const rules: Rule[] = [];
	for (let current = folder; !existsSync(join(current, '.git')); ) {
		const parent = dirname(current);
		if (parent === current) return [];
		current = parent;
		rules.push(...readRules(current));
	}
	return isIgnored(folder, true, {rules, isGit: false}) ? [] : rules;
}

function readRules(folder: string): readonly Rule[] {
	const text = readRuleFile(join(folder, '.gitignore'));
	if (text === undefined) return [];
	const matcher = ignore({ignorecase: false}).add(text);
	return [
		(inner, isFolder) => {
			const {ignored, unignored} = matcher.test(`${relative(folder, inner)}${isFolder ? '/' : ''}`);
			return ignored || unignored ? ignored : undefined;
		},
	];
}

const maxRuleBytes = mebibyte;
const maxRules = 5000;

/**
 * Threat: rules that take minutes and gigabytes. They cannot be skipped: they hide secrets.
 *
 * @returns undefined for what is not a file, because a pipe would block
 */
function readRuleFile(path: string): string | undefined {
	let text: string | undefined;
	try {
		const stats = statSync(path);
		if (!stats.isFile()) return undefined;
		if (stats.size <= maxRuleBytes) text = readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
	const lines = text?.split('\n') ?? [];
	if (text === undefined || lines.length > maxRules) {
		throw new ChatError('data', `${path} has more than ${maxRules} lines, which is too many`);
	}
	const slow = lines.findIndex(isSlowPattern);
	if (slow === -1) return text;
	throw new ChatError('data', `${path}: line ${slow + 1} has too many stars to be matched`);
}

function isIgnored(path: string, isFolder: boolean, {rules}: Rules): boolean {
	for (const rule of rules) {
		const isOut = rule(path, isFolder);
		if (isOut !== undefined) return isOut;
	}
	return false;
}

/** The most stars in a name: each further one multiplies the time by the length of the name. */
const maxStars = 4;

/**
 * Whether one name of a path has many stars, the path many `**`, or groups repeat. Threat: `*a*a*a*a*a*b`
 * from somebody else, which takes hours for a long name.
 */
export function isSlowPattern(pattern: string): boolean {
	const names = pattern.split('/');
	const starsOf = (name: string) => name.replace(/\*{2,}/g, '*').match(/\*/g)?.length ?? 0;
	const deep = names.filter((name) => name.includes('**')).length;
	const groups = pattern.match(/[*+?@!]\(/g)?.length ?? 0;
	return deep > maxStars || groups > 1 || names.some((name) => starsOf(name) > maxStars);
}
