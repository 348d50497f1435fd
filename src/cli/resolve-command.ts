/**
 * Decides which command an argument list means. Everything else is a prompt.
 *
 * Words of commands are reserved from the start, so that a prompt never changes its meaning: a
 * prompt that begins with one is sent with `--` before it, or in quotes.
 */

import {findClosest} from '../did-you-mean.ts';
import {ChatError} from '../errors.ts';
import {scanArguments, type TakesValue} from './scan-arguments.ts';

export type CommandWord = 'chat' | 'serve' | 'config' | 'auth' | 'help';

export type ResolvedCommand = {
	readonly command: CommandWord;
	/** The arguments without the command's word. */
	readonly argv: readonly string[];
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

/** Words that are commands of other programs, and what does the same here. */
const foreignWords: ReadonlyMap<string, string> = new Map([
	['login', 'chat auth set'],
	['logout', 'chat auth remove'],
	['version', 'chat --version'],
]);

/** What `chat help` can be asked about. */
export const helpTopics = ['chat', 'serve', 'config', 'auth'] as const;

export const configVerbs = ['get', 'set', 'unset', 'list', 'path', 'edit'] as const;

export const authVerbs = ['set', 'status', 'remove'] as const;

type Grammar = {
	readonly command: CommandWord;
	/** The words that may follow it. */
	readonly verbs: readonly string[];
	/** Whether what follows the word, flags included, is for the command. */
	accepts(following: readonly string[], takesValue: TakesValue): boolean;
};

/** The words that have a command. */
const grammars: ReadonlyMap<string, Grammar> = new Map<string, Grammar>([
	['serve', {command: 'serve', verbs: [], accepts: ([first]) => first?.startsWith('-') ?? true}],
	['config', {command: 'config', verbs: configVerbs, accepts: beginsWith(configVerbs)}],
	['auth', {command: 'auth', verbs: authVerbs, accepts: beginsWith(authVerbs)}],
]);

/** Nothing but flags, or a verb as the first word. */
function beginsWith(verbs: readonly string[]): Grammar['accepts'] {
	return (following, takesValue) => {
		const scanned = scanArguments(following, takesValue);
		const verb = scanned.find(({kind}) => kind === 'word')?.text;
		if (verb === undefined) return scanned.every(({kind}) => kind !== 'end');
		return verbs.includes(verb);
	};
}

/**
 * @param takesValue whether a flag, as it stands (`-m`, `--model`), takes the next argument
 * @throws {ChatError} `usage` for words that look like a command but are none
 */
export function resolveCommand(argv: readonly string[], takesValue: TakesValue): ResolvedCommand {
	const place = scanArguments(argv, takesValue).findIndex(({kind}) => kind === 'word');
	const word = argv[place];
	if (word === undefined) return {command: 'chat', argv};
	const following = argv.slice(place + 1);
	if (word === 'help' && isHelpRequest(following)) return {command: 'help', argv: following};
	const grammar = grammars.get(word);
	if (grammar?.accepts(following, takesValue) === true) {
		const rest = [...argv.slice(0, place), ...following];
		return {command: grammar.command, argv: rest};
	}
	const suggestion = findSuggestion(word, following, takesValue);
	if (suggestion === undefined) return {command: 'chat', argv};
	const written = argv.slice(place).join(' ');
	throw new ChatError('usage', `unknown command "${written}"`, {
		hint: `${suggestion}To send it as a prompt: chat -- ${written}`,
	});
}

/**
 * Help for words that look like a command and are none: a sentence with a space after it, or
 * nothing. Undefined if they are a prompt.
 */
function findSuggestion(
	word: string,
	following: readonly string[],
	takesValue: TakesValue,
): string | undefined {
	if (reservedWords.includes(word)) return suggestVerb(word, following[0]);
	const isAlone = scanArguments(following, takesValue).every(({kind}) => kind !== 'word');
	const foreign = foreignWords.get(word);
	if (foreign !== undefined) return isAlone ? `Did you mean ${foreign}? ` : undefined;
	if (word === 'help')
		return following.length === 1 ? 'chat --help lists the commands. ' : undefined;
	const closest = findClosest(word, [...grammars.keys()]);
	if (closest === undefined || !grammars.get(closest)?.accepts(following, takesValue)) {
		return undefined;
	}
	return `Did you mean chat ${[closest, ...following].join(' ')}? `;
}

function suggestVerb(word: string, written = ''): string {
	const verbs = grammars.get(word)?.verbs ?? [];
	if (verbs.length === 0) return '';
	const closest = findClosest(written, verbs);
	return closest === undefined
		? `chat ${word} --help lists its commands. `
		: `Did you mean chat ${word} ${closest}? `;
}

function isHelpRequest(following: readonly string[]): boolean {
	const [topic, ...more] = following;
	return topic === undefined || (more.length === 0 && helpTopics.some((known) => known === topic));
}
