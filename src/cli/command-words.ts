/**
 * Which command an argument list means. Everything that is no command is a prompt.
 *
 * Words of commands are reserved from the start, so that a prompt never changes its meaning: a
 * prompt that begins with one is sent with `--` before it, or in quotes.
 */
import {ChatError} from '../errors.ts';
import {findClosest} from './closest-word.ts';

export type CommandWord = 'chat' | 'serve' | 'config' | 'auth' | 'help';

export type ResolvedCommand = {
	readonly command: CommandWord;
	/** The arguments without the command's word. */
	readonly argv: readonly string[];
};

/** Words no prompt may begin with. */
const reservedWords = ['serve', 'config', 'auth', 'sessions', 'doctor', 'completion'];

/** What `chat help` can be asked about. */
export const helpTopics = ['chat', 'serve', 'config', 'auth'] as const;

export const configVerbs = ['get', 'set', 'unset', 'list', 'path', 'edit'] as const;

export const authVerbs = ['set', 'status', 'remove'] as const;

type Grammar = {
	readonly command: CommandWord;
	/** The words that may stand behind it. */
	readonly verbs: readonly string[];
	/** Whether what stands behind the word, flags included, is for the command. */
	accepts(following: readonly string[], takesValue: (flag: string) => boolean): boolean;
};

/** The words that have a command. */
const grammars: Readonly<Record<string, Grammar>> = {
	serve: {
		command: 'serve',
		verbs: [],
		accepts: ([first]) => first?.startsWith('-') ?? true,
	},
	config: {command: 'config', verbs: configVerbs, accepts: beginsWith(configVerbs)},
	auth: {command: 'auth', verbs: authVerbs, accepts: beginsWith(authVerbs)},
};

/** Nothing but flags, or a verb as the first word. */
function beginsWith(verbs: readonly string[]): Grammar['accepts'] {
	return (following, takesValue) => {
		const place = findFirstWord(following, takesValue);
		if (place === undefined) return !following.includes('--');
		return verbs.includes(following[place] ?? '');
	};
}

/**
 * @param takesValue whether a flag, as it stands (`-m`, `--model`), takes the next argument
 * @throws {ChatError} `usage` when a command's word begins what can only be a prompt
 */
export function resolveCommand(
	argv: readonly string[],
	takesValue: (flag: string) => boolean,
): ResolvedCommand {
	const place = findFirstWord(argv, takesValue);
	const word = place === undefined ? undefined : argv[place];
	if (place === undefined || word === undefined) return {command: 'chat', argv};
	const rest = [...argv.slice(0, place), ...argv.slice(place + 1)];
	const following = argv.slice(place + 1);
	if (word === 'help' && isHelpRequest(following)) return {command: 'help', argv: following};
	if (!reservedWords.includes(word)) return {command: 'chat', argv};
	const grammar = Object.hasOwn(grammars, word) ? grammars[word] : undefined;
	if (grammar?.accepts(following, takesValue) === true) {
		return {command: grammar.command, argv: rest};
	}
	throw new ChatError(
		'usage',
		`"${word}" is the word of a command, and there is no command "${argv.slice(place).join(' ')}"`,
		{
			hint: `${suggest(word, following[0], grammar)}To send it as a prompt: chat -- ${argv.slice(place).join(' ')}`,
		},
	);
}

/** A sentence with a space behind it; empty for words without verbs. */
function suggest(word: string, written = '', grammar: Grammar | undefined): string {
	if (grammar === undefined || grammar.verbs.length === 0) return '';
	const closest = findClosest(written, grammar.verbs);
	return closest === undefined
		? `chat ${word} --help lists its commands. `
		: `Did you mean chat ${word} ${closest}? `;
}

function isHelpRequest(following: readonly string[]): boolean {
	const [topic, ...more] = following;
	return topic === undefined || (more.length === 0 && helpTopics.some((known) => known === topic));
}

/** The place of the first argument that is neither a flag nor a flag's value, before any `--`. */
function findFirstWord(
	argv: readonly string[],
	takesValue: (flag: string) => boolean,
): number | undefined {
	for (let place = 0; place < argv.length; place++) {
		const argument = argv[place] ?? '';
		if (argument === '--') return undefined;
		if (!argument.startsWith('-') || argument === '-') return place;
		if (takesNext(argument, takesValue)) place++;
	}
	return undefined;
}

/** Flags may be joined (`-qm`) and bring their value along (`--model=x`, `-mx`). */
function takesNext(argument: string, takesValue: (flag: string) => boolean): boolean {
	if (argument.startsWith('--')) return !argument.includes('=') && takesValue(argument);
	const letters = [...argument.slice(1)];
	const first = letters.findIndex((letter) => takesValue(`-${letter}`));
	return first !== -1 && first === letters.length - 1;
}
