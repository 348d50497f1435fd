/** The manual page, made of the tables of the program. */
import {nameOfChord, usageOf} from '../../repl/help-tables.ts';
import {allBindings} from '../../repl/key-bindings.ts';
import {slashCommands} from '../../repl/slash-commands.ts';
import type {OptionRow} from '../../settings/options/option-row.ts';
import {configKeyOf, rowOf, settingNames} from '../../settings/options/settings.ts';
import {type Command, rowsOf} from '../command-line/command.ts';
import {exitCodeRows} from '../command-line/exit-code-rows.ts';
import {type Item, listFlags, listVerbs, synopsesOf} from '../command-line/help.ts';
import {flagVariables, otherVariables} from '../command-line/variables.ts';
import {chat, commands} from '../commands.ts';
import {
	entry,
	example,
	type PageTitle,
	paragraph,
	section,
	subsection,
	synopsis,
	table,
	title,
} from './roff.ts';

const pageName = 'chat';

const files: readonly Item[] = [
	['~/.config/chat/config.json', 'settings and profiles (`chat config path`)'],
	[
		'~/.config/chat/credentials.json',
		'stored API keys (`chat auth`) and logins (`chat mcp login`)',
	],
	['~/.config/chat/templates/', 'prompt templates (`chat templates`)'],
	['~/.config/chat/trusted-templates.json', 'templates of others that may be used'],
	['~/.config/chat/mcp.json', 'MCP servers (`chat mcp`)'],
	['~/.config/chat/trusted-servers.json', 'files of MCP servers that may be used'],
	[
		'~/.local/state/chat/',
		'saved conversations (`chat sessions path`), the prompts of sessions, and what MCP servers offer',
	],
	['~/.cache/chat/', 'data about models, and compiled code of the program; may be deleted'],
];

/** Examples after those of the help. */
const otherTasks: ReadonlyArray<readonly [task: string, lines: readonly string[]]> = [
	['Connect a service', ['chat setup', 'chat --base-url ollama: -m qwen3 "What is a monad?"']],
	[
		'Give it files',
		[
			'chat -f src -f notes.txt:10-40 "explain this"',
			'chat -a report.pdf "summarise this"',
			'curl -s https://example.com/page.txt | chat "what is new?"',
		],
	],
	[
		'Use it in a script',
		[
			'chat -q "$question" > answer.txt || echo "not complete" >&2',
			'timeout 60 chat "one word, please"',
			'chat --dry-run "what is sent?" | jq .body',
		],
	],
	[
		'Go on with a conversation',
		['chat -c "and in French?"', 'chat sessions search pelican', 'chat -r k3f9 -i'],
	],
	[
		'Repeat a prompt',
		['chat --save-template review -s "Review this code." "Be brief."', 'git diff | chat -t review'],
	],
];

const documents: readonly Item[] = [
	['services.md', 'services, their names and keys'],
	['options.md, config.md', 'flags, variables and the config file'],
	['prompt.md, files.md', 'what a prompt is made of'],
	['output.md, exit-codes.md', 'output for people and programs'],
	['structured-output.md', 'JSON that matches a schema'],
	['sessions.md', 'saved conversations'],
	['templates.md', 'prompt templates'],
	['tools.md, mcp.md', 'tools and MCP servers'],
	['troubleshooting.md', 'when something fails'],
];

/** Returns the page in roff. */
export async function printManual({date, version}: Omit<PageTitle, 'name'>): Promise<string> {
	const {description, notes = [], examples = []} = chat;
	const loaded = await Promise.all(Object.values(commands).map(({load}) => load()));
	const tasks = [['Ask', examples] as const, ...otherTasks];
	return [
		title({name: pageName, date, version}),
		`.SH "NAME"\n${pageName} \\- chat with language models from the command line\n`,
		section(
			'Synopsis',
			synopsis([
				'chat [options] [prompt...]',
				...loaded.flatMap(synopsesOf),
				'chat help [command|all]',
			]),
		),
		section('Description', ...[description, ...notes].map(paragraph)),
		section('Options', ...printGroups()),
		section('Commands', ...loaded.map(printCommand)),
		section('In a session', ...printSession()),
		section('Keys of the config file', ...printKeys()),
		section('Environment', ...printVariables()),
		section(
			'Files',
			...files.map(printEntry),
			paragraph(
				'On macOS they are in `~/Library/Preferences/chat`, `~/Library/Application Support/chat` and `~/Library/Caches/chat`, on Windows in `%APPDATA%\\chat` and `%LOCALAPPDATA%\\chat`. Only their owner can read them.',
			),
		),
		section('Exit status', ...exitCodeRows.map(({code, when}) => entry(code, when))),
		section('Examples', ...tasks.map(([task, lines]) => subsection(task, example(lines)))),
		section(
			'See also',
			paragraph(
				'`chat help` and the name of a command prints its help, and a slash in a session lists what it can do. Longer documents are in the folder `docs` of the package; `chat doctor -v` prints where it is installed.',
			),
			table(documents),
		),
	].join('');
}

function printEntry([term, meaning]: Item): string {
	return entry(term, meaning);
}

function printGroups(): readonly string[] {
	const rows = Object.values(chat.flags);
	const groups = [...new Set(rows.map(({group}) => group))];
	return [
		...groups.map((group) =>
			subsection(
				group,
				...rows
					.filter((row) => row.group === group)
					.flatMap(listFlags)
					.map(printEntry),
			),
		),
		subsection(
			'Help',
			entry('-h, --help', 'print the help'),
			entry('-V, --version', 'print the version'),
		),
	];
}

function printCommand(command: Command): string {
	const {name, description, notes = [], examples = []} = command;
	const rows = Object.values(rowsOf(command));
	const isShared = (row: OptionRow<unknown>) => Object.values(chat.flags).includes(row);
	const shared = rows.filter(isShared).map(({flags: [flag = '']}) => `\`${longOf(flag)}\``);
	return subsection(
		`chat ${name}`,
		paragraph(description),
		...listVerbs(command).map(printEntry),
		...rows
			.filter((row) => !isShared(row))
			.flatMap(listFlags)
			.map(printEntry),
		shared.length === 0 ? '' : paragraph(`Options as above: ${shared.join(', ')}.`),
		...notes.map(paragraph),
		examples.length === 0 ? '' : example(examples),
	);
}

/** Returns the long form of a flag, without its value. */
function longOf(flag: string): string {
	return /--[\w-]+/.exec(flag)?.[0] ?? flag;
}

function printSession(): readonly string[] {
	return [
		paragraph('A line that begins with a slash is a command; a slash alone lists them.'),
		subsection(
			'Commands',
			table(slashCommands.map((command) => [usageOf(command), command.summary])),
		),
		subsection(
			'Keys',
			table(allBindings.map(({chords, summary}) => [chords.map(nameOfChord).join(', '), summary])),
		),
	];
}

function printKeys(): readonly string[] {
	const withoutFlag = settingNames.filter((name) => rowOf(name).flags.length === 0);
	return [
		paragraph(
			'An option with a variable has a key too: its long flag without the dashes. Beside these there are:',
		),
		...withoutFlag.map((name) => entry(configKeyOf(name) ?? name, rowOf(name).summary)),
	];
}

function printVariables(): readonly string[] {
	return [
		paragraph('A flag is stronger than a variable, and a variable than the config file.'),
		table(flagVariables),
		...otherVariables.map(printEntry),
	];
}
