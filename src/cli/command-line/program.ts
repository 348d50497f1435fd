/** Wraps Commander: no other file knows it, and the input leaves as plain data. */
import {CommanderError, Option, Command as Program} from 'commander';
import type {Flag, Word} from './command.ts';

export type Reading = {
	/** A switch has the value `true` or `false`. */
	readonly given: ReadonlyArray<{readonly flag: Flag; readonly value: string}>;
	readonly words: readonly Word[];
	/** The first unknown flag. */
	readonly unknown: string | undefined;
	/** A final flag lacking its value. */
	readonly incomplete: string | undefined;
};

/** Separates flags from words, up to a `--` not taken as a value. */
export function readOptions(flags: readonly Flag[], argv: readonly string[]): Reading {
	const places = argv.flatMap((text, place) => (text === '--' ? [place] : []));
	for (const end of [...places, argv.length]) {
		const reading = readPart(flags, argv.slice(0, end));
		if (end < argv.length && reading.incomplete !== undefined) continue;
		const rest = argv.slice(end + 1).map((text) => ({text, isLiteral: true}));
		return {...reading, words: [...reading.words, ...rest]};
	}
	throw new RangeError('the end of the list is a place too');
}

/** Reads the flags before the first word; later arguments stay as written. */
export function readUntilWord(
	flags: readonly Flag[],
	argv: readonly string[],
): Pick<Reading, 'given'> & {readonly written: readonly string[]} {
	const {given, words} = readPart(flags, argv, createProgram().passThroughOptions());
	return {given, written: words.map(({text}) => text)};
}

function readPart(
	flags: readonly Flag[],
	argv: readonly string[],
	program = createProgram(),
): Reading {
	const given: Array<Reading['given'][number]> = [];
	for (const flag of flags) {
		// Adding all flags would take 2 ms, most of a command line's time.
		if (!mayContain(argv, flag)) continue;
		const option = new Option(flag.spelling);
		// The opposite of a list flag empties its list.
		const opposite = option.negate ? flags.find(({long}) => `no-${long}` === flag.long) : undefined;
		const isOfList = opposite?.name === flag.name && opposite.takesValue;
		const off = isOfList ? '' : String(!option.negate);
		program.addOption(option);
		program.on(`option:${option.name()}`, (value: string | null) => {
			given.push({flag, value: value ?? off});
		});
	}
	try {
		const {operands, unknown} = program.parseOptions([...argv]);
		const words = operands.map((text) => ({text, isLiteral: false}));
		return {given, words, unknown: unknown[0], incomplete: undefined};
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		return {...readPart(flags, argv.slice(0, -1)), incomplete: argv.at(-1)};
	}
}

function createProgram(): Program {
	return new Program()
		.helpOption(false)
		.exitOverride()
		.configureOutput({writeErr() {}});
}

function mayContain(argv: readonly string[], {long, short}: Flag): boolean {
	return argv.some(
		(text) =>
			text.startsWith(`--${long}`) ||
			(short !== undefined && text.startsWith('-') && text.includes(short)),
	);
}

/** Returns how many arguments `<id> [title]` stands for. */
export function countArguments(args: string): {readonly least: number; readonly most: number} {
	const known = args === '' ? [] : new Program().arguments(args).registeredArguments;
	return {
		least: known.filter(({required}) => required).length,
		most: known.at(-1)?.variadic ? Number.POSITIVE_INFINITY : known.length,
	};
}
