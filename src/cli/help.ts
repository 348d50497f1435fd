/** The texts of `--help`, around the tables of flags. */
import {exitCodeRows} from '../exit-codes.ts';
import type {OptionRow} from '../settings/options/option-row.ts';
import {type CommandName, rowsOfCommand} from './command-flags.ts';

const width = 100;

type HelpText = {
	readonly usage: string;
	readonly description: string;
	/** Printed after the flags. */
	readonly more?: string;
};

const texts: Readonly<Record<CommandName, HelpText>> = {
	chat: {
		usage: `chat [options] [prompt...]
       chat serve [options]
       chat config get|set|unset|list|path|edit [key] [value]
       chat auth set|status|remove [options]
       chat help [chat|serve|config|auth]`,
		description:
			'Sends a prompt to a chat-completions service and prints the answer. In a terminal, chat without a prompt starts a session. Piped text goes before the prompt.',
		more: `--no- before the name of a switch turns it off, as in --no-usage. An empty value, as in
--temperature '', drops one that is stored. Most flags have a variable and a key in the config file,
as in CHAT_MODEL and chat config set model; CHAT_API_KEY holds the API key.

Examples:
  chat "What is a monad?"
  git diff | chat "review this"
  chat --image photo.png "what is this?"
  chat -x "a shell script that renames *.jpeg to *.jpg" > rename.sh
  chat -o json "three colours" | jq -r .content

Without a base URL the built-in service answers. Connect a real one:
  chat config set base-url https://api.example.com
  chat auth set`,
	},
	serve: {
		usage: 'chat serve [options]',
		description:
			'Runs the built-in service for other clients. It answers by rules; it has no model.',
	},
	config: {
		usage: 'chat config get|set|unset|list|path|edit [key] [value]',
		description: 'Shows and changes the settings in the config file.',
		more: `Commands:
  get <key>          print the value that a run would use
  set <key> <value>  store a value, for every run or for a profile
  unset <key>        remove a stored value
  list               print every setting, its value and its source
  path               print the path of the file
  edit               open the file in $VISUAL, $EDITOR or vi, then check it

A key is the long flag without its dashes: base-url, max-tokens.
API keys are stored elsewhere: chat auth set

Examples:
  chat config set base-url https://api.example.com
  chat config set --profile work model terra
  chat --profile work "What is a monad?"`,
	},
	auth: {
		usage: 'chat auth set|status|remove [options]',
		description: 'Stores the API keys of services, in a file that only you can read.',
		more: `Commands:
  set     ask for the key without showing it, or read it from a pipe, and store it
  status  print where the key comes from, and its last four characters
  remove  delete the stored key

The service is that of --base-url, or the one that a run would use. A stored key is sent only to
the origin it was stored for.

Examples:
  chat auth set --base-url https://api.example.com
  pass show example/api-key | chat auth set --base-url https://api.example.com`,
	},
};

export function helpOf(command: CommandName): string {
	const {usage, description, more = ''} = texts[command];
	const sections = [
		`Usage: ${usage}`,
		wrap(description, width).join('\n'),
		...flagSections(command),
		more,
		command === 'chat' ? `Exit codes:\n${formatRows(exitCodes())}` : '',
	];
	return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function exitCodes(): readonly Row[] {
	return exitCodeRows.map(({code, when}) => [code, when.replaceAll('`', '')]);
}

type Row = readonly [term: string, meaning: string];

function flagSections(command: CommandName): readonly string[] {
	const groups = new Map<string, Row[]>();
	const add = (group: string, row: Row) => groups.set(group, [...(groups.get(group) ?? []), row]);
	for (const row of Object.values(rowsOfCommand[command])) {
		// One sentence of the help says that every switch has its opposite.
		const flags = row.negatedSummary === undefined ? row.flags.slice(0, 1) : row.flags;
		for (const [index, flag] of flags.entries()) add(row.group, [flag, meaningOf(row, index > 0)]);
	}
	if (command === 'chat') add('Options', ['-V, --version', 'print the version']);
	add('Options', ['-h, --help', 'print this help']);
	const termWidth = longest([...groups.values()].flat());
	return [...groups].map(([group, rows]) => `${group}:\n${formatRows(rows, termWidth)}`);
}

function meaningOf(row: OptionRow<unknown>, isOff: boolean): string {
	if (isOff) return row.negatedSummary ?? '';
	const shown = row.defaultLabel ?? row.defaultValue;
	const hasDefault = typeof shown === 'string' || typeof shown === 'number';
	return hasDefault ? `${row.summary} (default: ${shown})` : row.summary;
}

function formatRows(rows: readonly Row[], termWidth = longest(rows)): string {
	const indent = ' '.repeat(termWidth + 4);
	return rows
		.map(([term, meaning]) => {
			const lines = wrap(meaning, width - indent.length);
			return `  ${term.padEnd(termWidth)}  ${lines.join(`\n${indent}`)}`;
		})
		.join('\n');
}

function longest(rows: readonly Row[]): number {
	return Math.max(...rows.map(([term]) => term.length));
}

function wrap(text: string, maxWidth: number): readonly string[] {
	return text.match(new RegExp(`\\S.{0,${maxWidth - 1}}(?=\\s|$)`, 'g')) ?? [];
}
