/**
 * Changes a file that other runs may change at the same time. Readers always find it whole, and no
 * change is lost: each version of the file has one successor.
 *
 * The next version is written beside the file, and then linked to a name made of the version it
 * replaces, which works for one run only. That run moves it into place; if it dies in between,
 * the next one does so for it. So there is no lock that could be left behind.
 */
import {randomBytes} from 'node:crypto';
import {
	chownSync,
	linkSync,
	readdirSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {ChatError, toChatError} from '../errors.ts';
import {type JsonFile, readJsonFile, UnreadableError} from './json-file.ts';
import {makeFolders} from './make-folders.ts';

export type Rewrite<Next> = {
	/**
	 * What the file is to hold instead of this text, or undefined if it may stay as it is. Called
	 * again when another run was faster.
	 */
	readonly change: (text: string | undefined) => Next | undefined;
	/** Writes it to a new file, for nobody else to read, all the way to the disk. */
	readonly stage: (next: Next, path: string) => void | Promise<void>;
};

/** How long a run may take from the claim to the move, which is no work at all. */
const patienceMs = 3000;

/** How long to try while others are always faster. */
const limitMs = 10_000;

/** What a run left behind that died long ago. */
const leftoverMs = 3_600_000;

/**
 * A link stays one, and its target is changed. The folder is made if there is none.
 *
 * @throws {ChatError} `create` when the file cannot be written; whatever `change` throws
 */
export async function rewriteFile<Next>(path: string, rewrite: Rewrite<Next>): Promise<void> {
	try {
		const target = resolveLinks(path);
		makeFolders(dirname(target));
		const deadline = Date.now() + limitMs;
		while (!(await tryRewrite(target, rewrite))) {
			if (Date.now() > deadline) throw new Error('other runs keep changing it');
			await delay(1 + Math.random() * 10);
		}
		removeLeftovers(target);
	} catch (cause) {
		if (cause instanceof ChatError) throw cause;
		const reason =
			cause instanceof UnreadableError
				? cause.message
				: `cannot write ${path}: ${toChatError(cause).message}`;
		throw new ChatError('create', reason, {cause});
	}
}

function resolveLinks(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

/** @returns whether the file holds the change now; if not, another run was faster */
async function tryRewrite<Next>(target: string, {change, stage}: Rewrite<Next>): Promise<boolean> {
	const current = readJsonFile(target);
	const next = change(current.text);
	if (next === undefined) return true;
	const staged = `${target}.${randomBytes(6).toString('hex')}.new`;
	try {
		await stage(next, staged);
		keepOwner(staged, current);
		return moveIntoPlace(staged, target, current.version);
	} finally {
		rmSync(staged, {force: true});
	}
}

/** Whoever changes the settings of another user, as root, leaves them readable to him. */
function keepOwner(staged: string, {text, stats}: JsonFile): void {
	if (text === undefined || statSync(staged).uid === stats.uid) return;
	chownSync(staged, stats.uid, stats.gid);
}

function moveIntoPlace(staged: string, target: string, version: string): boolean {
	const claim = `${target}.${version}.next`;
	const isCurrent = () => readJsonFile(target).version === version;
	try {
		linkSync(staged, claim);
	} catch (error) {
		const {code = ''} = error as NodeJS.ErrnoException;
		if (code === 'EEXIST') {
			if (isCurrent() && isAbandoned(claim)) rename(claim, target);
			return false;
		}
		if (!withoutLinks.has(code)) throw error;
		// Some file systems have no links. What is left then is to look once more.
		return isCurrent() && rename(staged, target);
	}
	if (isCurrent()) return rename(claim, target);
	// The version was replaced before it was claimed.
	rmSync(claim, {force: true});
	return false;
}

const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'ENOSYS']);

function isAbandoned(claim: string): boolean {
	const stats = statSync(claim, {throwIfNoEntry: false});
	return stats !== undefined && Date.now() - stats.mtimeMs > patienceMs;
}

/** @returns false if another run has moved it already */
function rename(from: string, to: string): boolean {
	try {
		renameSync(from, to);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
		throw error;
	}
}

function removeLeftovers(target: string): void {
	const directory = dirname(target);
	const prefix = `${basename(target)}.`;
	const isOurs = (name: string) =>
		name.startsWith(prefix) && /\.(?:new|next)(?:\.tmp-\w+)?$/.test(name);
	try {
		for (const name of readdirSync(directory).filter(isOurs)) {
			const path = join(directory, name);
			if (Date.now() - statSync(path).mtimeMs > leftoverMs) rmSync(path, {force: true});
		}
	} catch {
		// The change is made; rubbish that stays is no reason to call it failed.
	}
}
