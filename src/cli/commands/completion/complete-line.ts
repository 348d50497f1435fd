/** Answers a completing shell. */
import {resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {shorten} from '../../../wording.ts';
import type {CommandSet} from '../../command-line/command.ts';
import {findPlace, type Values} from './find-place.ts';
import {type Candidate, lists} from './list-values.ts';
import {
	type LastWord,
	quoteForPowerShell,
	quoteRest,
	type Shell,
	type TypedWords,
} from './typed-words.ts';

type Reply =
	| {readonly type: 'words'; readonly candidates: readonly Candidate[]}
	/** The shell completes a path after skipping this many characters of the last word. */
	| {readonly type: 'files'; readonly skipped: number};

/** Returns the reply's lines: the kind, then one candidate each. */
export async function completeLine(
	typed: TypedWords,
	set: CommandSet,
	environment: Environment,
): Promise<readonly string[]> {
	const {shell, last} = typed;
	const reply = await findReply(typed, set, environment);
	if (reply.type === 'words') return writeWords(reply.candidates, typed);
	const {skipped} = reply;
	if (takesHeadForPath[shell](last.text.slice(0, skipped), typed)) {
		return writeWords(await listPaths(skipped, last.text, environment), typed);
	}
	return [`files ${skipped}`, ...(shell === 'fish' ? splitForFish(skipped, last) : [])];
}

/** Whether the shell would take the word's head, such as `@`, for part of the path. */
const takesHeadForPath: Readonly<Record<Shell, (head: string, typed: TypedWords) => boolean>> = {
	bash: (head, {replaced}) => head !== '' && replaced.includes(head.slice(-1)),
	zsh: () => false,
	fish: () => false,
	powershell: (head) => head !== '',
};

async function findReply(
	{words, last}: TypedWords,
	set: CommandSet,
	environment: Environment,
): Promise<Reply> {
	const {text, raw, isRedirection} = last;
	if (isRedirection) return {type: 'files', skipped: 0};
	const {values, head, line} = await findPlace(set, words, text, /^['"$]/.test(raw));
	const value = text.slice(head.length);
	const path = startOfPath(values, value);
	if (path !== undefined) return {type: 'files', skipped: head.length + path};
	if (values === 'files' || values === 'mentions') return {type: 'words', candidates: []};
	const candidates =
		typeof values === 'string'
			? await lists[values]({set, line, text: value, environment})
			: values.map((word) => ({text: word}));
	return {
		type: 'words',
		candidates: candidates.map((candidate) => ({...candidate, text: head + candidate.text})),
	};
}

/** Returns the index where a value's file path starts, or undefined. */
function startOfPath(values: Values, value: string): number | undefined {
	if (values === 'files') return 0;
	if (values === 'mentions') return /^(?:[^=@]*=)?@/.exec(value)?.[0].length;
	const mayBePath = values === 'templates' || values === 'servers';
	return mayBePath && /^[.~]|[\\/]/.test(value) ? 0 : undefined;
}

/** Lists files and folders for a word holding a path from this index on. */
async function listPaths(
	place: number,
	word: string,
	{cwd}: Environment,
): Promise<readonly Candidate[]> {
	const {listFolder} = await import('../../../input/list-names.ts');
	const end = Math.max(place, word.lastIndexOf('/') + 1);
	const names = await listFolder(resolve(cwd, word.slice(place, end)));
	return names.map((name) => ({text: word.slice(0, end) + name}));
}

/** Splits a word into its head and the path as typed, which fish completes. */
function splitForFish(skipped: number, {text, raw}: LastWord): readonly string[] {
	const [quote = ''] = /^['"]/.exec(raw) ?? [];
	return [text.slice(0, skipped), quote + raw.slice(quote.length + skipped)];
}

function writeWords(all: readonly Candidate[], typed: TypedWords): readonly string[] {
	const {shell, last} = typed;
	const isPlain = ({text}: Candidate) => text !== '' && stripToLine(text) === text;
	const isMatch = ({text}: Candidate) => hasMatcher[shell] || text.startsWith(last.text);
	const candidates = all.filter((candidate) => isPlain(candidate) && isMatch(candidate));
	// No space after a folder, or before a value.
	const isOpen = candidates.length > 0 && candidates.every(({text}) => /[=/]$/.test(text));
	return [isOpen ? 'open' : 'words', ...writers[shell](candidates, typed)];
}

/** Whether the shell chooses what matches. */
const hasMatcher: Readonly<Record<Shell, boolean>> = {
	bash: false,
	zsh: true,
	fish: true,
	powershell: false,
};

type WriteLines = (candidates: readonly Candidate[], typed: TypedWords) => readonly string[];

const writers: Readonly<Record<Shell, WriteLines>> = {
	bash: writeForBash,
	zsh: (candidates) => candidates.map(writeColumns),
	fish: (candidates) => candidates.map(writeColumns),
	powershell: (candidates) =>
		candidates.map((each) => `${quoteForPowerShell(each.text)}\t${writeColumns(each)}`),
};

const maxMeaning = 80;

function writeColumns({text, meaning = ''}: Candidate): string {
	return `${text}\t${shortMeaning(meaning)}`;
}

function shortMeaning(meaning: string): string {
	return stripToLine(shorten(meaning, maxMeaning)).replaceAll('\t', ' ');
}

/** Bash replaces the word's end with the candidate, quoting nothing. */
function writeForBash(
	candidates: readonly Candidate[],
	{last: {raw, text: start, quote}, replaced, isList}: TypedWords,
): readonly string[] {
	if (!raw.endsWith(replaced) || raw.endsWith('\\')) return [];
	if (isList && candidates.length > 1) {
		return candidates.map(({text, meaning = ''}) =>
			meaning === '' ? text : `${text}  (${shortMeaning(meaning)})`,
		);
	}
	return candidates.map(({text}) => replaced + quoteRest(text.slice(start.length), quote));
}
