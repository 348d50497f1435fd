/** The argument list as plain data. It is read once; nothing looks at it again. */
import type {ChatError} from '../../errors.ts';
import {
	type Command,
	type CommandSet,
	type CommandTable,
	type FlagTexts,
	flagsOf,
	rowsOf,
	textFlags,
	type Verb,
	type Word,
} from './command.ts';
import {findKey} from './find-key.ts';
import {type Reading, readOptions} from './program.ts';
import {suggestCommand, suggestVerb} from './suggest.ts';
import {findMisfit, findMissingValue, findUnknownFlag} from './usage-errors.ts';

export type CommandLine = {
	readonly argv: readonly string[];
	readonly command: Command;
	/** Undefined if the line has none, and the command does nothing without. */
	readonly verb: Verb | undefined;
	/** Whether the verb is written. */
	readonly isVerbGiven: boolean;
	readonly flags: FlagTexts;
	/** Everything that is not a flag, without the words of the command and its verb. */
	readonly words: readonly Word[];
	/** A text that is printed in place of a run. */
	readonly print: 'help' | 'full-help' | 'version' | undefined;
	/** Whether the line ends in a `-r` without an id: on a screen, one can be chosen. */
	readonly asksForSession: boolean;
	/** A mistake in the line. Its flags are known all the same: they may choose the output format. */
	readonly failure: ChatError | undefined;
};

/** The part of a line that `chat` itself needs. */
export type PromptLine = Pick<CommandLine, 'argv' | 'flags' | 'words' | 'failure'>;

/** Flags of a prompt: a single word is then a question, or the argument of a template. */
const promptFlags = ['template', 'file', 'image', 'attach'];

/**
 * Decides which command the arguments mean. Everything else is a prompt.
 *
 * Words of commands are reserved from the start, so that a prompt never changes its meaning: a
 * prompt that begins with one is sent with `--` before it, or in quotes.
 */
export async function parseArgv(
	argv: readonly string[],
	{chat, commands}: CommandSet,
): Promise<CommandLine> {
	const flags = [...flagsOf(chat.flags), ...textFlags];
	const reading = readOptions(flags, argv);
	const prompt = parsePrompt(argv, chat, reading);
	const [first, second, third] = reading.words;
	if (first === undefined || first.isLiteral) return prompt;
	const {text} = first;
	if (text === 'help' && third === undefined && !second?.isLiteral) {
		const topic = second?.text ?? 'chat';
		if (topic === 'all') return {...prompt, print: 'full-help'};
		if (topic === 'chat') return {...prompt, print: 'help'};
		const command = await load(topic, commands);
		if (command !== undefined) {
			return {...prompt, command, verb: undefined, words: [], print: 'help'};
		}
	}
	const place = argv.findIndex(
		(_, index) => readOptions(flags, argv.slice(0, index + 1)).words.length > 0,
	);
	const written = argv.slice(place);
	const command = await load(text, commands);
	if (command !== undefined) {
		const before = readOptions(flags, argv.slice(0, place));
		const known = [...flagsOf(rowsOf(command)), ...textFlags];
		const after = readOptions(known, argv.slice(place + 1));
		const given = [...before.given, ...after.given];
		return parseCommand(argv, command, {...after, given}, written);
	}
	const isPrompt = reading.given.some(({flag}) => promptFlags.includes(flag.name));
	const failure = await suggestCommand(reading.words, {isPrompt, written}, commands);
	if (failure === undefined) return prompt;
	return {...prompt, print: undefined, failure: findKey(reading.words) ?? failure};
}

async function load(name: string, commands: CommandTable): Promise<Command | undefined> {
	return Object.hasOwn(commands, name) ? await commands[name]?.load() : undefined;
}

function parsePrompt(argv: readonly string[], chat: Command, reading: Reading): CommandLine {
	const {given, words, incomplete} = reading;
	const names = new Set(given.map(({flag}) => flag.name));
	// Words of other commands are not sent.
	const mistake = findKey(words) ?? findUnknownFlag(chat, argv, reading);
	const isResume = incomplete === '-r' || incomplete === '--resume';
	return {
		argv,
		command: chat,
		verb: chat.bare,
		isVerbGiven: false,
		flags: textsOf(given),
		words,
		print: names.has('version') ? 'version' : names.has('help') ? 'help' : undefined,
		asksForSession: isResume && words.length === 0 && mistake === undefined,
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
	const found = Object.hasOwn(command.verbs, name) ? command.verbs[name] : undefined;
	const verb = words.length === 0 ? command.bare : found;
	const isTopic = name === 'help' && rest.length === 0;
	const isKnown = [verb !== undefined, words.length === 0, isTopic].includes(true);
	const unknown = isKnown ? undefined : suggestVerb(command, words, written);
	const mistake =
		unknown ?? findUnknownFlag(command, argv, reading) ?? findMissingValue(command, reading);
	const isAsked = isTopic || given.some(({flag}) => flag.name === 'help');
	const isDefault = verb === undefined && mistake === undefined;
	const line: CommandLine = {
		argv,
		command,
		verb,
		isVerbGiven: found !== undefined,
		flags: textsOf(given),
		words: found === undefined ? words : rest,
		print: (isAsked || isDefault) && unknown === undefined ? 'help' : undefined,
		asksForSession: false,
		failure: mistake,
	};
	if (verb === undefined || mistake !== undefined) return line;
	return {...line, failure: findMisfit(command, found && name, verb, line)};
}

function textsOf(given: Reading['given']): FlagTexts {
	const texts: Record<string, readonly string[]> = {};
	for (const {flag, value} of given) texts[flag.name] = [...(texts[flag.name] ?? []), value];
	return texts;
}
