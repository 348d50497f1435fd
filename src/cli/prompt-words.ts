/** The words of a prompt on the command line, checked for those that mean a file or standard input. */
import {type Stats, statSync} from 'node:fs';
import {resolve} from 'node:path';
import {ChatError} from '../errors.ts';
import type {Argument} from './scan-arguments.ts';

export type PromptWords = {
	readonly words: readonly string[];
	/** Whether a `-` asks for standard input. */
	readonly isStdinNamed: boolean;
};

/**
 * Takes a `-` at either end as standard input. After `--` every word is text.
 *
 * @param words the words of the prompt
 * @param scanned the whole command line
 * @throws {ChatError} `usage` for a word that names a file, which would not be sent
 */
export function readPromptWords(
	words: readonly string[],
	scanned: readonly Argument[],
	cwd: string,
): PromptWords {
	const findStats: FindStats = (path) => statOf(resolve(cwd, path));
	checkFileFlags(scanned, findStats);
	if (scanned.some(({kind}) => kind === 'end')) return {words, isStdinNamed: false};
	checkFileNames(words, findStats);
	const isStdin = (word: string, place: number) =>
		word === '-' && (place === 0 || place === words.length - 1);
	return {
		words: words.filter((word, place) => !isStdin(word, place)),
		isStdinNamed: words.some(isStdin),
	};
}

/** Undefined for what does not exist. */
type FindStats = (path: string) => Stats | undefined;

function statOf(path: string): Stats | undefined {
	try {
		return statSync(path);
	} catch {
		return undefined;
	}
}

/** Flags whose values are files, by their names on the command line. */
const fileFlags: readonly string[] = ['-f', '--file', '--image'];

/** A shell puts several words after `-f` for `*.txt`; only the first one is the flag's. */
function checkFileFlags(scanned: readonly Argument[], findStats: FindStats): void {
	const flagOf = findExtraFiles(scanned, findStats);
	const [extra] = flagOf;
	if (extra === undefined) return;
	const names = [...flagOf.keys()].map(({text}) => text);
	const more = names.length - maxNames;
	const listed = `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	const command = scanned.flatMap((argument) => [flagOf.get(argument) ?? [], argument.text].flat());
	throw new ChatError('usage', `${extra[1]} takes one file, and more files follow it: ${listed}`, {
		hint:
			more > 0
				? 'Give each its own flag, or pipe texts in: cat *.txt | chat "your question"'
				: `Give each its own flag: chat ${command.map(quoteWord).join(' ')}`,
	});
}

/** The words right after the value of such a flag that are files, with the flag. */
function findExtraFiles(
	scanned: readonly Argument[],
	findStats: FindStats,
): ReadonlyMap<Argument, string> {
	const flagOf = new Map<Argument, string>();
	let flag: string | undefined;
	for (const argument of scanned) {
		const {text, kind, option = ''} = argument;
		if (kind !== 'word') {
			flag = fileFlags.includes(option) ? option : undefined;
		} else if (flag !== undefined) {
			const stats = findStats(text);
			if (stats?.isDirectory() === false) flagOf.set(argument, flag);
			if (stats === undefined) flag = undefined;
		}
	}
	return flagOf;
}

const maxNames = 8;

/** As a shell reads it. */
function quoteWord(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Other programs attach a file for `@notes.txt`, or for its bare name. */
function checkFileNames(words: readonly string[], findStats: FindStats): void {
	const attached = words.find((word) => word.startsWith('@') && isFile(word.slice(1), findStats));
	const [first = ''] = words;
	const alone = words.length === 1 && /[./]/.test(first) && isFile(first, findStats);
	const word = attached ?? (alone ? first : undefined);
	if (word === undefined) return;
	const name = word === attached ? word.slice(1) : word;
	throw new ChatError('usage', `${word} would be sent as text, not as the file`, {
		hint: `To send the file: chat -f ${quoteWord(name)} "your question". To send the text: chat -- ${words.map(quoteWord).join(' ')}`,
	});
}

function isFile(path: string, findStats: FindStats): boolean {
	return findStats(path)?.isDirectory() === false;
}
