/** The shape of an option, and the functions that make one. */
import {resolve} from 'node:path';
import type {Variables} from '../../environment.ts';
import type {JsonValue} from '../../json.ts';
import {type Parse, parseDuration, parseSwitch} from './parsers.ts';

export type OptionGroup =
	| 'Request'
	| 'Input'
	| 'Output'
	| 'Conversations'
	| 'Service'
	| 'Timeouts and retries'
	| 'Options';

/** Where shell completion finds the values of an option. */
export type ValueList =
	| 'files'
	/** Files after an `@`. */
	| 'mentions'
	| 'models'
	| 'params'
	| 'profiles'
	/** MCP servers of `mcp.json`, and files of others. */
	| 'servers'
	| 'own-servers'
	| 'services'
	| 'sessions'
	| 'templates'
	/** The tools of the run. */
	| 'tools';

export type OptionRow<Value> = Option<Value> & {readonly group: OptionGroup};

type Option<Value> = {
	/** As help prints them: `-m, --model <name>`. A switch has a second one that turns it off. */
	readonly flags: readonly string[];
	readonly variable?: string;
	/** Whether the config file may hold it. The default: whether it has a variable. */
	readonly isInFile?: boolean;
	/** The key in the config file. The default: the name of the long flag. */
	readonly key?: string;
	/** Whether every source adds to the weaker ones instead of replacing them. */
	readonly isMerged?: boolean;
	/** One line for `--help`. */
	readonly summary: string;
	/** The line for the flag that turns a switch off. */
	readonly negatedSummary?: string;
	readonly defaultValue: Value;
	/** The values that shell completion offers, or where it finds them. */
	readonly values?: readonly string[] | ValueList | undefined;
	/** The default as a person writes it, if that differs from the value. */
	readonly defaultLabel?: string;
	/** Makes a path in the text absolute. */
	readonly resolvePath?: (text: string, directory: string) => string;
	/** Parses the texts of an option, one call each, in order. Throws a `ValueError`. */
	parse(text: string, previous: Value, variables?: Variables): Value;
	/** Reads what a file has in place of a text: an object, an array. Throws a `ValueError`. */
	readJson?(value: JsonValue, previous: Value): Value;
};

type Source<Value> = Omit<Option<Value>, 'parse' | 'defaultValue' | 'defaultLabel'>;

export function option<Value>(
	parse: Parse<Value>,
	row: Source<Value> & {readonly defaultValue: NoInfer<Value>},
): Option<Value> {
	return {values: parse.words, ...row, parse};
}

type ParseInContext<Value> = Pick<Parse<Value>, 'words'> &
	((text: string, previous: unknown, variables?: Variables) => Value);

/** An option without a default. */
export function optional<Value>(
	parse: ParseInContext<Value>,
	row: Source<Value | undefined>,
): Option<Value | undefined> {
	return {values: parse.words, ...row, defaultValue: undefined, parse};
}

export function toggle(defaultValue: boolean, row: Source<boolean>): Option<boolean> {
	return {...row, defaultValue, parse: parseSwitch};
}

/** A time limit in milliseconds. */
export function duration(defaultLabel: string, row: Source<number>): Option<number> {
	return {...row, defaultLabel, defaultValue: parseDuration(defaultLabel), parse: parseDuration};
}

export function list(row: Source<readonly string[]>): Option<readonly string[]> {
	return {...row, defaultValue: [], parse: (text, previous) => [...previous, text]};
}

/** A repeatable option whose stored values an empty text drops. */
export function clearableList(row: Source<readonly string[]>): Option<readonly string[]> {
	return {...list(row), parse: (text, previous) => (text === '' ? [] : [...previous, text])};
}

/** Makes the path of a file absolute. An empty text names no file. */
export function resolveFile(text: string, directory: string): string {
	return text && resolve(directory, text);
}

type Grouped<Options> = {
	readonly [Name in keyof Options]: Options[Name] & {readonly group: OptionGroup};
};

/** Puts options under one heading of the help. */
export function inGroup<Options extends Readonly<Record<string, Option<unknown>>>>(
	group: OptionGroup,
	options: Options,
): Grouped<Options> {
	const rows = Object.entries(options).map(([name, row]) => [name, {...row, group}]);
	return Object.fromEntries(rows) as Grouped<Options>;
}

/** Makes `top_p` and `topP` the key `top-p`. */
export function toKey(name: string): string {
	return name
		.replace(/[A-Z]/g, (letter) => `-${letter}`)
		.toLowerCase()
		.replaceAll('_', '-');
}

/** Returns the name of a request field as users write it: `top_p`. */
export function fieldOf(name: string): string {
	return toKey(name).replaceAll('-', '_');
}

/** Returns `--max-tokens` of `--max-tokens <n>`, or the flag that turns a switch off. */
export function longFlagOf({flags}: Pick<OptionRow<unknown>, 'flags'>, isOff = false): string {
	const flag = flags.find((text) => text.includes('--no-') === isOff) ?? flags[0];
	return /--[a-z-]+/.exec(flag ?? '')?.[0] ?? '';
}
