/** Prints the texts of `--help`, around the flags that commander prints. */
import {Command, type Help, Option} from 'commander';
import type {OptionRow} from '../../settings/options/option-row.ts';
import {type CommandName, rowsOfCommand} from './command-flags.ts';
import {helpTexts} from './help-texts.ts';

// Shell completion loads them from here: loaded by themselves, they would get a chunk of their own.
export {helpTexts};

const helpWidth = 100;

export function helpOf(name: CommandName): string {
	const {description, verbs = [], notes = [], examples = []} = helpTexts[name];
	const command = new Command('chat')
		.usage(usagesOf(name).join('\n       chat '))
		.description(description)
		.configureHelp({helpWidth})
		.helpOption('-h, --help', 'print this help');
	for (const row of Object.values(rowsOfCommand[name])) {
		// One sentence of the help says that every switch has its opposite.
		const flags = row.negatedSummary === undefined ? row.flags.slice(0, 1) : row.flags;
		for (const [index, flag] of flags.entries()) {
			command.addOption(new Option(flag, meaningOf(row, index > 0)).helpGroup(`${row.group}:`));
		}
	}
	if (name === 'chat') command.addOption(new Option('-V, --version', 'print the version'));
	const help = command.createHelp();
	help.prepareContext({helpWidth});
	const commands = verbs.map(({usage, summary}) => ({term: usage, meaning: summary}));
	const exitCodes = exitCodeRows.map(({code, when}) => ({
		term: code,
		meaning: when.replaceAll('`', ''),
	}));
	return [
		[command.helpInformation().trimEnd()],
		printList('Commands:', commands, help),
		...notes.map((note) => [help.boxWrap(note, helpWidth)]),
		printList(
			'Examples:',
			examples.map((term) => ({term, meaning: ''})),
			help,
		),
		name === 'chat' ? printList('Exit codes:', exitCodes, help) : [],
	]
		.filter((section) => section.length > 0)
		.map((section) => `${section.join('\n')}\n`)
		.join('\n');
}

/** Returns the synopsis of a command, without the name of the program; for `chat` those of all. */
export function usagesOf(name: CommandName): readonly string[] {
	const {usage} = helpTexts[name];
	if (name !== 'chat') return [`${name} ${usage}`];
	const names = Object.keys(helpTexts) as readonly CommandName[];
	const others = names.filter((other) => other !== 'chat').flatMap(usagesOf);
	return [usage, ...others, `help [${names.join('|')}]`];
}

type Item = {readonly term: string; readonly meaning: string};

function printList(title: string, items: readonly Item[], help: Help): readonly string[] {
	if (items.length === 0) return [];
	const width = Math.max(...items.map(({term}) => term.length));
	return [title, ...items.map(({term, meaning}) => help.formatItem(term, width, meaning, help))];
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
