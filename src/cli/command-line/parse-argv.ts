/** The argument list as plain data. Commander reads it once; nothing looks at it again. */
import {Command, CommanderError, Option} from 'commander';
import {findClosest} from '../../did-you-mean.ts';
import {ChatError} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import {isKeyName} from '../../redact.ts';
import {configKeyOf, configKeys, rowOf, settingNames} from '../../settings/options/settings.ts';
import {type CommandName, type Flag, flagsOf, rowsOfCommand, textFlags} from './command-flags.ts';
import {findKey} from './find-key.ts';
import {findForeignFlag} from './foreign-commands.ts';
import {resolveCommand, type Word} from './resolve-command.ts';

export type CommandLine = {
	readonly argv: readonly string[];
	readonly command: CommandName;
	/** The texts of each flag, in order, by the name of its row; a switch gets `true` or `false`. */
	readonly flags: Readonly<Record<string, readonly string[]>>;
	/** Everything that is not a flag, without the word of the command. */
	readonly words: readonly Word[];
	/** A text that is printed in place of a run. */
	readonly print: 'help' | 'full-help' | 'version' | undefined;
	/** Whether the line ends in a `-r` without an id: on a screen, one can be chosen. */
	readonly asksForSession: boolean;
	/** A mistake in the line. Its flags are known all the same: they may choose the output format. */
	readonly failure: ChatError | undefined;
};

const knownFlags: ReadonlyMap<string, Flag> = new Map(
	[...textFlags, ...Object.values(rowsOfCommand).flatMap(flagsOf)].map((flag) => [flag.long, flag]),
);

/** The first argument of a shell that asks for completions. */
export const completeWord = '__complete';

/** Flags of a prompt: a single word is then a question, or the argument of a template. */
const promptFlags = ['template', 'file', 'image', 'attach'];

export function parseArgv(argv: readonly string[]): CommandLine {
	if (argv[0] === completeWord) {
		// The line that a user has typed so far is not a list of arguments.
		const words = argv.map((text) => ({text, isLiteral: true}));
		const nothing = {print: undefined, failure: undefined, asksForSession: false} as const;
		return {argv, command: 'completion', flags: {}, words, ...nothing};
	}
	const end = findEnd(argv);
	const read = readFlags(argv.slice(0, end));
	const words = [
		...read.words.map((text) => ({text, isLiteral: false})),
		...argv.slice(end + 1).map((text) => ({text, isLiteral: true})),
	];
	const names = new Set(read.given.map(({flag}) => flag.name));
	const resolved = resolveCommand({
		words,
		isPrompt: promptFlags.some((name) => names.has(name)),
		listWritten: () => argv.slice(findFirstWord(argv)),
	});
	const {command} = resolved;
	const isVersion = names.has('version') && command === 'chat';
	// The words of other commands are not sent.
	const key = command === 'chat' ? findKey(words) : undefined;
	const mistake = key ?? resolved.failure ?? findUnknownFlag(command, argv, read);
	const failure = mistake ?? findMissingValue(command, read);
	const isHelp =
		names.has('help') ||
		resolved.help === 'asked' ||
		(resolved.help === 'default' && failure === undefined);
	const help = resolved.help === 'full' ? 'full-help' : isHelp ? 'help' : undefined;
	const text = isVersion ? 'version' : help;
	const print = resolved.failure === undefined ? text : undefined;
	const isResume = read.incomplete === '-r' || read.incomplete === '--resume';
	const isAlone = command === 'chat' && words.length === 0 && mistake === undefined;
	const asksForSession = isResume && isAlone;
	const flags = textsOf(read.given);
	return {argv, command, flags, words: resolved.words, print, asksForSession, failure};
}

/** The place of the `--` after which every word is text, or the length of the list. */
function findEnd(argv: readonly string[]): number {
	const isFlag = (text = '') =>
		[...knownFlags.values()].some(
			({takesValue, long, short}) => takesValue && (text === `--${long}` || text === `-${short}`),
		);
	const end = argv.findIndex((text, place) => text === '--' && !isFlag(argv[place - 1]));
	return end === -1 ? argv.length : end;
}

/** The place of the first argument that is neither a flag nor the value of one. */
function findFirstWord(argv: readonly string[]): number {
	return argv.findIndex((_, place) => readFlags(argv.slice(0, place + 1)).words.length > 0);
}

type ReadFlags = {
	readonly given: ReadonlyArray<{readonly flag: Flag; readonly value: string}>;
	readonly words: readonly string[];
	/** The first flag that no command has. */
	readonly unknown: string | undefined;
	/** A flag at the end of the list that lacks its value. */
	readonly incomplete: string | undefined;
};

function readFlags(argv: readonly string[]): ReadFlags {
	const given: Array<ReadFlags['given'][number]> = [];
	const parser = new Command()
		.helpOption(false)
		.exitOverride()
		.configureOutput({writeErr() {}});
	for (const flag of knownFlags.values()) {
		// Adding all flags would take 2 ms, most of the time of a command line.
		if (!mayContain(argv, flag)) continue;
		const option = new Option(flag.spelling);
		// The opposite of a flag with values empties their list.
		const opposite = option.negate ? knownFlags.get(flag.long.slice('no-'.length)) : undefined;
		const isOfList = opposite?.name === flag.name && opposite.takesValue;
		const off = isOfList ? '' : String(!option.negate);
		parser.addOption(option);
		parser.on(`option:${option.name()}`, (value: string | null) => {
			given.push({flag, value: value ?? off});
		});
	}
	try {
		const {operands, unknown} = parser.parseOptions([...argv]);
		return {given, words: operands, unknown: unknown[0], incomplete: undefined};
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		return {...readFlags(argv.slice(0, -1)), incomplete: argv.at(-1)};
	}
}

function mayContain(argv: readonly string[], {long, short}: Flag): boolean {
	return argv.some(
		(text) =>
			text.startsWith(`--${long}`) ||
			(short !== undefined && text.startsWith('-') && text.includes(short)),
	);
}

function textsOf(given: ReadFlags['given']): CommandLine['flags'] {
	const texts: Record<string, readonly string[]> = {};
	for (const {flag, value} of given) texts[flag.name] = [...(texts[flag.name] ?? []), value];
	return texts;
}

function findUnknownFlag(
	command: CommandName,
	argv: readonly string[],
	{given, unknown}: ReadFlags,
): ChatError | undefined {
	const flags = [...flagsOf(rowsOfCommand[command]), ...textFlags];
	const foreign = given.find(({flag}) => !flags.some(({long}) => long === flag.long));
	const text = foreign === undefined ? unknown : spellingIn(argv, foreign.flag);
	return text === undefined ? undefined : unknownFlag(text, flags, programOf(command));
}

function findMissingValue(command: CommandName, {incomplete}: ReadFlags): ChatError | undefined {
	if (incomplete === undefined) return undefined;
	const flag = flagsOf(rowsOfCommand[command]).find(({long, short = ''}) =>
		incomplete.startsWith('--') ? incomplete === `--${long}` : incomplete.endsWith(short || ' '),
	);
	const isResume = flag?.name === 'resume';
	const choose = 'chat sessions lists the conversations; chat -c continues the latest one.';
	return new ChatError('usage', `${incomplete} needs a value: ${flag?.spelling}`, {
		hint: isResume ? choose : hintOf(programOf(command)),
	});
}

function programOf(command: CommandName): string {
	return command === 'chat' ? 'chat' : `chat ${command}`;
}

/** Returns a flag as it was typed. */
function spellingIn(argv: readonly string[], {long, short}: Flag): string {
	const isLong = argv.some((text) => text === `--${long}` || text.startsWith(`--${long}=`));
	return isLong || short === undefined ? `--${long}` : `-${short}`;
}

function hintOf(program: string): Hint {
	const words =
		program === 'chat'
			? 'chat help all lists the options; -O key=value sends any field of the request; what follows -- is the prompt.'
			: `${program} --help lists the options.`;
	return words;
}

/** The value is left out: it may be a secret, as in the `--api-key=` of other programs. */
function unknownFlag(text: string, flags: readonly Flag[], program: string): ChatError {
	const [written = ''] = text.split('=');
	const name = written.replace(/^-+/, '');
	if (text.includes('=') && knownFlags.has(name)) {
		return new ChatError('usage', `${written} takes no value`, {hint: hintOf(program)});
	}
	if (text.startsWith('--') && isKeyName(name)) {
		return new ChatError('usage', `there is no flag for an API key: unknown option '${written}'`, {
			hint: 'Other users can read a command line. Store the key with chat auth set, or set CHAT_API_KEY.',
		});
	}
	if (configKeys.has(name) && !knownFlags.has(name)) {
		return new ChatError('usage', `${written} is not an option, but a key of the config file`, {
			hint: `Set it with: chat config set ${name} VALUE`,
		});
	}
	const negated = flags.find(({long, takesValue}) => takesValue && `no-${long}` === name);
	if (negated !== undefined && canDrop(negated)) {
		const words = `To drop a stored value for one run: --${negated.long} ''`;
		return new ChatError('usage', `unknown option '${written}'`, {
			hint: words,
		});
	}
	const names = flags.map(({long}) => long);
	const isLong = text.startsWith('--');
	const known = isLong && program === 'chat' ? findForeignFlag(name) : undefined;
	const closest = negated?.long ?? (isLong ? findClosest(name, names) : undefined);
	const meant = known ?? (closest && `--${closest}`);
	const suggestion = meant === undefined ? '' : ` (Did you mean ${meant}?)`;
	return new ChatError('usage', `unknown option '${written}'${suggestion}`, {
		hint: hintOf(program),
	});
}

/** Whether an empty value drops one of the config file. */
function canDrop({name}: Flag): boolean {
	const setting = settingNames.find((known) => known === name);
	if (setting === undefined || configKeyOf(setting) === undefined) return false;
	const {parse, defaultValue} = rowOf(setting);
	try {
		parse('', defaultValue);
		return true;
	} catch {
		return false;
	}
}
