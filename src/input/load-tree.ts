/** Loads the text files of a folder, or those that fit a pattern. */
import {existsSync} from 'node:fs';
import {open, stat} from 'node:fs/promises';
import {join, resolve, sep} from 'node:path';
import picomatch from 'picomatch';
import type {Notice} from '../chat/event.ts';
import type {Attachment} from '../chat/prompt.ts';
import {ChatError} from '../errors.ts';
import type {Hint} from '../hint.ts';
import {mebibyte, plural} from '../wording.ts';
import type {GitEnvironment} from './list-git-files.ts';
import type {LoadedAttachments} from './load-media.ts';
import {decodeText, isText, sendableHint} from './load-text.ts';
import {type FileSource, readFileBytes, sendHint, unreadable} from './read-bytes.ts';
import {isSlowPattern, type WalkedEntry, type WalkOptions, walkFolder} from './walk-folder.ts';

const maxFiles = 1000;
/** The limit of all files: checking whether one is text takes time. */
const maxEntries = 5000;
const maxMebibytes = 8;
/** Git, too, looks at this many bytes to detect a binary file. */
const headBytes = 8000;

export type TreeSource = FileSource & {readonly git: GitEnvironment};

type Tree = Pick<WalkOptions, 'maxDepth' | 'hasHidden'> & {
	readonly folder: string;
	isWanted(path: string): boolean;
};

/** Files that are not sent, by the reason, in the order of messages. */
type LeftOut = Record<'git-ignored' | 'binary' | 'link', readonly string[]>;

/**
 * @param isFolder otherwise it is a pattern, in which `*` stays within a folder and `**` does not
 * @throws {ChatError} `data` without a text file, or with more than 1,000 of them or 8 MiB; `input` for
 * what is missing or cannot be read
 */
export async function loadTree(
	name: string,
	isFolder: boolean,
	source: TreeSource,
): Promise<LoadedAttachments> {
	const tree = isFolder ? wholeFolder(name) : parsePattern(name);
	const {folder, isWanted} = tree;
	const root = resolve(source.cwd, folder);
	if (root.split(sep).includes('.git')) {
		throw new ChatError('usage', `${name} belongs to Git and is not sent`);
	}
	const attachments: Attachment[] = [];
	const notices: Notice[] = [];
	const leftOut: Record<keyof LeftOut, string[]> = {'git-ignored': [], binary: [], link: []};
	const sizes = new Map<string, number>();
	const unread = new Map<string, string[]>();
	let seen = 0;
	for await (const entry of walk(root, tree, source, unread)) {
		if (!isWanted(entry.path)) continue;
		seen += 1;
		if (seen > maxEntries) throw tooMuch(`${name} has more than ${maxEntries} files`, folder);
		const path = join(folder, entry.path);
		const reason = entry.leftOut ?? ((await hasText(path, source)) ? undefined : 'binary');
		if (reason !== undefined) {
			leftOut[reason].push(path);
			continue;
		}
		sizes.set(path, (await stat(resolve(source.cwd, path))).size);
		checkLimits(name, folder, sizes);
		const bytes = await readFileBytes(path, maxMebibytes * mebibyte, source);
		if (!isText(bytes)) {
			leftOut.binary.push(path);
			continue;
		}
		const decoded = decodeText(bytes, path);
		attachments.push({type: 'file', name: path, text: decoded.text});
		notices.push(...decoded.notices);
	}
	if (attachments.length === 0) throw nothingFound(name, isFolder, leftOut);
	return {
		attachments,
		notices: [
			...notices,
			...describeUnread(unread),
			...describeLeftOut(name, attachments.length, leftOut),
		],
	};
}

function wholeFolder(folder: string): Tree {
	return {folder, maxDepth: Number.POSITIVE_INFINITY, hasHidden: false, isWanted: () => true};
}

/** A pattern finds a hidden name only if it writes the dot, as in a shell. */
function parsePattern(pattern: string): Tree {
	if (isSlowPattern(pattern)) {
		throw new ChatError('usage', `${pattern} has too many stars to be matched`);
	}
	const {base, glob, negated} = picomatch.scan(pattern);
	const isDeep = glob.includes('**');
	return {
		folder: base,
		maxDepth: isDeep ? Number.POSITIVE_INFINITY : glob.split('/').length,
		hasHidden: /(?:^|[/{,])\./.test(glob),
		isWanted: glob === '' || negated ? () => false : picomatch(glob),
	};
}

async function* walk(
	root: string,
	{folder, maxDepth, hasHidden}: Tree,
	{cwd, signal, git}: TreeSource,
	unread: Map<string, string[]>,
): AsyncGenerator<WalkedEntry, void, undefined> {
	// The folder of a pattern may be missing.
	if (!existsSync(root)) return;
	const name = folder === '' ? cwd : folder;
	const onUnreadRules = (path: string, reason: string) => {
		unread.set(reason, [...(unread.get(reason) ?? []), path]);
	};
	yield* walkFolder(root, {name, maxDepth, hasHidden, signal, git, onUnreadRules});
}

async function hasText(path: string, {cwd}: FileSource): Promise<boolean> {
	try {
		const file = await open(resolve(cwd, path));
		const head = await file.read({buffer: Buffer.alloc(headBytes)}).finally(() => file.close());
		return isText(head.buffer.subarray(0, head.bytesRead));
	} catch (cause) {
		throw unreadable(path, cause);
	}
}

/** Stops at the first file that is too much, before it is read. */
function checkLimits(name: string, folder: string, sizes: ReadonlyMap<string, number>): void {
	if (sizes.size > maxFiles) throw tooMuch(`${name} has more than ${maxFiles} text files`, folder);
	let total = 0;
	for (const size of sizes.values()) total += size;
	if (total <= maxMebibytes * mebibyte) return;
	const [largest = ''] = [...sizes].sort(([, a], [, b]) => b - a)[0] ?? [];
	const message = `${name} has more than ${maxMebibytes} MiB of text; the largest file is ${largest}`;
	throw tooMuch(message, folder);
}

function tooMuch(message: string, folder: string): ChatError {
	return new ChatError('data', message, {
		hint: sendHint('Name a smaller folder, or a narrower pattern', join(folder, '**/*.md')),
	});
}

function patternHint(pattern: string): Hint {
	return pattern.includes('**')
		? 'Check the pattern; a relative one starts from the current directory.'
		: sendHint('To search the folders below too', pattern.replace(/[^/]*$/, '**/$&'));
}

const folderHint = 'Name a folder with text files, or a file.';

function nothingFound(name: string, isFolder: boolean, leftOut: LeftOut): ChatError {
	const reasons = listReasons(leftOut);
	if (reasons === '') {
		const message = isFolder ? `${name} has no text files` : `no file matches ${name}`;
		const hint = isFolder ? folderHint : patternHint(name);
		return new ChatError(isFolder ? 'data' : 'input', message, {hint});
	}
	const message = `${name} has no text files to send; left out: ${reasons}`;
	const path = [...leftOut['git-ignored'], ...leftOut.binary.filter(isMedia)][0];
	const hint = path === undefined ? sendableHint : sendHint('To send the whole', path);
	return new ChatError('data', message, {hint});
}

/** The name suffices for a proposal. */
function isMedia(path: string): boolean {
	return /\.(?:pdf|wav|mp3|png|jpe?g|gif|webp)$/i.test(path);
}

function describeLeftOut(name: string, sent: number, leftOut: LeftOut): readonly Notice[] {
	const reasons = listReasons(leftOut);
	if (reasons === '') return [];
	return [
		{code: 'files-left-out', message: `${name}: ${plural(sent, 'file')}; left out: ${reasons}`},
	];
}

function describeUnread(unread: ReadonlyMap<string, readonly string[]>): readonly Notice[] {
	return [...unread].map(([reason, [first = '', ...others]]) => {
		const place = others.length === 0 ? first : `${first} and ${plural(others.length, 'other')}`;
		const message = `${place}: rules of core.excludesFile and .git/info/exclude may be missing (${reason})`;
		return {code: 'git-rules-unread', message};
	});
}

/** An ignored folder counts as one. */
function listReasons(leftOut: LeftOut): string {
	return Object.entries(leftOut)
		.filter(([, paths]) => paths.length > 0)
		.map(([reason, {length}]) => `${length} ${reason}${reason === 'link' && length > 1 ? 's' : ''}`)
		.join(', ');
}
