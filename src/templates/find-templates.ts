/** Finds templates in the folders where they may be. */
import {type Stats, statSync} from 'node:fs';
import {basename, dirname, join, resolve, sep} from 'node:path';
import {findClosest} from '../did-you-mean.ts';
import {ChatError, type ErrorDetails} from '../errors.ts';
import {isTrusted, type TrustedFiles} from '../files/trust.ts';
import {quoteWord} from '../wording.ts';
import {entriesOf} from './list-files.ts';
import {skillFile, systemFile} from './read-template.ts';
import type {FoundTemplate} from './template.ts';

export type TemplatePlaces = {
	/** The user's own folder, with folders in it; undefined without a home folder. */
	readonly own: string | undefined;
	/** Those of the current folder that the user has agreed to. */
	readonly trusted: readonly FoundTemplate[];
	/** A folder of skills, each a folder. */
	readonly skills: string | undefined;
	/** More folders that are like the user's own. */
	readonly others: readonly string[];
	/** The folder that a path starts from, absolute. */
	readonly cwd: string;
	readonly home: string | undefined;
};

/** Threat: a tree that is too large to walk. */
const maxDepth = 6;
const maxTemplates = 5_000;

/** Returns all templates. The first place that has a name wins. */
export function findTemplates({
	own,
	trusted,
	skills,
	others,
}: Omit<TemplatePlaces, 'cwd' | 'home'>): readonly FoundTemplate[] {
	const found = new Map<string, FoundTemplate>();
	const all = [
		own === undefined ? [] : listFolder(own),
		trusted,
		skills === undefined ? [] : listSkills(skills),
		...others.map(listFolder),
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
		throw new ChatError('data', `${word} has the format of another program`, {
			hint: /\.toml$/i.test(path) ? undefined : importHint(word),
		});
	}
	if (file !== undefined) return templateAt(file, []);
	throw new ChatError('input', `${word} has neither ${skillFile} nor ${systemFile}`);
}

function nameOfFile(path: string): string {
	const file = basename(path);
	return file === skillFile || file === systemFile
		? basename(dirname(path))
		: file.replace(/\.md$/i, '');
}

/** Returns the file of a folder that is one template: a skill, or a pattern of fabric. */
export function findInFolder(folder: string): string | undefined {
	return [skillFile, systemFile].map((name) => join(folder, name)).find(isFile);
}

/** Letters, digits, and marks that neither a shell nor a path gives a meaning to. */
const namePattern = /^[\p{L}\p{N}_][\p{L}\p{N}_.+-]*$/u;

/** Whether every part of `git:commit` may be the name of a file. */
export function isTemplateName(name: string): boolean {
	return name.split(':').every((part) => namePattern.test(part) && !part.endsWith('.'));
}

function listFolder(folder: string): readonly FoundTemplate[] {
	return walk(folder, [], maxDepth);
}

function listSkills(folder: string): readonly FoundTemplate[] {
	return entriesOf(folder).flatMap(({name}) => {
		const single = findInFolder(join(folder, name));
		return single === undefined ? [] : [templateAt(single, [])];
	});
}

/** @param depth how many levels of folders may follow that only group templates */
function walk(folder: string, names: readonly string[], depth: number): readonly FoundTemplate[] {
	return entriesOf(folder).flatMap((entry): readonly FoundTemplate[] => {
		const path = join(folder, entry.name);
		const single = findInFolder(path);
		if (single !== undefined) return [templateAt(single, names)];
		// A link to a folder may lead back up.
		if (entry.isDirectory()) return depth > 0 ? walk(path, [...names, entry.name], depth - 1) : [];
		return isTemplateFile(entry.name) && isFile(path) ? [templateAt(path, names)] : [];
	});
}

function templateAt(path: string, names: readonly string[]): FoundTemplate {
	return {
		name: [...names, nameOfFile(path)].join(':'),
		path,
		isTextOnly: basename(path) === skillFile,
	};
}

function isTemplateFile(name: string): boolean {
	return /\.md$/i.test(name) && !/^readme\.md$/i.test(name);
}

function isFolder(path: string): boolean {
	return statsOf(path)?.isDirectory() === true;
}

/** A link counts, as to one of the user's dotfiles. */
function isFile(path: string): boolean {
	return statsOf(path)?.isFile() === true;
}

function statsOf(path: string): Stats | undefined {
	try {
		return statSync(path);
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
