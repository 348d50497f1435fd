/** Prints the texts of `--help`. */
import type {OptionRow} from '../../settings/options/option-row.ts';
import {wrapLine} from '../../wording.ts';
import {type CommandName, rowsOfCommand} from './command-flags.ts';
import {helpTexts} from './help-texts.ts';
import {flagVariables, otherVariables} from './variables.ts';

// Shell completion loads them from here: loaded by themselves, they would get a chunk of their own.
export {helpTexts};

/** The flags in the help of `chat`, which fits two windows of 24 rows. */
const everydayFlags: readonly string[] = [
	...['model', 'system', 'file', 'image', 'template', 'continue', 'resume', 'interactive'],
	...['output', 'extract', 'jsonSchema', 'quiet', 'verbose'],
];

/** @param width of a line, in cells */
export function helpOf(name: CommandName, width: number): string {
	const {description, verbs = [], notes = [], examples = []} = helpTexts[name];
	const rows = Object.values(rowsOfCommand[name]);
	const commands = verbs.map(({usage, summary}): Item => [usage, summary]);
	const sections =
		name === 'chat'
			? [
					printList('Commands:', listCommands(), width),
					printList('Options:', [...listEveryday(), helpItem], width),
					['All flags, variables and exit codes: chat help all'],
				]
			: [
					printList('Commands:', commands, width),
					printList('Options:', [...rows.flatMap(listFlags), helpItem], width),
					...notes.map((note) => wrapLine(note, width, '')),
				];
	const usage = name === 'chat' ? '[options] [prompt...] | <command>' : usagesOf(name).join('');
	return joinSections([
		printUsage(usage, 'Usage:', width),
		wrapLine(description, width, ''),
		printExamples(examples),
		...sections,
	]);
}

/** Returns the help of `chat` in full. */
export function fullHelp(width: number): string {
	const {description, notes = [], examples = []} = helpTexts.chat;
	const rows = Object.values(rowsOfCommand.chat);
	const groups = [...new Set(rows.map(({group}) => group))];
	const exitCodes = exitCodeRows.map(({code, when}): Item => [code, when]);
	return joinSections([
		usagesOf('chat').flatMap((usage, place) =>
			printUsage(usage, place === 0 ? 'Usage:' : '      ', width),
		),
		wrapLine(description, width, ''),
		printExamples(examples),
		printList('Commands:', listCommands(), width),
		...groups.map((group) => {
			const items = rows.filter((row) => row.group === group).flatMap(listFlags);
			return printList(`${group}:`, items, width);
		}),
		printList('Options:', [['-V, --version', 'print the version'], helpItem], width),
		...notes.map((note) => wrapLine(note, width, '')),
		printList('Variables:', [...flagVariables, ...otherVariables], width),
		printList('Exit codes:', exitCodes, width),
	]);
}

export type Item = readonly [term: string, meaning: string];

const helpItem: Item = ['-h, --help', 'print this help'];

function listCommands(): readonly Item[] {
	const all = Object.entries(helpTexts).map(([name, {summary}]): Item => [name, summary]);
	const others = all.filter(([name]) => name !== 'chat');
	return [...others, ['help', 'print the help of a command: chat help config']];
}

function listEveryday(): readonly Item[] {
	const rows = Object.entries(rowsOfCommand.chat);
	return everydayFlags.flatMap((name) =>
		rows
			.filter(([known]) => known === name)
			.map(([, {flags, summary}]): Item => [flags[0] ?? '', summary.replace('; repeatable', '')]),
	);
}

/** Returns the flags of a row with what they do: of a switch, only one that needs words of its own. */
export function listFlags(row: OptionRow<unknown>): readonly Item[] {
	const flags = row.negatedSummary === undefined ? row.flags.slice(0, 1) : row.flags;
	return flags.map((flag, place) => [flag, meaningOf(row, place > 0)]);
}

/** Returns the synopsis of a command, without the name of the program; for `chat` those of all. */
export function usagesOf(name: CommandName): readonly string[] {
	const {usage} = helpTexts[name];
	if (name !== 'chat') return [`${name} ${usage}`];
	const names = Object.keys(helpTexts) as readonly CommandName[];
	const others = names.filter((other) => other !== 'chat').flatMap(usagesOf);
	return [usage, ...others, 'help [command|all]'];
}

type Section = readonly string[];

function joinSections(sections: readonly Section[]): string {
	return sections
		.filter((lines) => lines.length > 0)
		.map((lines) => `${lines.join('\n')}\n`)
		.join('\n');
}

function printUsage(usage: string, heading: string, width: number): Section {
	return wrapLine(`${heading} chat ${usage}`, width, ' '.repeat(12));
}

/** Lines for a shell stay whole. */
function printExamples(lines: readonly string[]): Section {
	return lines.length === 0 ? [] : ['Examples:', ...lines.map((line) => `  ${line}`)];
}

/** The meaning of a longer term begins below it. */
const maxTermWidth = 27;
const minMeaningWidth = 30;

function printList(title: string, items: readonly Item[], width: number): Section {
	if (items.length === 0) return [];
	const lengths = items.map(([term]) => term.length).filter((length) => length <= maxTermWidth);
	const column = Math.max(0, ...lengths) + 4;
	// A narrow window gets every meaning below its term.
	const isBeside = width - column >= minMeaningWidth;
	const indent = ' '.repeat(isBeside ? column : 6);
	const printItem = ([term, meaning]: Item): readonly string[] => {
		const rows = wrapLine(indent + meaning.replaceAll('`', ''), width, indent);
		if (!isBeside || term.length > maxTermWidth)
			return [...wrapLine(`  ${term}`, width, '  '), ...rows];
		return [`  ${term}`.padEnd(column) + rows[0]?.slice(column), ...rows.slice(1)];
	};
	return [title, ...items.flatMap(printItem)];
}

/** Returns what a flag does, with its default; or, of one that turns a switch off, what that does. */
export function meaningOf(row: OptionRow<unknown>, isOff: boolean): string {
	if (isOff) return row.negatedSummary ?? '';
	const shown = row.defaultLabel ?? row.defaultValue;
	const hasDefault = typeof shown === 'string' || typeof shown === 'number';
	return hasDefault ? `${row.summary} (default: ${shown})` : row.summary;
}

/** The exit codes as `docs/exit-codes.md` and `--help` print them, in order. */
export const exitCodeRows: ReadonlyArray<{readonly code: string; readonly when: string}> = [
	{code: '0', when: 'complete answer; help'},
	{
		code: '1',
		when: 'a bug in `chat` (`-v` shows the stack); nothing found by `config get`, `auth status`, `sessions search` or `sessions redact`',
	},
	{code: '64', when: 'usage: unknown flag, value out of range, no prompt'},
	{
		code: '65',
		when: 'bad data: a broken image, an invalid schema, a request that the service rejects (400, 404, 413, 422), an answer without the requested JSON or code',
	},
	{code: '66', when: 'an input file is missing or not readable'},
	{
		code: '69',
		when: 'service unavailable: DNS, connection refused, TLS, 5xx after retries; an MCP server that cannot be started or reached',
	},
	{code: '73', when: 'a file cannot be created'},
	{code: '74', when: 'output cannot be written'},
	{code: '75', when: 'try again later: 408, 409, 429, overloaded, timed out before any output'},
	{code: '76', when: 'protocol: the reply is not a chat completion, redirect refused'},
	{
		code: '77',
		when: 'no access: 401, 403, 402, no quota left, empty key source, a tool denied without a terminal, an MCP server that nobody has agreed to',
	},
	{code: '78', when: 'invalid configuration'},
	{
		code: '79',
		when: 'the answer is incomplete: a refusal, a failure after the first output, `length`, content filter, too many tool calls (the text is still printed, the reason is on stderr)',
	},
	{
		code: '129, 130, 143',
		when: 'hangup, interrupted, terminated: the process dies by the signal itself',
	},
	{code: '141', when: 'the reader of stdout is gone'},
];
