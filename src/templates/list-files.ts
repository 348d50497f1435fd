/** Lists the files that belong to a skill. Links, hidden files and installed packages do not. */
import {type Dirent, readdirSync} from 'node:fs';
import {join} from 'node:path';

/** Threat: a skill in a folder that holds everything else, such as a whole disk. */
const maxDepth = 6;
const maxFiles = 200;

/** Returns paths relative to the folder, in their order. */
export function listFiles(folder: string): readonly string[] {
	const found: string[] = [];
	const walk = (prefix: string, depth: number) => {
		for (const entry of entriesOf(join(folder, prefix))) {
			if (found.length === maxFiles) return;
			const path = join(prefix, entry.name);
			if (entry.isFile()) found.push(path);
			else if (entry.isDirectory() && depth < maxDepth) walk(path, depth + 1);
		}
	};
	walk('', 0);
	return found;
}

/** Returns what is in a folder, without hidden names, in order. One that cannot be read is empty. */
export function entriesOf(folder: string): readonly Dirent[] {
	try {
		return readdirSync(folder, {withFileTypes: true})
			.filter(({name}) => !name.startsWith('.') && name !== 'node_modules')
			.sort((a, b) => (a.name < b.name ? -1 : 1));
	} catch {
		return [];
	}
}
