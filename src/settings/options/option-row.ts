/** Option rows, and functions making them. */
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

/** Value lists for shell completion. */
export type ValueList =
	| 'files'
	/** Files after an `@`. */
	| 'mentions'
	| 'models'
	| 'params'
	| 'profiles'
	/** MCP servers in `mcp.json`, and other server files. */
	| 'servers'
	| 'own-servers'
	| 'services'
	| 'sessions'
	| 'templates'
	| 'tools';

export type OptionRow<Value> = Option<Value> & {readonly group: OptionGroup};

type Option<Value> = {
	/** Printed in help: `-m, --model <name>`. A switch has a second one for turning it off. */
	readonly flags: readonly string[];
	readonly variable?: string;
	/** Whether the config file may hold it. Default: whether it has a variable. */
	readonly isInFile?: boolean;
	/** Config file key. Default: the long flag's name. */
	readonly key?: string;
	/** Whether an empty variable drops a stored value. */
	readonly isDropped?: boolean;
	/** Whether each source adds to weaker ones instead of replacing them. */
	readonly isMerged?: boolean;
	readonly summary: string;
	/** Summary for the flag turning a switch off. */
	readonly negatedSummary?: string;
	readonly defaultValue: Value;
	/** Words for completion and `/set`, or a list to look up. */
	readonly values?: readonly string[] | ValueList | undefined;
	/** The default as people write it, if different. */
	readonly defaultLabel?: string;
	/** Makes a path in the text absolute. */
	readonly resolvePath?: (text: string, directory: string) => string;
	/** Called for each text, in order. Throws a `ValueError`. */
	parse(text: string, previous: Value, variables?: Variables): Value;
	/** Reads JSON other than strings from a file. Throws a `ValueError`. */
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

export function duration(defaultLabel: string, row: Source<number>): Option<number> {
	return {...row, defaultLabel, defaultValue: parseDuration(defaultLabel), parse: parseDuration};
}

export function list(row: Source<readonly string[]>): Option<readonly string[]> {
	return {...row, defaultValue: [], parse: (text, previous) => [...previous, text]};
}

/** A repeatable option; an empty text drops stored values. */
export function clearableList(row: Source<readonly string[]>): Option<readonly string[]> {
	return {...list(row), parse: (text, previous) => (text === '' ? [] : [...previous, text])};
}

/** An empty text names no file. */
export function resolveFile(text: string, directory: string): string {
	return text && resolve(directory, text);
}

type Grouped<Options> = {
	readonly [Name in keyof Options]: Options[Name] & {readonly group: OptionGroup};
};

/** Puts options under a help heading. */
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

/** Returns a request field's name as users write it: `top_p`. */
export function fieldOf(name: string): string {
	return toKey(name).replaceAll('-', '_');
}

/** Returns `--max-tokens` for `--max-tokens <n>`, or the flag turning a switch off. */
export function longFlagOf({flags}: Pick<OptionRow<unknown>, 'flags'>, isOff = false): string {
	const flag = flags.find((text) => text.includes('--no-') === isOff) ?? flags[0];
	return /--[a-z-]+/.exec(flag ?? '')?.[0] ?? '';
}
