/** Reads the flags that only one command has: they have no variables and no place in the config file. */
import {longFlagOf} from '../../settings/options/option-row.ts';
import {parseSetting} from '../../settings/options/parsers.ts';
import type {OptionRows} from './command-flags.ts';
import type {CommandLine} from './parse-argv.ts';

export type FlagValues<Rows extends OptionRows> = {
	readonly [Name in keyof Rows]: Rows[Name]['defaultValue'];
};

/** @throws {ChatError} `usage` for a value that is not valid */
export function readFlags<Rows extends OptionRows>(
	rows: Rows,
	flags: CommandLine['flags'],
): FlagValues<Rows> {
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
