/** The shape of an option, and the functions that make one. */
import {type Parse, parseDuration, parseSwitch} from './parsers.ts';

export type OptionGroup =
	| 'Request'
	| 'Input'
	| 'Output'
	| 'Service'
	| 'Timeouts and retries'
	| 'Options';

export type OptionRow<Value> = {
	/** As help prints them: `-m, --model <name>`. A switch has a second one that turns it off. */
	readonly flags: readonly string[];
	readonly variable?: string;
	/** Whether the config file may hold it. The default: whether it has a variable. */
	readonly isInFile?: boolean;
	readonly group: OptionGroup;
	/** One line for `--help`. */
	readonly summary: string;
	/** The line for the flag that turns a switch off. */
	readonly negatedSummary?: string;
	readonly defaultValue: Value;
	/** The default as a person writes it, if that differs from the value. */
	readonly defaultLabel?: string;
	/** Makes a path in the text absolute. */
	readonly resolvePath?: (text: string, directory: string) => string;
	/**
	 * Parses the texts of an option, one call each, in order.
	 *
	 * @throws {ValueError} for a text that is not valid
	 */
	parse(text: string, previous: Value): Value;
};

type RowSource<Value> = Omit<OptionRow<Value>, 'parse' | 'defaultValue' | 'defaultLabel'>;

/** An option with a default. */
export function option<Value>(
	parse: Parse<Value>,
	row: RowSource<Value> & {readonly defaultValue: NoInfer<Value>},
): OptionRow<Value> {
	return {...row, parse};
}

/** An option without a default. */
export function optional<Value>(
	parse: Parse<Value>,
	row: RowSource<Value | undefined>,
): OptionRow<Value | undefined> {
	return {...row, defaultValue: undefined, parse};
}

/** An option that is on or off. */
export function toggle(defaultValue: boolean, row: RowSource<boolean>): OptionRow<boolean> {
	return {...row, defaultValue, parse: parseSwitch};
}

/** A time limit in milliseconds. */
export function duration(defaultLabel: string, row: RowSource<number>): OptionRow<number> {
	return {...row, defaultLabel, defaultValue: parseDuration(defaultLabel), parse: parseDuration};
}

/** An option that can be repeated. */
export function list(row: RowSource<readonly string[]>): OptionRow<readonly string[]> {
	return {...row, defaultValue: [], parse: (text, previous) => [...previous, text]};
}

/** A repeatable option whose stored values an empty text drops. */
export function clearableList(row: RowSource<readonly string[]>): OptionRow<readonly string[]> {
	return {...list(row), parse: (text, previous) => (text === '' ? [] : [...previous, text])};
}
