/**
 * A command as a value. The parser, help, usage errors, completion, the manual page and the documents
 * are derived from it.
 */
import type {Environment} from '../../environment.ts';
import type {ExitCode} from '../../errors.ts';
import type {OptionRow, ValueList} from '../../settings/options/option-row.ts';
import {longFlagOf} from '../../settings/options/option-row.ts';
import {parseSetting} from '../../settings/options/parsers.ts';

export type OptionRows = Readonly<Record<string, OptionRow<unknown>>>;

/** The texts of each flag, in order, by the name of its row; a switch gets `true` or `false`. */
export type FlagTexts = Readonly<Record<string, readonly string[]>>;

export type Word = {
	readonly text: string;
	/** Whether it follows `--`, and so is text whatever it looks like. */
	readonly isLiteral: boolean;
};

/** A command with what is written for it. */
export type CommandUse = {
	readonly command: Command;
	/** The verb that is written. */
	readonly verbName: string | undefined;
	/** The verb to run; undefined if none is written, and the command does nothing without. */
	readonly verb: Verb | undefined;
	readonly flags: FlagTexts;
	/** Everything that is not a flag, without the words of the command and its verb. */
	readonly words: readonly Word[];
};

/** One use of a verb. */
export type Invocation = {
	/** Its arguments. */
	readonly words: readonly string[];
	/** The words after `--`, for a verb that takes a program. */
	readonly program: readonly string[];
	readonly flags: FlagTexts;
	readonly environment: Environment;
};

/** Values that completion offers for an argument: keys of the config file, or values of the one before. */
export type ArgumentValues = ValueList | 'keys' | 'key-values' | readonly string[];

export type Verb = {
	/** `<id> [title]`, with dots for the rest of the words: `<file...>`, `<name> -- <program...>`. */
	readonly args: string;
	readonly summary: string;
	/** Flags that only some verbs of the command have. */
	readonly flags?: OptionRows;
	/** For each argument, the last for all that dots take. */
	readonly complete?: readonly ArgumentValues[];
	/** Its ways to be written, in a mistake, if the arguments and flags alone do not show them. */
	readonly usage?: string;
	run(invocation: Invocation): Promise<ExitCode>;
};

export type Command = {
	readonly name: string;
	readonly description: string;
	/** Flags of all verbs. */
	readonly flags: OptionRows;
	/** Without a verb; otherwise the help is printed. */
	readonly bare?: Verb;
	readonly verbs: Readonly<Record<string, Verb>>;
	/** A sentence in place of the usage when the arguments of a verb do not fit. */
	readonly advice?: string;
	/** Advice about a word that is not a verb: a sentence. */
	advise?(word: string): string | undefined;
	/** A paragraph each. */
	readonly notes?: readonly string[];
	/** Lines for a shell. */
	readonly examples?: readonly string[];
};

/** A command before it is loaded. */
export type CommandEntry = {
	/** Shown in the list of commands. */
	readonly summary: string;
	load(): Promise<Command>;
};

/** In the order of the help. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

export type CommandSet = {
	/** The command without a word of its own. */
	readonly chat: Command;
	readonly commands: CommandTable;
};

export type Flag = {
	/** The name of its row. */
	readonly name: string;
	/** As help prints it: `-m, --model <name>`. */
	readonly spelling: string;
	/** Without the dashes. */
	readonly long: string;
	readonly short: string | undefined;
	readonly takesValue: boolean;
};

/** Flags that print a text instead of running the command. */
export const textFlags: readonly Flag[] = [
	parseFlag('version', '-V, --version'),
	parseFlag('help', '-h, --help'),
];

/** Returns the rows of a command, with those of its verbs, or of one of them. */
export function rowsOf({flags, bare, verbs}: Command, verb?: Verb): OptionRows {
	const all = verb === undefined ? [...(bare ? [bare] : []), ...Object.values(verbs)] : [verb];
	return Object.assign({}, ...all.map((one) => one.flags), flags);
}

export function flagsOf(rows: OptionRows): readonly Flag[] {
	return Object.entries(rows).flatMap(([name, {flags}]) =>
		flags.map((spelling) => parseFlag(name, spelling)),
	);
}

function parseFlag(name: string, spelling: string): Flag {
	const [, short, long = '', value] = /^(?:-(.), )?--(\S+)( <.+>)?$/.exec(spelling) ?? [];
	return {name, spelling, long, short, takesValue: value !== undefined};
}

export type FlagValues<Rows extends OptionRows> = {
	readonly [Name in keyof Rows]: Rows[Name]['defaultValue'];
};

/**
 * Reads flags without a variable or a place in the config file.
 *
 * @throws {ChatError} `usage` for a value that is not valid
 */
export function readFlags<Rows extends OptionRows>(rows: Rows, flags: FlagTexts): FlagValues<Rows> {
	const values = Object.entries(rows).map(([name, row]) => {
		const value = (flags[name] ?? []).reduce(
			(previous: unknown, text) =>
				parseSetting('usage', longFlagOf(row), text, (given) => row.parse(given, previous)),
			row.defaultValue,
		);
		return [name, value];
	});
	return Object.fromEntries(values) as FlagValues<Rows>;
}

/** Separates the arguments of a verb from the words of a program, which follow `--`. */
export function separateProgram(
	{args}: Verb,
	words: readonly Word[],
): Pick<Invocation, 'words' | 'program'> & {readonly args: string; readonly isProgram: boolean} {
	const [own = '', program] = args.split(/ ?\[?-- /);
	const isProgram = program !== undefined;
	const isOfProgram = ({isLiteral}: Word) => isProgram && isLiteral;
	return {
		args: own,
		isProgram,
		words: words.filter((word) => !isOfProgram(word)).map(({text}) => text),
		program: words.filter(isOfProgram).map(({text}) => text),
	};
}

/** Returns how a verb is written: `chat sessions rename <id> <title>`. */
export function usageOf({name}: Command, verbName: string | undefined, {args, flags = {}}: Verb) {
	const options = Object.values(flags).map(
		({flags: [spelling = '']}) => `[${spelling.replace(/^(-\w), --\S+/, '$1')}]`,
	);
	// Flags after `--` would be flags of the program.
	const [own, program] = args.split(/ (?=\[?-- )/);
	return ['chat', name, verbName, own, ...options, program].filter(Boolean).join(' ');
}
