/** Prints `--help` texts, derived from the command values. */
import type {OptionRow} from '../../settings/options/option-row.ts';
import {wrapLine} from '../../wording.ts';
import {type Command, type CommandSet, type CommandTable, rowsOf, usageOf} from './command.ts';
import {exitCodeRows} from './exit-code-rows.ts';
import type {CommandLine} from './parse-argv.ts';
import {flagVariables, otherVariables} from './variables.ts';

export type Item = readonly [term: string, meaning: string];

/** A title with its items, or a paragraph. */
type Section = readonly [title: string, items: readonly Item[]];

type Page = Pick<Command, 'description' | 'examples'> & {
	readonly usages: readonly string[];
	readonly sections: readonly Section[];
};

/** The flags in the help of `chat`, sized for two windows of 24 rows. */
const everydayFlags: readonly string[] = [
	...['model', 'system', 'file', 'image', 'template', 'continue', 'resume', 'interactive'],
	...['output', 'extract', 'jsonSchema', 'quiet', 'verbose'],
];

/** @param width in cells */
export async function printHelp(
	{command, verbName, instead}: Pick<CommandLine, 'command' | 'verbName' | 'instead'>,
	{chat, commands}: CommandSet,
	width: number,
): Promise<string> {
	if (instead === 'full-help') return layOut(await describeAll(chat, commands), width);
	if (command === chat) return layOut(describeChat(chat, commands), width);
	const page = verbName === undefined ? describeCommand(command) : describeVerb(command, verbName);
	return layOut(page, width);
}

/** Describes the everyday flags. */
function describeChat(chat: Command, commands: CommandTable): Page {
	const options = everydayFlags.flatMap((name): readonly Item[] => {
		const row = chat.flags[name];
		return row === undefined ? [] : [[row.flags[0] ?? '', row.summary.replace('; repeatable', '')]];
	});
	return {
		...chat,
		usages: ['chat [options] [prompt...] | <command>'],
		sections: [
			['Commands:', listCommands(commands)],
			['Options:', [...options, helpItem]],
			['All flags, variables and exit codes: chat help all', []],
		],
	};
}

async function describeAll(chat: Command, commands: CommandTable): Promise<Page> {
	const {notes = []} = chat;
	const rows = Object.values(chat.flags);
	const groups = [...new Set(rows.map(({group}) => group))];
	const loaded = await Promise.all(Object.values(commands).map(({load}) => load()));
	const synopses = loaded.map(synopsisOf);
	return {
		...chat,
		usages: ['chat [options] [prompt...]', ...synopses, 'chat help [command|all]'],
		sections: [
			['Commands:', listCommands(commands)],
			...groups.map((group): Section => {
				return [`${group}:`, rows.filter((row) => row.group === group).flatMap(listFlags)];
			}),
			['Options:', [['-V, --version', 'print the version'], helpItem]],
			...notes.map((note): Section => [note, []]),
			['Variables:', [...flagVariables, ...otherVariables]],
			['Exit codes:', exitCodeRows.map(({code, when}): Item => [code, when])],
		],
	};
}

function describeCommand(command: Command): Page {
	const {notes = []} = command;
	return {
		...command,
		usages: [synopsisOf(command)],
		sections: [
			['Commands:', listVerbs(command)],
			['Options:', [...listAllFlags(command), helpItem]],
			...notes.map((note): Section => [note, []]),
		],
	};
}

function describeVerb(command: Command, name: string): Page {
	const verb = command.verbs[name];
	const summary = verb?.summary ?? '';
	const options = Object.values(rowsOf(command, verb)).flatMap(listFlags);
	return {
		usages: verb === undefined ? [] : [usageOf(command, name, verb)],
		description: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
		sections: [['Options:', [...options, helpItem]]],
	};
}

const helpItem: Item = ['-h, --help', 'print this help'];

function listCommands(commands: CommandTable): readonly Item[] {
	const known = Object.entries(commands).map(([name, {summary}]): Item => [name, summary]);
	return [...known, ['help', "print a command's help: chat help config"]];
}

export function listVerbs({verbs, bare}: Command): readonly Item[] {
	return Object.entries(verbs).map(([name, verb]): Item => {
		const term = [name, verb.args].filter(Boolean).join(' ');
		return [term, verb === bare ? `${verb.summary} (also without a command)` : verb.summary];
	});
}

/** Returns a command's flags; verb names precede meanings limited to some verbs. */
function listAllFlags(command: Command): readonly Item[] {
	return Object.entries(rowsOf(command)).flatMap(([name, row]) => {
		if (command.flags[name] !== undefined) return listFlags(row);
		const verbsOf = new Map<string, readonly string[]>();
		for (const [verb, {flags = {}}] of Object.entries(command.verbs)) {
			const meaning = flags[name] && meaningOf(flags[name], false);
			if (meaning !== undefined) verbsOf.set(meaning, [...(verbsOf.get(meaning) ?? []), verb]);
		}
		const meanings = [...verbsOf].map(([meaning, verbs]) => `${verbs.join(', ')}: ${meaning}`);
		return [[row.flags[0] ?? '', meanings.join('; ')] as const];
	});
}

/** Returns a row's flags and their meanings; switches only if they need words of their own. */
export function listFlags(row: OptionRow<unknown>): readonly Item[] {
	const flags = row.negatedSummary === undefined ? row.flags.slice(0, 1) : row.flags;
	return flags.map((flag, place) => [flag, meaningOf(row, place > 0)]);
}

/** Returns a flag's meaning and default; for a switch turned off, the opposite. */
export function meaningOf(row: OptionRow<unknown>, isOff: boolean): string {
	if (isOff) return row.negatedSummary ?? '';
	const shown = row.defaultLabel ?? row.defaultValue;
	const hasDefault = typeof shown === 'string' || typeof shown === 'number';
	return hasDefault ? `${row.summary} (default: ${shown})` : row.summary;
}

/** The command's own help prints longer lists. */
const maxListed = 6;

/** Returns how a command is written, for the help and the manual page. */
export function synopsisOf({name, bare, verbs}: Command): string {
	const words = Object.keys(verbs);
	if (words.length === 0) return ['chat', name, '[options]', bare?.args].filter(Boolean).join(' ');
	const list = words.length > maxListed ? 'command' : words.join('|');
	const hasArguments = Object.values(verbs).some(({args}) => args !== '');
	const verb = bare === undefined && words.length <= maxListed ? list : `[${list}]`;
	return `chat ${name} ${verb} [options]${hasArguments ? ' [argument...]' : ''}`;
}

function layOut({usages, description, examples = [], sections}: Page, width: number): string {
	const usageLines = usages.flatMap((usage, place) =>
		wrapLine(`${place === 0 ? 'Usage:' : '      '} ${usage}`, width, ' '.repeat(12)),
	);
	// Lines for a shell stay whole.
	const exampleLines =
		examples.length === 0 ? [] : ['Examples:', ...examples.map((line) => `  ${line}`)];
	const blocks = sections.map(([title, items]) => {
		if (items.length > 0) return [title, ...layOutItems(items, width)];
		return title.endsWith(':') ? [] : wrapLine(title, width, '');
	});
	return [usageLines, wrapLine(description, width, ''), exampleLines, ...blocks]
		.filter(({length}) => length > 0)
		.map((lines) => `${lines.join('\n')}\n`)
		.join('\n');
}

/** Longer terms get their meaning on the next line. */
const maxTermWidth = 27;

/** In less space, all meanings begin below their terms. */
const minMeaningWidth = 30;

function layOutItems(items: readonly Item[], width: number): readonly string[] {
	const widths = items.map(([term]) => term.length).filter((length) => length <= maxTermWidth);
	const column = Math.max(0, ...widths) + 4;
	const isNarrow = width - column < minMeaningWidth;
	const indent = ' '.repeat(isNarrow ? 6 : column);
	return items.flatMap(([term, meaning]) => {
		const plain = meaning.replaceAll('`', '');
		const rows = wrapLine(plain, width - indent.length, '').map((row) => indent + row);
		const [first = '', ...rest] = rows;
		const isBeside = !isNarrow && term.length + 4 <= column;
		return isBeside
			? [`  ${term}`.padEnd(column) + first.trimStart(), ...rest]
			: [...wrapLine(term, width - 2, '').map((row) => `  ${row}`), ...rows];
	});
}
