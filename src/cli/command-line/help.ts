/** The texts of `--help`, around the flags that commander prints. */
import {Command, Option} from 'commander';
import type {OptionRow} from '../../settings/options/option-row.ts';
import {type CommandName, rowsOfCommand} from './command-flags.ts';

const helpWidth = 100;

type HelpText = {
	readonly usage: string;
	readonly description: string;
	/** Printed after the flags. */
	readonly more?: string;
};

const texts: Readonly<Record<CommandName, HelpText>> = {
	chat: {
		usage: `[options] [prompt...]
       chat serve [options]
       chat config get|set|unset|list|path|edit [key] [value]
       chat auth set|status|remove [options]
       chat setup [options]
       chat models [list|show|update] [options]
       chat sessions [command] [options] [id...]
       chat templates [command] [options] [name...]
       chat help [chat|serve|config|auth|setup|models|sessions|templates]`,
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

Without a base URL the built-in service answers. Connect a real one: chat setup`,
	},
	serve: {
		usage: '[options]',
		description:
			'Runs the built-in service for other clients. It answers by rules; it has no model.',
	},
	config: {
		usage: 'get|set|unset|list|path|edit [key] [value]',
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
		usage: 'set|status|remove [options]',
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
	setup: {
		usage: '[options]',
		description:
			'Connects a service: one that runs on this machine, a hosted one by its name, or any by its URL. Asks for the key without showing it, lists the models, and offers a test. Changes nothing before the end.',
		more: `With --profile the connection is stored in that profile. Without a terminal:
  chat config set base-url https://api.example.com
  chat auth set < key.txt`,
	},
	sessions: {
		usage: '[command] [options] [id...]',
		description: 'Finds, shows, exports, imports and deletes saved conversations.',
		more: `On a terminal, chat sessions without a command lets you choose one and continue it.

Commands:
  list                 print the conversations, the latest first (without a command: in a pipe)
  search <text...>     print those whose title, prompts and answers have all of these texts
  show <id>            print one as Markdown, up to where it continues
  export <id>          print one in full: as Markdown, JSON, HTML or messages of a request
  rename <id> <title>  change the title, which is the beginning of the first prompt
  path [id]            print the path of one, or of the folder of all
  import <file...>     save the conversations of a file, or of stdin (-): exports of ChatGPT and
                       Claude, chat completions, llm logs --json, ShareGPT
  delete <id...>       delete these, with their own attachments and prompt history
  prune                delete all conversations older than --older-than, after a question
  redact <id> [text]   mask a text in one, and in the prompt history; without the text, or with -,
                       it is asked for, or read from a pipe, and stays out of your shell history

An id may be shortened to 4 characters. In its place, the exact title does too.

Examples:
  chat sessions search pelican "good name" --since 2w
  chat -r k3f9 "and in French?"
  chat sessions list -o json | jq -r '.[].title'`,
	},
	templates: {
		usage: '[command] [options] [name...]',
		description: 'Lists, shows, edits, checks and imports prompt templates.',
		more: `Commands:
  list                    print the templates, with what each is for (also without a command)
  show <name>             print the file of one
  edit <name>             open one in $VISUAL, $EDITOR or vi, or a new one, then check it
  path [name]             print the path of one, or of your own folder
  check [name...]         report mistakes in these, or in all
  import <path> [name]    copy those of other programs from a file, a folder, or stdin (-)
  adopt                   use the folders of other programs where they are, after a question for each
  trust <folder|name>     use the templates of a folder of others, such as a repository, by name
                          (.agents/skills, .claude/commands, .claude/skills), or let one name files
                          outside of its folder; both until the templates change

A template is known by its name, or by the path of its file, which has a slash or ends in .md.

A prompt and its flags become a template with --save-template.

Examples:
  git diff | chat -t review security
  chat templates import ~/.claude/commands
  chat templates list -o json | jq -r '.[].name'`,
	},
	models: {
		usage: '[list|show|update] [options]',
		description: 'Lists the models of the service, with what is known of each.',
		more: `Commands:
  list          print the models that the service offers (also without a command)
  show <name>   print what is known of one model, with the source of each figure
  update [url]  fetch public data about models, with prices, from https://models.dev/api.json

Figures come from the service itself, then from the data of the last update, then from a small
table that comes with this program. Nothing is fetched but by these commands.

Examples:
  chat models
  chat models -o json | jq -r '.[].name'
  chat models show gpt-5`,
	},
};

export function helpOf(name: CommandName): string {
	const {usage, description, more} = texts[name];
	const command = new Command(name === 'chat' ? 'chat' : `chat ${name}`)
		.usage(usage)
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
	const sections = [more, name === 'chat' ? describeExitCodes(command) : undefined];
	return [command.helpInformation(), ...sections.flatMap((section) => section ?? [])]
		.map((section) => `${section.trimEnd()}\n`)
		.join('\n');
}

function meaningOf(row: OptionRow<unknown>, isOff: boolean): string {
	if (isOff) return row.negatedSummary ?? '';
	const shown = row.defaultLabel ?? row.defaultValue;
	const hasDefault = typeof shown === 'string' || typeof shown === 'number';
	return hasDefault ? `${row.summary} (default: ${shown})` : row.summary;
}

function describeExitCodes(command: Command): string {
	const help = command.createHelp();
	help.prepareContext({helpWidth});
	const codeWidth = Math.max(...exitCodeRows.map(({code}) => code.length));
	const rows = exitCodeRows.map(({code, when}) =>
		help.formatItem(code, codeWidth, when.replaceAll('`', ''), help),
	);
	return ['Exit codes:', ...rows].join('\n');
}

/** The exit codes as the README and `--help` print them, in order. */
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
	{code: '69', when: 'service unavailable: DNS, connection refused, TLS, 5xx after retries'},
	{code: '73', when: 'a file cannot be created'},
	{code: '74', when: 'output cannot be written'},
	{code: '75', when: 'try again later: 408, 409, 429, overloaded, timed out before any output'},
	{code: '76', when: 'protocol: the reply is not a chat completion, redirect refused'},
	{
		code: '77',
		when: 'no access: 401, 403, 402, no quota left, empty key source, a tool denied without a terminal',
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
