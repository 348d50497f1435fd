/** The argument list as plain data. Node's parser reads it once; nothing looks at it again. */
import {parseArgs} from 'node:util';
import {findClosest} from '../did-you-mean.ts';
import {ChatError} from '../errors.ts';
import {isNameOfSecret} from '../settings/options/unknown-keys.ts';
import {type CommandName, type Flag, flagsOf, rowsOfCommand, textFlags} from './command-flags.ts';
import {resolveCommand, type Word} from './resolve-command.ts';

export type CommandLine = {
	readonly argv: readonly string[];
	readonly command: CommandName;
	/** The texts of each flag, in order, by the name of its row; a switch gets `true` or `false`. */
	readonly flags: Readonly<Record<string, readonly string[]>>;
	/** The same flags as they were written. */
	readonly given: readonly GivenFlag[];
	/** Everything that is not a flag, without the word of the command. */
	readonly words: readonly Word[];
	/** A text that is printed in place of a run. */
	readonly print: 'help' | 'version' | undefined;
	/** A mistake in the line. Its flags are known all the same: they may choose the output format. */
	readonly failure: ChatError | undefined;
};

export type GivenFlag = {
	/** Undefined: no command has this flag. */
	readonly flag: Flag | undefined;
	/** The flag without its value: `-m`, `--model`. */
	readonly text: string;
	readonly value: string | undefined;
	/** Its place in the argument list. */
	readonly index: number;
};

const knownFlags: ReadonlyMap<string, Flag> = new Map(
	[...textFlags, ...Object.values(rowsOfCommand).flatMap(flagsOf)].map((flag) => [flag.long, flag]),
);

const parserOptions = Object.fromEntries(
	[...knownFlags.values()].map(({long, short, takesValue}) => [
		long,
		{type: takesValue ? 'string' : 'boolean', ...(short === undefined ? {} : {short})} as const,
	]),
);

export function parseArgv(argv: readonly string[]): CommandLine {
	const {given, words} = readTokens(argv);
	const resolved = resolveCommand(argv, words);
	const {command} = resolved;
	const names = new Set(given.map(({flag}) => flag?.name));
	const isVersion = names.has('version') && command === 'chat';
	const failure = resolved.failure ?? findMistake(command, given);
	const isHelp =
		names.has('help') ||
		resolved.help === 'asked' ||
		(resolved.help === 'default' && failure === undefined);
	const text = isVersion ? 'version' : isHelp ? 'help' : undefined;
	const print = resolved.failure === undefined ? text : undefined;
	return {argv, command, flags: textsOf(given), given, words: resolved.words, print, failure};
}

function readTokens(argv: readonly string[]): Pick<CommandLine, 'given' | 'words'> {
	const {tokens} = parseArgs({
		args: argv.map((text) => (isNumber(text) ? 'number' : text)),
		options: parserOptions,
		strict: false,
		allowPositionals: true,
		tokens: true,
	});
	const given: GivenFlag[] = [];
	const words: Word[] = [];
	let isLiteral = false;
	for (const token of tokens) {
		const {index} = token;
		const text = argv[index] ?? '';
		if (token.kind === 'positional') words.push({text, index, isLiteral});
		else if (token.kind === 'option') {
			const {name, rawName, value, inlineValue} = token;
			given.push({
				flag: knownFlags.get(name),
				text: rawName,
				value: inlineValue === false ? argv[index + 1] : value,
				index,
			});
		} else if (text === '--') isLiteral = true;
		else {
			// A dash among joined letters, as in `-x-m`, ends the flags for the parser.
			given.push({flag: undefined, text, value: undefined, index});
			break;
		}
	}
	return {given, words};
}

/** The parser takes each character of `-3.5` for a flag. */
function isNumber(text: string): boolean {
	return /^-(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/.test(text);
}

function textsOf(given: readonly GivenFlag[]): CommandLine['flags'] {
	const texts: Record<string, readonly string[]> = {};
	for (const {flag, value} of given) {
		if (flag === undefined || flag.takesValue !== (value !== undefined)) continue;
		const text = value ?? String(!flag.long.startsWith('no-'));
		texts[flag.name] = [...(texts[flag.name] ?? []), text];
	}
	return texts;
}

/** The first flag that the command does not have, or that lacks its value. */
function findMistake(command: CommandName, given: readonly GivenFlag[]): ChatError | undefined {
	const flags = [...flagsOf(rowsOfCommand[command]), ...textFlags];
	const program = command === 'chat' ? 'chat' : `chat ${command}`;
	for (const {flag, text, value} of given) {
		const isKnown = flags.some(({long}) => long === flag?.long);
		if (!isKnown) return unknownFlag(text, flags, program);
		if (flag?.takesValue === (value !== undefined)) continue;
		const problem = flag?.takesValue ? `needs a value: ${flag.spelling}` : 'takes no value';
		return new ChatError('usage', `${text} ${problem}`, {hint: hintOf(program)});
	}
	return undefined;
}

function hintOf(program: string): string {
	return `${program} --help lists the options; what follows -- is the prompt.`;
}

/** The value is left out: it may be a secret, as in the `--api-key=` of other programs. */
function unknownFlag(text: string, flags: readonly Flag[], program: string): ChatError {
	const name = text.replace(/^-+/, '');
	if (text.startsWith('--') && isNameOfSecret(name)) {
		return new ChatError('usage', `there is no flag for an API key: unknown option '${text}'`, {
			hint: 'Other users can read a command line. Store the key with chat auth set, or set CHAT_API_KEY.',
		});
	}
	const names = flags.map(({long}) => long);
	const closest = text.startsWith('--') ? findClosest(name, names) : undefined;
	const suggestion = closest === undefined ? '' : ` (Did you mean --${closest}?)`;
	return new ChatError('usage', `unknown option '${text}'${suggestion}`, {hint: hintOf(program)});
}
