/** Finds the files of a folder that can be imported. Links are left out. */
import {type Dirent, readdirSync} from 'node:fs';
import {basename, join} from 'node:path';
import {importFormats} from './import-formats.ts';

export type ForeignTemplate = {
	/** The parts of its name, as they are on the disk. */
	readonly names: readonly string[];
	/** The file, absolute. */
	readonly path: string;
	/** The other files of a folder that is one template, relative to it. */
	readonly companions: readonly string[];
};

/** Threat: a tree that is too large to copy. */
const maxDepth = 6;
const maxCompanions = 200;

/** @param folder absolute */
export function findForeign(folder: string): readonly ForeignTemplate[] {
	const single = asSingle(folder, [basename(folder)]);
	return single === undefined ? walk(folder, [], maxDepth) : [single];
}

function walk(folder: string, names: readonly string[], depth: number): readonly ForeignTemplate[] {
	return entriesOf(folder).flatMap((entry): readonly ForeignTemplate[] => {
		const path = join(folder, entry.name);
		const inner = [...names, entry.name];
		if (entry.isDirectory()) {
			const single = asSingle(path, inner);
			if (single !== undefined) return [single];
			return depth > 0 ? walk(path, inner, depth - 1) : [];
		}
		const isImportable =
			entry.isFile() &&
			!/^readme\./i.test(entry.name) &&
			importFormats.some(({fits}) => fits(path));
		const name = entry.name.replace(/\.[^.]+$/, '');
		return isImportable ? [{names: [...names, name], path, companions: []}] : [];
	});
}

/** Returns the template that a folder is: a skill, or a pattern of fabric. */
function asSingle(folder: string, names: readonly string[]): ForeignTemplate | undefined {
	const files = entriesOf(folder).filter((entry) => entry.isFile());
	const main = ['SKILL.md', 'system.md'].find((name) => files.some((entry) => entry.name === name));
	if (main === undefined) return undefined;
	const all = readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
		.filter((path) => path !== main && !/(?:^|[\\/])\./.test(path));
	const companions = main === 'system.md' ? all.filter((path) => path === 'user.md') : all;
	return {names, path: join(folder, main), companions: companions.slice(0, maxCompanions)};
}

function entriesOf(folder: string): readonly Dirent[] {
	return readdirSync(folder, {withFileTypes: true})
		.filter(({name}) => !name.startsWith('.'))
		.sort((a, b) => (a.name < b.name ? -1 : 1));
}
