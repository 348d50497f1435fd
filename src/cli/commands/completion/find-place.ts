/** Decides what the command line's last word may be. */
import type {OptionRow} from '../../../settings/options/option-row.ts';
import {configKeys, rowOf} from '../../../settings/options/settings.ts';
import {
	type ArgumentValues,
	type CommandSet,
	rowsOf,
	takesWords,
} from '../../command-line/command.ts';
import {type CommandLine, parseArgv} from '../../command-line/parse-argv.ts';

export type Values = Exclude<ArgumentValues, 'key-values'> | 'commands' | 'flags' | 'verbs';

export type Place = {
	readonly values: Values;
	/** The word's head before the value: `--model=`. */
	readonly head: string;
	/** The words before, read as arguments. */
	readonly line: CommandLine;
};

/** Stands for the last word; no process argument can contain it. */
const marker = '\0';

/**
 * @param words the arguments before the last word
 * @param text the last word
 * @param isQuoted whether it is quoted
 */
export async function findPlace(
	set: CommandSet,
	words: readonly string[],
	text: string,
	isQuoted: boolean,
): Promise<Place> {
	const line = await parseArgv(words, set);
	const head = /^--[a-z-]+=/.exec(text)?.[0] ?? '';
	const marked = await parseArgv([...words, head + marker], set);
	const [name] = Object.entries(marked.flags).find(([, texts]) => texts.includes(marker)) ?? [];
	if (name !== undefined) {
		const row = rowsOf(line.command, line.verb)[name] ?? rowsOf(line.command)[name];
		return {values: row === undefined ? [] : valuesOf(row), head, line};
	}
	const isLiteral = marked.words.some((word) => word.text === marker && word.isLiteral);
	const values = isLiteral || isQuoted || head !== '' ? [] : valuesOfWord(set, line, text);
	return {values, head: '', line};
}

function valuesOf({values, defaultValue}: OptionRow<unknown>): Values {
	return values ?? (typeof defaultValue === 'boolean' ? ['true', 'false'] : []);
}

/** A prompt may be anything, so only its first word is offered commands. */
function valuesOfWord({chat}: CommandSet, line: CommandLine, text: string): Values {
	if (text.startsWith('-')) return 'flags';
	const {command, verb, words} = line;
	const [first] = words;
	if (command === chat) {
		const isTopic = words.length === 0 || (words.length === 1 && first?.text === 'help');
		return isTopic ? 'commands' : [];
	}
	if (line.verbName === undefined && !takesWords(command)) {
		return words.length === 0 ? 'verbs' : [];
	}
	const {args = '', complete = []} = verb ?? {};
	const rest = args.includes('...') ? complete.at(-1) : undefined;
	const values = complete[words.length] ?? rest ?? [];
	return values === 'key-values' ? valuesOfKey(first?.text ?? '') : values;
}

function valuesOfKey(key: string): Values {
	const name = configKeys.get(key);
	return name === undefined ? [] : valuesOf(rowOf(name));
}
