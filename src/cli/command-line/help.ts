/** Prints the texts of `--help`: commander lays out what the values of the commands say. */
import {Help} from 'commander';
import type {OptionRow} from '../../settings/options/option-row.ts';
import {wrapLine} from '../../wording.ts';
import {type Command, type CommandTable, rowsOf, usageOf, type Verb} from './command.ts';
import {exitCodeRows} from './exit-code-rows.ts';
import {flagVariables, otherVariables} from './variables.ts';

export type Item = readonly [term: string, meaning: string];

/** The flags in the help of `chat`, which fits two windows of 24 rows. */
const everydayFlags: readonly string[] = [
	...['model', 'system', 'file', 'image', 'template', 'continue', 'resume', 'interactive'],
	...['output', 'extract', 'jsonSchema', 'quiet', 'verbose'],
];

/**
 * @param verb whose help is asked for, if it is not that of the whole command
 * @param width of a line, in cells
 */
export function helpOf(command: Command, verb: Verb | undefined, width: number): string {
	const [name] = Object.entries(command.verbs).find(([, known]) => known === verb) ?? [];
	if (verb === undefined || name === undefined) {
		const {description, notes = [], examples = []} = command;
		const options = listAllFlags(command);
		return print(synopsesOf(command), description, examples, width, [
			['Commands:', listVerbs(command)],
			['Options:', [...options, helpItem]],
			...notes.map((note): Section => [note, []]),
		]);
	}
	const options = Object.values(rowsOf(command, verb)).flatMap(listFlags);
	const sentence = `${verb.summary.charAt(0).toUpperCase()}${verb.summary.slice(1)}.`;
	return print([usageOf(command, name, verb)], sentence, [], width, [
		['Options:', [...options, helpItem]],
	]);
}

/** Returns the help of `chat`, with the flags of every day. */
export function chatHelp(chat: Command, commands: CommandTable, width: number): string {
	const {description, examples = []} = chat;
	const options = everydayFlags.flatMap((name): readonly Item[] => {
		const row = chat.flags[name];
		return row === undefined ? [] : [[row.flags[0] ?? '', row.summary.replace('; repeatable', '')]];
	});
	return print(['chat [options] [prompt...] | <command>'], description, examples, width, [
		['Commands:', listCommands(commands)],
		['Options:', [...options, helpItem]],
		['All flags, variables and exit codes: chat help all', []],
	]);
}

/** Returns the help of `chat` in full. */
export async function fullHelp(
	chat: Command,
	commands: CommandTable,
	width: number,
): Promise<string> {
	const {description, notes = [], examples = []} = chat;
	const rows = Object.values(chat.flags);
	const groups = [...new Set(rows.map(({group}) => group))];
	const loaded = await Promise.all(Object.values(commands).map(({load}) => load()));
	const usages = ['chat [options] [prompt...]', ...loaded.flatMap(synopsesOf)];
	return print([...usages, 'chat help [command|all]'], description, examples, width, [
		['Commands:', listCommands(commands)],
		...groups.map((group): Section => {
			return [`${group}:`, rows.filter((row) => row.group === group).flatMap(listFlags)];
		}),
		['Options:', [['-V, --version', 'print the version'], helpItem]],
		...notes.map((note): Section => [note, []]),
		['Variables:', [...flagVariables, ...otherVariables]],
		['Exit codes:', exitCodeRows.map(({code, when}): Item => [code, when])],
	]);
}

const helpItem: Item = ['-h, --help', 'print this help'];

function listCommands(commands: CommandTable): readonly Item[] {
	const known = Object.entries(commands).map(([name, {summary}]): Item => [name, summary]);
	return [...known, ['help', 'print the help of a command: chat help config']];
}

export function listVerbs({verbs, bare}: Command): readonly Item[] {
	return Object.entries(verbs).map(([name, verb]): Item => {
		const term = [name, verb.args].filter(Boolean).join(' ');
		return [term, verb === bare ? `${verb.summary} (also without a command)` : verb.summary];
	});
}

/** Returns the flags of a command; before the meaning of those of some verbs, their names. */
function listAllFlags(command: Command): readonly Item[] {
	return Object.entries(rowsOf(command)).flatMap(([name, row]) => {
		if (command.flags[name] !== undefined) return listFlags(row);
		const meanings = new Map<string, readonly string[]>();
		for (const [word, {flags = {}}] of Object.entries(command.verbs)) {
			const [, meaning] = flags[name] === undefined ? [] : (listFlags(flags[name])[0] ?? []);
			if (meaning !== undefined) meanings.set(meaning, [...(meanings.get(meaning) ?? []), word]);
		}
		const all = [...meanings].map(([meaning, words]) => `${words.join(', ')}: ${meaning}`);
		return [[row.flags[0] ?? '', all.join('; ')] as const];
	});
}

/** Returns the flags of a row with what they do: of a switch, only one that needs words of its own. */
export function listFlags(row: OptionRow<unknown>): readonly Item[] {
	const flags = row.negatedSummary === undefined ? row.flags.slice(0, 1) : row.flags;
	return flags.map((flag, place) => [flag, meaningOf(row, place > 0)]);
}

/** Returns what a flag does, with its default; or, of one that turns a switch off, what that does. */
export function meaningOf(row: OptionRow<unknown>, isOff: boolean): string {
	if (isOff) return row.negatedSummary ?? '';
	const shown = row.defaultLabel ?? row.defaultValue;
	const hasDefault = typeof shown === 'string' || typeof shown === 'number';
	return hasDefault ? `${row.summary} (default: ${shown})` : row.summary;
}

/** A longer list is left to the help of the command. */
const maxListed = 6;

/** Returns how a command is written, for the help and the manual page. */
export function synopsesOf(command: Command): readonly string[] {
	const {name, bare, verbs} = command;
	const words = Object.keys(verbs);
	if (words.length === 0) return [`chat ${name} [options]`];
	const list = words.length > maxListed ? 'command' : words.join('|');
	const hasArguments = Object.values(verbs).some(({args}) => args !== '');
	const verb = bare === undefined && words.length <= maxListed ? list : `[${list}]`;
	return [`chat ${name} ${verb} [options]${hasArguments ? ' [argument...]' : ''}`];
}

/** A title with its items, or a paragraph. */
type Section = readonly [title: string, items: readonly Item[]];

function print(
	usages: readonly string[],
	description: string,
	examples: readonly string[],
	width: number,
	sections: readonly Section[],
): string {
	const layout = new Layout(width);
	const lines = usages.flatMap((usage, place) =>
		wrapLine(`${place === 0 ? 'Usage:' : '      '} ${usage}`, width, ' '.repeat(12)),
	);
	// Lines for a shell stay whole.
	const shown =
		examples.length === 0 ? [] : [['Examples:', ...examples.map((line) => `  ${line}`)]];
	return [
		lines,
		[layout.boxWrap(description, width)],
		...shown,
		...sections
			.filter(([title, items]) => items.length > 0 || !title.endsWith(':'))
			.map(([title, items]) => layout.section(title, items)),
	]
		.map((block) => `${block.join('\n')}\n`)
		.join('\n');
}

/** The meaning of a longer term begins below it. */
const maxTermWidth = 27;

class Layout extends Help {
	override minWidthToWrap = 20;

	constructor(width: number) {
		super();
		this.helpWidth = width;
	}

	section(title: string, items: readonly Item[]): readonly string[] {
		if (items.length === 0) return [this.boxWrap(title, this.helpWidth ?? 80)];
		const widths = items.map(([term]) => term.length).filter((length) => length <= maxTermWidth);
		const width = Math.max(0, ...widths);
		const format = ([term, meaning]: Item) =>
			this.formatItem(term, width, meaning.replaceAll('`', ''), this);
		return [title, ...items.map(format)];
	}

	override formatItem(term: string, width: number, meaning: string, helper: Help): string {
		const isNarrow = (this.helpWidth ?? 80) - width < 34;
		if (!isNarrow && term.length <= width) return super.formatItem(term, width, meaning, helper);
		const meaningRows = super.formatItem('', isNarrow ? 2 : width, meaning, helper);
		const rows = this.boxWrap(term, (this.helpWidth ?? 80) - 2).split('\n');
		return [...rows.map((text) => `  ${text}`), meaningRows].join('\n');
	}
}
