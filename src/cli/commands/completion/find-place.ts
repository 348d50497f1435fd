/** Decides what the last word of a command line may be. */
import type {OptionRow, ValueList} from '../../../settings/options/option-row.ts';
import {configKeys, rowOf} from '../../../settings/options/settings.ts';
import {rowsOfCommand} from '../../command-line/command-flags.ts';
import {type CommandLine, parseArgv} from '../../command-line/parse-argv.ts';
import type {
	configVerbs,
	mcpVerbs,
	modelVerbs,
	sessionVerbs,
	templateVerbs,
} from '../../command-line/resolve-command.ts';

export type Values = readonly string[] | ValueList | 'commands' | 'flags' | 'keys' | 'verbs';

export type Place = {
	readonly values: Values;
	/** The beginning of the word that is not part of the value: `--model=`. */
	readonly head: string;
	/** The words before, read as arguments. */
	readonly line: CommandLine;
};

/** The words after a verb. */
type Arguments = {
	readonly first: Values;
	/** Those after the first one. */
	readonly more?: Values;
};

const sessionArguments: Readonly<Record<(typeof sessionVerbs)[number], Arguments>> = {
	list: {first: []},
	search: {first: []},
	show: {first: 'sessions'},
	export: {first: 'sessions'},
	import: {first: 'files', more: 'files'},
	rename: {first: 'sessions'},
	path: {first: 'sessions'},
	delete: {first: 'sessions', more: 'sessions'},
	prune: {first: []},
	redact: {first: 'sessions'},
};

const templateArguments: Readonly<Record<(typeof templateVerbs)[number], Arguments>> = {
	list: {first: []},
	show: {first: 'templates'},
	edit: {first: 'templates'},
	path: {first: 'templates'},
	check: {first: 'templates', more: 'templates'},
	rename: {first: 'templates'},
	delete: {first: 'templates', more: 'templates'},
	import: {first: 'files'},
	trust: {first: 'templates'},
};

const mcpArguments: Readonly<Record<(typeof mcpVerbs)[number], Arguments>> = {
	add: {first: []},
	import: {first: 'files'},
	list: {first: []},
	show: {first: 'own-servers'},
	test: {first: 'own-servers'},
	refresh: {first: 'own-servers'},
	remove: {first: 'own-servers'},
	login: {first: 'own-servers'},
	logout: {first: 'own-servers'},
	path: {first: []},
};

const modelArguments: Readonly<Record<(typeof modelVerbs)[number], Arguments>> = {
	list: {first: []},
	show: {first: 'models'},
	update: {first: []},
};

const configArguments: Readonly<Record<(typeof configVerbs)[number], Arguments>> = {
	get: {first: 'keys'},
	set: {first: 'keys'},
	unset: {first: 'keys'},
	list: {first: []},
	profiles: {first: []},
	rename: {first: 'profiles'},
	path: {first: []},
	edit: {first: []},
};

const argumentsOf: Readonly<Record<string, Readonly<Record<string, Arguments>>>> = {
	sessions: sessionArguments,
	templates: templateArguments,
	mcp: mcpArguments,
	models: modelArguments,
	config: configArguments,
};

/** Stands for the last word; no argument of a process can have it. */
const marker = '\0';

/**
 * @param words the arguments before the last word
 * @param text the last word
 * @param isQuoted whether it is written with quotes
 */
export function findPlace(words: readonly string[], text: string, isQuoted: boolean): Place {
	const line = parseArgv(words);
	const head = /^--[a-z-]+=/.exec(text)?.[0] ?? '';
	const marked = parseArgv([...words, head + marker]);
	const [name] = Object.entries(marked.flags).find(([, texts]) => texts.includes(marker)) ?? [];
	if (name !== undefined) {
		const row = rowsOfCommand[line.command][name];
		return {values: row === undefined ? [] : valuesOf(row), head, line};
	}
	const isLiteral = marked.words.some((word) => word.text === marker && word.isLiteral);
	const values = isLiteral || isQuoted || head !== '' ? [] : valuesOfWord(line, text);
	return {values, head: '', line};
}

function valuesOf({values, defaultValue}: OptionRow<unknown>): Values {
	return values ?? (typeof defaultValue === 'boolean' ? ['true', 'false'] : []);
}

/** A prompt may be anything, so only its first word is offered commands. */
function valuesOfWord({command, words}: CommandLine, text: string): Values {
	if (text.startsWith('-')) return 'flags';
	const [verb = '', first = ''] = words.map((word) => word.text);
	if (command === 'chat') {
		if (verb === 'help' && words.length === 1) return 'commands';
		return words.length === 0 ? 'commands' : [];
	}
	if (words.length === 0) return 'verbs';
	if (command === 'config' && verb === 'set' && words.length === 2) return valuesOfKey(first);
	const known = argumentsOf[command]?.[verb];
	return (words.length === 1 ? known?.first : known?.more) ?? [];
}

function valuesOfKey(key: string): Values {
	const name = configKeys.get(key);
	return name === undefined ? [] : valuesOf(rowOf(name));
}
