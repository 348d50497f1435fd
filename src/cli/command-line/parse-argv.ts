/** Turns the argument list into plain data, once; nothing else reads it. */
import type {ChatError} from '../../errors.ts';
import {
	type Command,
	type CommandSet,
	type CommandTable,
	type CommandUse,
	type Flag,
	type FlagTexts,
	flagsOf,
	rowsOf,
	takesWords,
	textFlags,
} from './command.ts';
import {type Reading, readOptions, readUntilWord} from './program.ts';
import {suggestCommand, suggestVerb} from './suggest.ts';
import {findMisfit, findMissingValue, findPastedKey, findUnknownFlag} from './usage-errors.ts';

export type CommandLine = CommandUse & {
	readonly argv: readonly string[];
	/** Replaces a run. On a screen, `choice` offers the sessions for a bare `-r`. */
	readonly instead: 'help' | 'full-help' | 'version' | 'choice' | undefined;
	/** A mistake in the line. Its flags are known all the same: they may choose the output format. */
	readonly failure: ChatError | undefined;
};

/** The part of a line meant for `chat` itself. */
export type PromptLine = Pick<CommandLine, 'argv' | 'flags' | 'words' | 'failure'>;

/** Flags marking a prompt: a single word is then a question, or a template's argument. */
const promptFlags = ['template', 'file', 'image', 'attach'];

/**
 * Decides which command the arguments mean; everything else is a prompt. Command words are reserved
 * from the start, so no prompt ever changes its meaning: a prompt beginning with one needs `--`
 * before it, or quotes.
 */
export async function parseArgv(
	argv: readonly string[],
	{chat, commands}: CommandSet,
): Promise<CommandLine> {
	const known = [...flagsOf(chat.flags), ...textFlags];
	const first = readOptions(known, argv);
	const isKnown = first.unknown === undefined;
	const flags = isKnown ? known : await addFlags(argv, known, commands);
	const reading = flags === known ? first : readOptions(flags, argv);
	const prompt = parsePrompt(argv, chat, reading);
	const [word, second, third] = reading.words;
	if (word === undefined || word.isLiteral) return prompt;
	if (word.text === 'help' && third === undefined && !second?.isLiteral) {
		const topic = second?.text ?? 'chat';
		if (topic === 'all') return {...prompt, instead: 'full-help'};
		const command = topic === 'chat' ? chat : await load(topic, commands);
		if (command !== undefined) return {...prompt, command, words: [], instead: 'help'};
	}
	const command = await load(word.text, commands);
	if (command !== undefined) {
		const {given, written} = readUntilWord(flags, argv);
		const after = readOptions([...flagsOf(rowsOf(command)), ...textFlags], written.slice(1));
		return parseCommand(argv, command, {...after, given: [...given, ...after.given]}, written);
	}
	const isPrompt = reading.given.some(({flag}) => promptFlags.includes(flag.name));
	const listWritten = () => readUntilWord(flags, argv).written;
	const failure = await suggestCommand(reading.words, {isPrompt, listWritten}, commands);
	if (failure === undefined) return prompt;
	return {...prompt, instead: undefined, failure: findPastedKey(reading.words) ?? failure};
}

/** Takes in command flags standing before its word: `chat -n 1 sessions list`. */
async function addFlags(
	argv: readonly string[],
	flags: readonly Flag[],
	commands: CommandTable,
): Promise<readonly Flag[]> {
	const names = new Set(flags.map(({long}) => long));
	for (const text of argv) {
		const command = await load(text, commands);
		if (command === undefined) continue;
		const own = flagsOf(rowsOf(command)).filter(({long}) => !names.has(long));
		const [first] = readOptions([...flags, ...own], argv).words;
		if (first?.text === text && !first.isLiteral) return [...flags, ...own];
	}
	return flags;
}

async function load(name: string, commands: CommandTable): Promise<Command | undefined> {
	return Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
}

function parsePrompt(argv: readonly string[], chat: Command, reading: Reading): CommandLine {
	const {given, words, incomplete} = reading;
	// Other commands' words are not sent.
	const mistake = findPastedKey(words) ?? findUnknownFlag(chat, argv, reading);
	const isResume = incomplete === '-r' || incomplete === '--resume';
	const isChoice = isResume && words.length === 0 && mistake === undefined;
	return {
		argv,
		command: chat,
		verbName: undefined,
		verb: undefined,
		flags: textsOf(given),
		words,
		instead: findTextFlag(given) ?? (isChoice ? 'choice' : undefined),
		failure: mistake ?? findMissingValue(chat, reading),
	};
}

function parseCommand(
	argv: readonly string[],
	command: Command,
	reading: Reading,
	written: readonly string[],
): CommandLine {
	const {given, words} = reading;
	const [first, ...rest] = words;
	const name = first === undefined || first.isLiteral ? '' : first.text;
	const verbName = Object.hasOwn(command.verbs, name) ? name : undefined;
	const verb = verbName === undefined ? undefined : command.verbs[verbName];
	const isTopic = name === 'help' && rest.length === 0;
	const isUnknown = first !== undefined && verb === undefined && !isTopic && !takesWords(command);
	const unknown = isUnknown ? suggestVerb(command, words, written) : undefined;
	const mistake =
		unknown ?? findUnknownFlag(command, argv, reading) ?? findMissingValue(command, reading);
	const line = {
		argv,
		command,
		verbName,
		verb: verb ?? (first === undefined || takesWords(command) ? command.bare : undefined),
		flags: textsOf(given),
		words: verb === undefined ? words : rest,
	};
	const isIdle = line.verb === undefined && mistake === undefined;
	const asked = isTopic || isIdle ? 'help' : findTextFlag(given);
	return {
		...line,
		instead: isUnknown ? undefined : asked,
		failure: mistake ?? findMisfit(line),
	};
}

function findTextFlag(given: Reading['given']): 'help' | 'version' | undefined {
	const isGiven = (name: string) => given.some(({flag}) => flag.name === name);
	return isGiven('version') ? 'version' : isGiven('help') ? 'help' : undefined;
}

function textsOf(given: Reading['given']): FlagTexts {
	const texts: Record<string, readonly string[]> = {};
	for (const {flag, value} of given) texts[flag.name] = [...(texts[flag.name] ?? []), value];
	return texts;
}
