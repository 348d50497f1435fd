/** Commander options from the option rows, and their texts back from what commander parsed. */
import {type Command, CommanderError, Option} from 'commander';
import {findClosest} from '../did-you-mean.ts';
import {ChatError} from '../errors.ts';
import type {FlagTexts} from '../settings/options/merge.ts';
import type {OptionRow} from '../settings/options/option-row.ts';
import {optionRows, type SettingName, settingNames} from '../settings/options/option-rows.ts';
import {isNameOfSecret} from '../settings/options/unknown-keys.ts';

/** Adds the flags of the rows, in their groups: of every row, or of those that are named. */
export function addOptions(
	command: Command,
	names: readonly SettingName[] = settingNames,
): Command {
	for (const name of names) {
		const row: OptionRow<unknown> = optionRows[name];
		for (const [index, flags] of row.flags.entries()) {
			const option = new Option(flags, describe(row, flags)).helpGroup(`${row.group}:`);
			// One sentence of the help says that every switch has its opposite.
			option.hideHelp(index > 0 && row.offSummary === undefined);
			if (option.required) option.argParser(collect);
			command.addOption(option);
		}
	}
	return command;
}

function collect(text: string, previous: readonly string[] | undefined): readonly string[] {
	return [...(previous ?? []), text];
}

function describe(row: OptionRow<unknown>, flags: string): string {
	if (flags.startsWith('--no-') && row.offSummary !== undefined) return row.offSummary;
	const shown = row.shownDefault ?? row.fallback;
	const isWorthSaying = typeof shown === 'string' || typeof shown === 'number';
	return isWorthSaying ? `${row.summary} (default: ${shown})` : row.summary;
}

/** What was given on the command line, and nothing else. */
export function readFlags(command: Command): FlagTexts {
	const texts: Partial<Record<SettingName, readonly string[]>> = {};
	for (const name of settingNames) {
		if (command.getOptionValueSource(name) !== 'cli') continue;
		const value: unknown = command.getOptionValue(name);
		texts[name] = typeof value === 'boolean' ? [String(value)] : (value as readonly string[]);
	}
	return texts;
}

/** Whether a flag takes the argument behind it. */
export function takesValue(flag: string): boolean {
	return settingNames.some((name) =>
		optionRows[name].flags.some(
			(flags) => flags.includes('<') && flags.split(/[ ,]+/).includes(flag),
		),
	);
}

export type ParsedCommand =
	| {readonly type: 'run'; readonly command: Command}
	/** `--help` or `--version`: a text for stdout, and nothing else happens. */
	| {readonly type: 'print'; readonly text: string};

/**
 * Lets commander parse, without letting it print or exit.
 *
 * @throws {ChatError} `usage` for what it does not understand
 */
export function parseCommand(command: Command, argv: readonly string[]): ParsedCommand {
	let printed = '';
	command
		.exitOverride()
		.showSuggestionAfterError(false)
		.configureOutput({
			writeOut: (text) => {
				printed += text;
			},
			writeErr: () => {},
		});
	try {
		command.parse(argv, {from: 'user'});
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		if (error.exitCode === 0) return {type: 'print', text: printed};
		throw usageError(error, command);
	}
	return {type: 'run', command};
}

function usageError(error: CommanderError, command: Command): ChatError {
	const message = error.message
		.replace(/^error: /, '')
		.replace(/\n/g, ' ')
		// What was given to an unknown flag may be a secret: many programs have an `--api-key=`.
		.replace(/^(unknown option '[^'=]*=).*?'/, "$1…'");
	const [, written] = /unknown option '--([^'=]+)/.exec(message) ?? [];
	if (written !== undefined && isNameOfSecret(written)) {
		return new ChatError('usage', `there is no flag for an API key: ${message}`, {
			hint: 'Other users can read a command line. Store the key with chat auth set, or set CHAT_API_KEY.',
		});
	}
	return new ChatError('usage', `${message}${suggestFlag(written, command)}`, {
		hint: `${command.name()} --help lists the options; what follows -- is the prompt.`,
	});
}

/** What an unknown flag was probably meant to be; empty if nobody knows. */
function suggestFlag(written: string | undefined, command: Command): string {
	if (written === undefined) return '';
	const names = command.options.flatMap(({long}) => long?.slice(2) ?? []);
	const closest = findClosest(written, names);
	return closest === undefined ? '' : ` (Did you mean --${closest}?)`;
}
