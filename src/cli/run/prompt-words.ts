/** Reads the prompt words, refusing those meaning a file, whose content would not be sent. */
import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {InputStream} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import type {Settings} from '../../settings/options/settings.ts';
import {quoteWord} from '../../wording.ts';
import type {PromptLine} from '../command-line/parse-argv.ts';

export type PromptWords = {
	readonly words: readonly string[];
	/** Whether a `-` asks for standard input. */
	readonly isStdinNamed: boolean;
};

/** @throws {ChatError} `usage` for a word naming a file */
export function checkPromptWords(line: PromptLine, cwd: string): void {
	const isFile = (path: string) => {
		try {
			return !statSync(resolve(cwd, path)).isDirectory();
		} catch {
			return false;
		}
	};
	checkFileFlags(line, isFile);
	if (line.words.some(({isLiteral}) => isLiteral)) return;
	const words = line.words.map(({text}) => text);
	checkFileNames(words, isFile, line);
}

/** A `-` at either end means standard input. After `--` every word is text. */
export function readPromptWords({words: given}: PromptLine): PromptWords {
	const words = given.map(({text}) => text);
	if (given.some(({isLiteral}) => isLiteral)) return {words, isStdinNamed: false};
	const isStdin = (word: string, place: number) =>
		word === '-' && (place === 0 || place === words.length - 1);
	return {
		words: words.filter((word, place) => !isStdin(word, place)),
		isStdinNamed: words.some(isStdin),
	};
}

type IsFile = (path: string) => boolean;

const maxNames = 8;

/** A shell puts several words after `-f` for `*.txt`; only the first one is the flag's. */
function checkFileFlags({argv, flags, words: given}: PromptLine, isFile: IsFile): void {
	const {file: files = [], image: images = [], attach: attached = []} = flags;
	const sent = [...files, ...images, ...attached];
	if (sent.length === 0) return;
	const flag = files.length > 0 ? '-f' : images.length > 0 ? '--image' : '-a';
	const names = given
		.filter(({text, isLiteral}) => !isLiteral && !sent.includes(text) && isFile(text))
		.map(({text}) => text);
	const [first] = names;
	if (first === undefined) return;
	const more = names.length - maxNames;
	const listed = `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	const pattern = first.replace(/[^/]*(?=\.[^./]+$)/, '*');
	const isPattern = flag === '-f' && names.length > 2 && pattern.includes('*');
	const command = argv.flatMap((text) => (names.includes(text) ? [flag, text] : [text]));
	const example = more > 0 ? '.' : `: chat ${command.map(quoteWord).join(' ')}`;
	const separate = `Give each its own flag${example}`;
	throw new ChatError('usage', `${flag} takes one file, but more files follow: ${listed}`, {
		hint: isPattern ? `Quote a pattern: chat -f ${quoteWord(pattern)} "your question"` : separate,
	});
}

/**
 * Refuses file names other programs would attach: `@notes.txt`, or a name with a dot or a slash.
 */
function checkFileNames(words: readonly string[], isFile: IsFile, {flags}: PromptLine): void {
	const {file: sent = [], template: [template] = []} = flags;
	const nameOf = (word: string) => {
		if (word.startsWith('@') && isFile(word.slice(1))) return word.slice(1);
		return /[./]/.test(word) && !sent.includes(word) && isFile(word) ? word : undefined;
	};
	const named = words.filter((word) => nameOf(word) !== undefined);
	const [first] = named;
	if (first === undefined) return;
	const start = ['chat', ...(template === undefined ? [] : ['-t', quoteWord(template)])];
	const files = named.flatMap((word) => ['-f', quoteWord(nameOf(word) ?? word)]);
	const others = words.filter((word) => !named.includes(word)).join(' ');
	const question = others === '' ? '"your question"' : quoteWord(others);
	const isWhole = template !== undefined && others === '';
	const asFile = [...start, ...files, ...(isWhole ? [] : [question])].join(' ');
	const asText = [...start, '--', ...words.map(quoteWord)].join(' ');
	throw new ChatError('usage', `${first} would be sent as text, not as a file`, {
		hint: `To send the file: ${asFile}. To send the text: ${asText}`,
	});
}

/** @throws {ChatError} `usage` when standard input is named twice, or where there is none */
export function checkStdinUse(
	{file: files, image: images, attach: attached, stdin: isStdinWanted}: Settings,
	{isStdinNamed}: PromptWords,
	{kind}: InputStream,
): void {
	const fail = (problem: string, words: string) => {
		throw new ChatError('usage', problem, {hint: words});
	};
	if (files.includes('-')) {
		fail('-f needs a path, not -', 'Piped text is part of the prompt without -f.');
	}
	const uses = [...images, ...attached].filter((source) => source === '-').length;
	if (uses > 1) throw new ChatError('usage', 'stdin can be attached only once');
	if (uses === 0 && !isStdinNamed) return;
	const flag = images.includes('-') ? '--image' : '-a';
	const named = uses === 1 ? `${flag} -` : '-';
	if (!isStdinWanted) {
		const way = 'Use --stdin to read it, whatever a variable or the config file says.';
		fail(`${named} reads stdin, which is turned off`, way);
	}
	if (uses === 1 && kind !== 'data') {
		const file = flag === '-a' ? 'report.pdf' : 'photo.png';
		const example = `Pipe one in: chat ${named} "what is this?" < ${file}`;
		fail(`${named} reads a file from stdin, but nothing was piped in`, example);
	}
	if (kind === 'none') {
		const example = 'Pipe something in: git diff | chat - "review this"';
		fail('- reads stdin, but nothing was piped in', example);
	}
}
