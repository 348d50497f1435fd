/** The form of one option, and the kinds there are. */
import type {Parse} from './parsers.ts';

export type OptionGroup = 'Request' | 'Input' | 'Output' | 'Service' | 'Time limits' | 'Options';

export type OptionRow<Value> = {
	/** As help prints them: `-m, --model <name>`; a switch has a second one that turns it off. */
	readonly flags: readonly string[];
	/** The environment variable, if there is one. */
	readonly variable?: string;
	/** Whether the config file may hold it; by default what has a variable may. */
	readonly isInFile?: boolean;
	readonly group: OptionGroup;
	/** One line for `--help`. */
	readonly summary: string;
	/** The same for the flag that turns a switch off, if there are two. */
	readonly offSummary?: string;
	readonly fallback: Value;
	/** The default as a person writes it, where that differs from the value. */
	readonly shownDefault?: string;
	/** The same text with the path in it, if there is one, made absolute. */
	readonly resolvePath?: (text: string, directory: string) => string;
	/** Takes one text after the other, in the order given. */
	read(text: string, previous: Value): Value;
};

type RowSource<Value> = Omit<OptionRow<Value>, 'read' | 'fallback'>;

/** An option that has a value from the start. */
export function option<Value>(
	parse: Parse<Value>,
	row: RowSource<Value> & {readonly fallback: NoInfer<Value>},
): OptionRow<Value> {
	return {...row, read: parse};
}

/** An option that may be absent. */
export function optional<Value>(
	parse: Parse<Value>,
	row: RowSource<Value | undefined>,
): OptionRow<Value | undefined> {
	return {...row, fallback: undefined, read: parse};
}

/** An option that may be given several times. */
export function list(row: RowSource<readonly string[]>): OptionRow<readonly string[]> {
	return {...row, fallback: [], read: (text, previous) => [...previous, text]};
}

/** The same where an empty text drops what is stored. */
export function clearableList(row: RowSource<readonly string[]>): OptionRow<readonly string[]> {
	return {...row, fallback: [], read: (text, previous) => (text === '' ? [] : [...previous, text])};
}
