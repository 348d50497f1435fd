/** Finds templates in the folders where they may be. */
import {lstatSync, type Stats, statSync} from 'node:fs';
import {basename, dirname, join, resolve, sep} from 'node:path';
import {findClosest} from '../did-you-mean.ts';
import {ChatError, type ErrorDetails} from '../errors.ts';
import {isTrusted, type TrustedFiles} from '../files/trust.ts';
import {quoteWord} from '../wording.ts';
import {entriesOf} from './list-files.ts';
import {type FoundTemplate, mainFileOf, mainFiles} from './template.ts';

export type TemplatePlaces = {
	/** The user's own folder, with folders in it; undefined without a home folder. */
	readonly own: string | undefined;
	/** Templates in the current folder that the user has agreed to. */
	readonly trusted: readonly FoundTemplate[];
	/** A folder of skills, each a folder. */
	readonly skills: string | undefined;
	/** More folders that are like the user's own. */
	readonly others: readonly string[];
	/** The folder that a path starts from, absolute. */
	readonly cwd: string;
	readonly home: string | undefined;
};

/** Which files in a folder are templates, besides skills and the patterns of fabric. */
type Search = {
	readonly fits: (path: string) => boolean;
	readonly maxDepth: number;
	/** Whether links count, as to one of the user's dotfiles. */
	readonly hasLinks: boolean;
};

/** Threat: a tree that is too large to walk. */
export const maxDepth = 6;
const maxTemplates = 5_000;

const markdown = {fits: (path: string) => /\.md$/i.test(path), maxDepth, hasLinks: true};
const skillsOnly = {fits: () => false, maxDepth: 0, hasLinks: true};

/** Returns all templates. The first place that has a name wins. */
export function findTemplates({
	own,
	trusted,
	skills,
	others,
}: Omit<TemplatePlaces, 'cwd' | 'home'>): readonly FoundTemplate[] {
	const found = new Map<string, FoundTemplate>();
	const all = [
		own === undefined ? [] : walkTemplates(own, markdown),
		trusted,
		skills === undefined ? [] : walkTemplates(skills, skillsOnly),
		...others.map((folder) => walkTemplates(folder, markdown)),
	].flat();
	for (const template of all.slice(0, maxTemplates)) {
		const {name} = template;
		if (isTemplateName(name) && !found.has(name)) found.set(name, template);
	}
	return [...found.values()];
}

/**
 * Finds a template by its name, or by the path of its file or folder, which has a slash or ends in
 * `.md`.
 *
 * @throws {ChatError} `input` if there is none, `data` for a file of another program
 */
export function findTemplate(word: string, places: TemplatePlaces): FoundTemplate {
	return isPath(word) ? findAtPath(word, places.cwd) : findNamed(word, places);
}

/** @throws {ChatError} `input` if there is none */
export function findNamed(word: string, places: TemplatePlaces): FoundTemplate {
	const found = findTemplates(places);
	const named = found.find(({name}) => name === word);
	if (named !== undefined) return named;
	throw new ChatError('input', `there is no template ${word}`, nextStep(word, found, places));
}

function nextStep(
	word: string,
	found: readonly FoundTemplate[],
	{cwd, home}: TemplatePlaces,
): Pick<ErrorDetails, 'hint' | 'closestNames'> {
	const untrusted = findUntrusted(word, cwd);
	if (untrusted !== undefined) {
		const {folder, path} = untrusted;
		const trustHint = `${folder} has one, which is not trusted, or has changed since. If you trust those who write there: chat templates trust ${quoteWord(folder)}`;
		return {hint: folder === home ? importHint(path) : trustHint};
	}
	const names = found.map(({name}) => name);
	const closest = findClosest(word, names);
	return closest === undefined
		? {hint: 'chat templates list shows them.', closestNames: []}
		: {hint: `Did you mean ${closest}?`, closestNames: [closest]};
}

function importHint(path: string): string {
	return `To use it: chat templates import ${quoteWord(path)}`;
}

type Untrusted = {readonly folder: string; readonly path: string};

/** Looks for a template of this name in this folder, then in those above it. */
function findUntrusted(name: string, folder: string): Untrusted | undefined {
	const found = findInWork(folder).find((template) => template.name === name);
	if (found !== undefined) return {folder, path: found.path};
	return dirname(folder) === folder ? undefined : findUntrusted(name, dirname(folder));
}

/** Returns the templates of a folder that people work in, such as a repository. */
export function findInWork(folder: string): readonly FoundTemplate[] {
	const others = ['.claude/commands', '.claude/skills'].map((name) => join(folder, name));
	const skills = join(folder, '.agents/skills');
	const found = findTemplates({own: undefined, trusted: [], skills, others});
	return found.map((template) => ({...template, isTextOnly: true}));
}

/** Whether a word means a template by its path, and not by its name. */
export function isPath(word: string): boolean {
	return /[\\/]|\.md$/i.test(word) || word === '.' || word === '..';
}

/** @throws {ChatError} `input` for a folder without a template, `data` for one of another program */
function findAtPath(word: string, cwd: string): FoundTemplate {
	const path = resolve(cwd, word);
	const file = isFolder(path) ? findInFolder(path) : path;
	if (/\.(?:ya?ml|toml)$/i.test(path) && isFile(path)) {
		throw new ChatError('data', `${word} has another program's format`, {
			hint: /\.toml$/i.test(path) ? undefined : importHint(word),
		});
	}
	if (file !== undefined) return templateAt(file);
	throw new ChatError('input', `${word} has neither ${mainFiles.join(' nor ')}`);
}

/** Returns the file of a folder that is one template: a skill, or a pattern of fabric. */
export function findInFolder(folder: string, hasLinks = true): string | undefined {
	return mainFiles.map((name) => join(folder, name)).find((path) => isFile(path, hasLinks));
}

/** Letters, digits, and marks that neither a shell nor a path gives a meaning to. */
const namePattern = /^[\p{L}\p{N}_][\p{L}\p{N}_.+-]*$/u;

/** Whether every part of `git:commit` may be the name of a file. */
export function isTemplateName(name: string): boolean {
	return name.split(':').every((part) => namePattern.test(part) && !part.endsWith('.'));
}

/**
 * Returns the templates of a folder, in order. Folders in it only group templates.
 *
 * @param names those of the folders above
 */
export function walkTemplates(
	folder: string,
	search: Search,
	names: readonly string[] = [],
): readonly FoundTemplate[] {
	const {fits, maxDepth: depth, hasLinks} = search;
	return entriesOf(folder).flatMap((entry): readonly FoundTemplate[] => {
		const path = join(folder, entry.name);
		if (entry.isSymbolicLink() && !hasLinks) return [];
		const single = findInFolder(path, hasLinks);
		if (single !== undefined) return [templateAt(single, names)];
		// A link to a folder may lead back up.
		if (entry.isDirectory()) {
			return names.length < depth ? walkTemplates(path, search, [...names, entry.name]) : [];
		}
		const isReadme = /^readme\./i.test(entry.name);
		return !isReadme && fits(path) && isFile(path) ? [templateAt(path, names)] : [];
	});
}

export function templateAt(path: string, names: readonly string[] = []): FoundTemplate {
	const main = mainFileOf(path);
	const name =
		main === undefined ? basename(path).replace(/\.(?:md|ya?ml)$/i, '') : basename(dirname(path));
	return {name: [...names, name].join(':'), path, isTextOnly: main === 'SKILL.md'};
}

export function isFolder(path: string): boolean {
	return statsOf(path)?.isDirectory() === true;
}

function isFile(path: string, hasLinks = true): boolean {
	return statsOf(path, hasLinks ? statSync : lstatSync)?.isFile() === true;
}

function statsOf(path: string, look = statSync): Stats | undefined {
	try {
		return look(path);
	} catch {
		return undefined;
	}
}

/** Returns the templates of this folder and those above it that the user has agreed to. */
export function findTrusted(folder: string, trusted: TrustedFiles): readonly FoundTemplate[] {
	const paths = Object.keys(trusted);
	const here = paths.some((path) => path.startsWith(join(folder, sep)))
		? findInWork(folder)
				.filter(({path}) => isTrusted(path, trusted))
				.map((template) => ({...template, agreedHash: trusted[template.path]}))
		: [];
	const above = dirname(folder);
	return above === folder || paths.length === 0 ? here : [...here, ...findTrusted(above, trusted)];
}
