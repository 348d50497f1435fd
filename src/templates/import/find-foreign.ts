/** Finds the templates that can be imported. Links in a folder are left out. */
import {statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {entriesOf, listFiles} from '../list-files.ts';
import {skillFile, systemFile} from '../read-template.ts';
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

/** @param path of a file or a folder, absolute */
export function findForeign(path: string): readonly ForeignTemplate[] {
	if (statSync(path, {throwIfNoEntry: false})?.isDirectory() === true) {
		const single = asSingle(path, [basename(path)]);
		return single === undefined ? walk(path, [], maxDepth) : [single];
	}
	const isSingle = [skillFile, systemFile].includes(basename(path));
	const single = isSingle ? asSingle(dirname(path), [basename(dirname(path))]) : undefined;
	return [single ?? {names: [nameOf(path)], path, companions: []}];
}

function nameOf(path: string): string {
	return basename(path).replace(/\.[^.]+$/, '');
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
		return isImportable ? [{names: [...names, nameOf(path)], path, companions: []}] : [];
	});
}

/** Returns the template that a folder is: a skill, or a pattern of fabric. */
function asSingle(folder: string, names: readonly string[]): ForeignTemplate | undefined {
	const files = entriesOf(folder).filter((entry) => entry.isFile());
	const main = [skillFile, systemFile].find((name) => files.some((entry) => entry.name === name));
	if (main === undefined) return undefined;
	const isCompanion = (path: string) => (main === systemFile ? path === 'user.md' : path !== main);
	return {names, path: join(folder, main), companions: listFiles(folder).filter(isCompanion)};
}
