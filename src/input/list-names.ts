/** Lists names of files and folders, to complete a path. The name of a folder ends in a slash. */
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {Environment} from '../environment.ts';
import type {GitEnvironment} from './list-git-files.ts';
import {walkFolder} from './walk-folder.ts';

const maxFiles = 20_000;
const limitMs = 300;

/**
 * Returns the paths below the current folder, relative to it, without hidden ones and those that Git ignores; in
 * a large folder, those that are found in 300 ms.
 *
 * @throws {ChatError} `input` for a folder that cannot be read
 */
export async function listTree(
	environment: GitEnvironment & Pick<Environment, 'cwd' | 'now'>,
): Promise<readonly string[]> {
	const {cwd, now} = environment;
	let until: number | undefined;
	const paths: string[] = [];
	const folders = new Set<string>();
	const options = {
		name: cwd,
		maxDepth: Number.POSITIVE_INFINITY,
		hasHidden: false,
		skipped: ['node_modules'],
		signal: undefined,
		git: environment,
		timeLimitMs: limitMs,
	};
	for await (const {path, leftOut} of walkFolder(cwd, options)) {
		// Git has its own time.
		until ??= now() + limitMs;
		if (leftOut !== undefined) continue;
		paths.push(path);
		for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
			folders.add(path.slice(0, end + 1));
		}
		if (paths.length >= maxFiles || now() > until) break;
	}
	return [...paths, ...folders];
}

/**
 * Returns the names in a folder, those that start with a dot last.
 *
 * @param folder absolute
 * @throws the system's error if it cannot be read
 */
export async function listFolder(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, {withFileTypes: true});
	const names = entries.map(async (entry) => {
		const isLink = entry.isSymbolicLink();
		const target = isLink ? await stat(join(folder, entry.name)).catch(() => entry) : entry;
		return target.isDirectory() ? `${entry.name}/` : entry.name;
	});
	const sorted = (await Promise.all(names)).sort();
	const isHidden = (name: string) => name.startsWith('.');
	return [...sorted.filter((name) => !isHidden(name)), ...sorted.filter(isHidden)];
}
