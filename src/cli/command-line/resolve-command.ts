/**
 * Decides which command the words of an argument list mean. Everything else is a prompt.
 *
 * Words of commands are reserved from the start, so that a prompt never changes its meaning: a
 * prompt that begins with one is sent with `--` before it, or in quotes.
 */
import {findClosest} from '../../did-you-mean.ts';
import {ChatError} from '../../errors.ts';
import type {CommandName} from './command-flags.ts';
import {adviseOnWord, findForeign, findSameVerb} from './foreign-commands.ts';

export type Word = {
	readonly text: string;
	/** Whether it follows `--`, and so is text whatever it looks like. */
	readonly isLiteral: boolean;
};

export type ResolvedCommand = {
	readonly command: CommandName;
	/** The words that are left for the command. */
	readonly words: readonly Word[];
	/** Whether its help is asked for, all of it, or is what the command does without words. */
	readonly help: 'asked' | 'full' | 'default' | undefined;
	/** Set when the words look like a command and are not one. */
	readonly failure: ChatError | undefined;
};

/** Words no prompt may begin with. */
const reservedWords: readonly string[] = [
	'auth',
	'completion',
	'config',
	'doctor',
	'mcp',
	'models',
	'serve',
	'sessions',
	'setup',
	'templates',
];

export const configVerbs = [
	'get',
	'set',
	'unset',
	'list',
	'profiles',
	'rename',
	'path',
	'edit',
] as const;

export const authVerbs = ['set', 'status', 'list', 'remove'] as const;

export const modelVerbs = ['list', 'show', 'update'] as const;

export const sessionVerbs = [
	'list',
	'search',
	'show',
	'export',
	'import',
	'rename',
	'path',
	'delete',
	'prune',
	'redact',
] as const;

export const templateVerbs = [
	'list',
	'show',
	'edit',
	'path',
	'check',
	'rename',
	'delete',
	'import',
	'trust',
] as const;

export const mcpVerbs = [
	'add',
	'import',
	'list',
	'show',
	'test',
	'refresh',
	'remove',
	'login',
	'logout',
	'path',
] as const;

/** The shells of `chat completion`. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** The commands that have a word, with the verbs that may follow it. */
export const verbsOf: ReadonlyMap<string, readonly string[]> = new Map<
	CommandName,
	readonly string[]
>([
	['serve', []],
	['config', configVerbs],
	['auth', authVerbs],
	['setup', []],
	['models', modelVerbs],
	['sessions', sessionVerbs],
	['templates', templateVerbs],
	['mcp', mcpVerbs],
	['doctor', []],
	['completion', shells],
]);

/** The commands that do something without a verb; the others print their help. */
const bareCommands: readonly string[] = [
	'serve',
	'models',
	'setup',
	'sessions',
	'templates',
	'mcp',
	'doctor',
];

export type WrittenLine = {
	readonly words: readonly Word[];
	/** Whether a flag, such as a file to attach, says that the words are a prompt. */
	readonly isPrompt: boolean;
	/** Returns the arguments from the first word on, with the flags among them. */
	readonly listWritten: () => readonly string[];
};

export function resolveCommand(line: WrittenLine): ResolvedCommand {
	const {words} = line;
	const [first, ...rest] = words;
	const prompt = {command: 'chat', words, help: undefined, failure: undefined} as const;
	if (first === undefined || first.isLiteral) return prompt;
	const {text} = first;
	const topic = findTopic(text, rest);
	if (topic === 'all') return {...prompt, help: 'full'};
	if (topic !== undefined) return {...prompt, command: topic, help: 'asked'};
	if (isCommand(text) && isFollowed(text, rest)) {
		const isBare = !bareCommands.includes(text) && rest.length === 0;
		return {...prompt, command: text, words: rest, help: isBare ? 'default' : undefined};
	}
	const suggestion = findSuggestion(text, rest, line);
	if (suggestion === undefined) return prompt;
	const shown = hideHeaders(line.listWritten()).join(' ');
	const asPrompt = suggestion.isSure ? '' : `To send it as a prompt: chat -- ${shown}`;
	const hint = [suggestion.words, asPrompt].filter(Boolean).join(' ');
	return {...prompt, failure: new ChatError('usage', `unknown command "${shown}"`, {hint})};
}

/** Threat: a secret in a header, in a message that ends up in a log. */
function hideHeaders(argv: readonly string[]): readonly string[] {
	return argv.map((text, place) =>
		argv[place - 1] === '--header' ? '…' : text.replace(/^--header=.*/s, '--header=…'),
	);
}

function isCommand(word: string): word is CommandName {
	return verbsOf.has(word);
}

/** Returns the topic of `chat help config` or `chat config help`; undefined if the words are a prompt. */
function findTopic(
	first: string,
	[next, ...more]: readonly Word[],
): CommandName | 'all' | undefined {
	if (more.length > 0 || next?.isLiteral) return undefined;
	if (first !== 'help') return next?.text === 'help' && isCommand(first) ? first : undefined;
	const topic = next?.text ?? 'chat';
	return topic === 'chat' || topic === 'all' || isCommand(topic) ? topic : undefined;
}

/** Whether these words may follow a command: none, or a verb as the first one. */
function isFollowed(command: string, [verb]: readonly Word[]): boolean {
	if (verb === undefined) return true;
	return !verb.isLiteral && verbsOf.get(command)?.includes(verb.text) === true;
}

type Suggestion = {
	/** A sentence, or nothing. */
	readonly words: string;
	/** Whether the words cannot be meant as a prompt. */
	readonly isSure?: boolean;
};

/** Returns advice for words that look like a command and are not one; undefined for a prompt. */
function findSuggestion(
	word: string,
	rest: readonly Word[],
	{isPrompt, listWritten}: WrittenLine,
): Suggestion | undefined {
	if (reservedWords.includes(word)) return suggestVerb(word, rest);
	const foreign = isPrompt ? undefined : findForeign([word, ...rest.map(({text}) => text)]);
	if (foreign !== undefined) return {words: `Did you mean ${foreign}?`};
	if (word === 'help') {
		return rest.length === 1 ? {words: 'chat --help lists the commands.'} : undefined;
	}
	const closest = findClosest(word, [...verbsOf.keys()]);
	if (closest === undefined || !isFollowed(closest, rest)) return undefined;
	const following = hideHeaders(listWritten()).slice(1);
	return {words: `Did you mean chat ${[closest, ...following].join(' ')}?`};
}

function suggestVerb(word: string, rest: readonly Word[]): Suggestion {
	const verbs = verbsOf.get(word) ?? [];
	const [next] = rest;
	const written = next === undefined || next.isLiteral ? '' : next.text;
	const isShort = rest.length <= 2;
	const advice = isShort ? adviseOnWord(word, written) : undefined;
	if (advice !== undefined) return {words: advice, isSure: true};
	if (verbs.length === 0) return {words: ''};
	const same = findSameVerb(written, verbs);
	const closest = same ?? findClosest(written, verbs);
	return closest === undefined
		? {words: `chat ${word} --help lists its commands.`}
		: {words: `Did you mean chat ${word} ${closest}?`, isSure: isShort && same !== undefined};
}
