/** Answers a shell that asks how the command line may go on. */
import {resolve} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {stripToLine} from '../../../terminal/safe-text.ts';
import {shorten} from '../../../wording.ts';
import {findPlace, type Values} from './find-place.ts';
import {findArguments} from './find-program.ts';
import {type Candidate, lists} from './list-values.ts';
import {quoteForPowerShell, quoteRest} from './quote-rest.ts';
import {type LastWord, type Shell, splitLine} from './split-line.ts';

export type Request = {
	readonly shell: Shell;
	/** Up to the cursor. */
	readonly line: string;
	/** The last word as bash sees it, which also splits words at colons and equals signs. */
	readonly word: string;
	/** Whether a list is to be shown, of which nothing is inserted. */
	readonly isList: boolean;
};

type Reply = {
	/** `open` words are not followed by a space; `files` are left to the shell. */
	readonly kind: 'words' | 'open' | 'files';
	/** How many characters of the last word come before the path of a file. */
	readonly skipped: number;
	readonly candidates: readonly Candidate[];
};

const nothing: Reply = {kind: 'words', skipped: 0, candidates: []};

/** Returns the lines of the reply: the kind, and then a candidate each. */
export async function completeLine(
	request: Request,
	environment: Environment,
): Promise<readonly string[]> {
	const {words, last} = splitLine(request.line, request.shell);
	const reply = await findReply(words, last, environment);
	const {kind, skipped, candidates} = isShellUnable(reply, last, request)
		? await listPaths(reply.skipped, last.text, environment)
		: reply;
	const plain = candidates.filter(({text}) => text !== '' && stripToLine(text) === text);
	const lines =
		kind === 'files' && request.shell === 'fish'
			? splitForFish(skipped, last)
			: writers[request.shell](plain, last, request);
	return [`${kind} ${skipped}`, ...lines];
}

async function findReply(
	words: readonly string[],
	last: LastWord,
	environment: Environment,
): Promise<Reply> {
	const {text, raw, quote, isRedirection} = last;
	const given = findArguments(words);
	if (isRedirection) return {...nothing, kind: 'files'};
	if (given === undefined || quote === 'escape') return nothing;
	const {values, head, line} = findPlace(given, text, /^['"$]/.test(raw));
	const value = text.slice(head.length);
	const path = startOfPath(values, value);
	if (path !== undefined) return {...nothing, kind: 'files', skipped: head.length + path};
	if (values === 'files' || values === 'mentions') return nothing;
	const candidates =
		typeof values === 'string'
			? await lists[values]({line, text: value, environment})
			: values.map((word) => ({text: word}));
	return {
		kind: values === 'params' ? 'open' : 'words',
		skipped: 0,
		candidates: candidates.map((candidate) => ({...candidate, text: head + candidate.text})),
	};
}

/** Returns where the path of a file starts in a value; undefined if it is something else. */
function startOfPath(values: Values, value: string): number | undefined {
	if (values === 'files') return 0;
	if (values === 'mentions') return /^(?:[^=@]*=)?@/.exec(value)?.[0].length;
	const mayBePath = values === 'templates' || values === 'servers';
	return mayBePath && /^[.~]|[\\/]/.test(value) ? 0 : undefined;
}

/** Whether the shell would take the whole word for the path of a file. */
function isShellUnable({kind, skipped}: Reply, {text}: LastWord, {shell, word}: Request): boolean {
	if (kind !== 'files' || skipped === 0) return false;
	const isSeen = word.includes(text.slice(skipped - 1, skipped));
	return shell === 'powershell' || (shell === 'bash' && isSeen);
}

/** Lists files and folders for a word that holds a path from this place on. */
async function listPaths(place: number, word: string, {cwd}: Environment): Promise<Reply> {
	const {listFolder} = await import('../../../input/list-names.ts');
	const end = Math.max(place, word.lastIndexOf('/') + 1);
	const names = await listFolder(resolve(cwd, word.slice(place, end)));
	const candidates = names.map((name) => ({text: word.slice(0, end) + name}));
	return {kind: 'open', skipped: 0, candidates};
}

/** Returns the beginning of the word, and the path as typed, which fish completes as a word. */
function splitForFish(skipped: number, {text, raw}: LastWord): readonly string[] {
	const head = text.slice(0, skipped);
	const [quote = ''] = /^['"]/.exec(raw) ?? [];
	const place = raw.indexOf(head) + skipped;
	return [head, (place > skipped ? quote : '') + raw.slice(place)];
}

type WriteLines = (
	candidates: readonly Candidate[],
	last: LastWord,
	request: Request,
) => readonly string[];

/** zsh and fish choose what matches, and write it with the quotes it needs. */
const writeColumns: WriteLines = (candidates) => candidates.map(writeColumn);

const writers: Readonly<Record<Shell, WriteLines>> = {
	bash: writeForBash,
	zsh: writeColumns,
	fish: writeColumns,
	powershell: (candidates, last) =>
		candidates
			.filter(({text}) => text.startsWith(last.text))
			.map((candidate) => `${quoteForPowerShell(candidate.text)}\t${writeColumn(candidate)}`),
};

const maxMeaning = 80;

function writeColumn({text, meaning = ''}: Candidate): string {
	return `${text}\t${shortMeaning(meaning)}`;
}

function shortMeaning(meaning: string): string {
	return stripToLine(shorten(meaning, maxMeaning)).replaceAll('\t', ' ');
}

/** Bash inserts what it gets, in place of the word that it sees. */
function writeForBash(
	candidates: readonly Candidate[],
	{text: typed, raw, quote}: LastWord,
	{word, isList}: Request,
): readonly string[] {
	if (!raw.endsWith(word)) return [];
	const matches = candidates.filter(({text}) => text.startsWith(typed));
	if (isList && matches.length > 1) {
		return matches.map(({text, meaning = ''}) =>
			meaning === '' ? text : `${text}  (${shortMeaning(meaning)})`,
		);
	}
	return matches.map(({text}) => word + quoteRest(text.slice(typed.length), quote));
}
