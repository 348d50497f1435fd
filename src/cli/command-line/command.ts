/**
 * A command as a value: the parser, help, usage errors, completion, the manual page and the
 * documents derive from it.
 */
import type {Environment} from '../../environment.ts';
import type {ExitCode} from '../../errors.ts';
import type {OptionRow, ValueList} from '../../settings/options/option-row.ts';
import {longFlagOf} from '../../settings/options/option-row.ts';
import {parseSetting} from '../../settings/options/parsers.ts';

export type OptionRows = Readonly<Record<string, OptionRow<unknown>>>;

/** Each flag's texts in order, by row name; a switch gets `true` or `false`. */
export type FlagTexts = Readonly<Record<string, readonly string[]>>;

export type Word = {
	readonly text: string;
	/** True after `--`, where everything is text. */
	readonly isLiteral: boolean;
};

/** A command with its words. */
export type CommandUse = {
	readonly command: Command;
	/** The verb as written. */
	readonly verbName: string | undefined;
	/** The verb to run; undefined if none is written, and the command does nothing without. */
	readonly verb: Verb | undefined;
	readonly flags: FlagTexts;
	/** Everything but flags, the command and its verb. */
	readonly words: readonly Word[];
};

/** A verb's arguments and flags. */
export type Invocation = {
	readonly words: readonly string[];
	/** The words after `--`, for a verb taking a program. */
	readonly program: readonly string[];
	readonly flags: FlagTexts;
	readonly environment: Environment;
};

/** Values for completing an argument: config keys, or values of the one before. */
export type ArgumentValues = ValueList | 'keys' | 'key-values' | readonly string[];

export type Verb = {
	/** `<id> [title]`; dots take the remaining words: `<file...>`, `<name> -- <program...>`. */
	readonly args: string;
	readonly summary: string;
	/** Flags limited to some of the verbs. */
	readonly flags?: OptionRows;
	/** Values for each argument; the last one serves all words taken by dots. */
	readonly complete?: readonly ArgumentValues[];
	/** Usage lines for a mistake, where arguments and flags alone do not show them. */
	readonly usage?: string;
	run(invocation: Invocation): Promise<ExitCode>;
};

export type Command = {
	readonly name: string;
	readonly description: string;
	/** Flags shared by all verbs. */
	readonly flags: OptionRows;
	/** Without a verb; otherwise the help is printed. */
	readonly bare?: Verb;
	readonly verbs: Readonly<Record<string, Verb>>;
	/** A sentence replacing the usage when a verb's arguments do not fit. */
	readonly advice?: string;
	/** A sentence of advice about an unknown verb. */
	advise?(word: string): string | undefined;
	/** A paragraph each. */
	readonly notes?: readonly string[];
	/** Lines for a shell. */
	readonly examples?: readonly string[];
};

/** A command before loading. */
export type CommandEntry = {
	/** Shown in the command list. */
	readonly summary: string;
	load(): Promise<Command>;
};

/** In help order. */
export type CommandTable = Readonly<Record<string, CommandEntry>>;

export type CommandSet = {
	/** The command without a word. */
	readonly chat: Command;
	readonly commands: CommandTable;
};

export type Flag = {
	/** The row's name. */
	readonly name: string;
	/** The help spelling: `-m, --model <name>`. */
	readonly spelling: string;
	/** Without the dashes. */
	readonly long: string;
	readonly short: string | undefined;
	readonly takesValue: boolean;
};

/** Flags printing a text instead of running the command. */
export const textFlags: readonly Flag[] = [
	parseFlag('version', '-V, --version'),
	parseFlag('help', '-h, --help'),
];

/** Returns a command's rows, including those of all verbs or of one. */
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
 * Reads flags without a variable or a config key.
 *
 * @throws {ChatError} `usage` for an invalid value
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

/** Whether words other than verbs are arguments. */
export function takesWords({bare}: Command): boolean {
	return bare !== undefined && bare.args !== '';
}

/** Separates a verb's arguments from the program's words after `--`. */
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
	// Flags after `--` would belong to the program.
	const [own, program] = args.split(/ (?=\[?-- )/);
	return ['chat', name, verbName, own, ...options, program].filter(Boolean).join(' ');
}
