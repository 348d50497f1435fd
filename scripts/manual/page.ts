/** The manual page, made from the command values. */
import {type Command, rowsOf} from '../../src/cli/command-line/command.ts';
import {exitCodeRows} from '../../src/cli/command-line/exit-code-rows.ts';
import {type Item, listFlags, listVerbs, synopsisOf} from '../../src/cli/command-line/help.ts';
import {flagVariables, otherVariables} from '../../src/cli/command-line/variables.ts';
import {chat, commands} from '../../src/cli/commands.ts';
import {slashCommands} from '../../src/repl/commands/slash-commands.ts';
import {documentRow, keyRow} from '../../src/repl/keys/help-tables.ts';
import {allBindings} from '../../src/repl/keys/key-bindings.ts';
import {longFlagOf} from '../../src/settings/options/option-row.ts';
import {configKeyOf, rowOf, settingNames} from '../../src/settings/options/settings.ts';
import {
	entries,
	example,
	type PageTitle,
	paragraph,
	section,
	subsection,
	synopsis,
	table,
	title,
} from './roff.ts';

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
const otherTasks: Readonly<Record<string, readonly string[]>> = {
	'Connect a service': ['chat setup', 'chat --base-url ollama: -m qwen3 "What is a monad?"'],
	'Give it files': [
		'chat -f src -f notes.txt:10-40 "explain this"',
		'chat -a report.pdf "summarise this"',
		'curl -s https://example.com/page.txt | chat "what is new?"',
	],
	'Use it in a script': [
		'chat -q "$question" > answer.txt || echo "not complete" >&2',
		'timeout 60 chat "one word, please"',
		'chat --dry-run "what is sent?" | jq .body',
	],
	'Go on with a conversation': [
		'chat -c "and in French?"',
		'chat sessions search pelican',
		'chat -r k3f9 -i',
	],
	'Repeat a prompt': [
		'chat --save-template review -s "Review this code." "Be brief."',
		'git diff | chat -t review',
	],
};

const documents: readonly Item[] = [
	['services.md', 'services, their names and keys'],
	['options.md, config.md', 'flags, variables and the config file'],
	['prompt.md', 'prompts and files'],
	['output.md, exit-codes.md', 'output for people and programs'],
	['sessions.md', 'saved conversations'],
	['templates.md', 'prompt templates'],
	['tools.md, mcp.md', 'tools and MCP servers'],
	['troubleshooting.md', 'when something fails'],
];

/** Returns the page in roff. */
export async function printManual(release: PageTitle): Promise<string> {
	const {description, notes = [], examples = []} = chat;
	const loaded = await Promise.all(Object.values(commands).map(({load}) => load()));
	const usages = [
		'chat [options] [prompt...]',
		...loaded.map(synopsisOf),
		'chat help [command|all]',
	];
	const keysAlone = settingNames.filter((name) => rowOf(name).flags.length === 0);
	return [
		title(release),
		'.SH "NAME"\nchat \\- chat with language models from the command line\n',
		section('Synopsis', synopsis(usages)),
		section('Description', ...[description, ...notes].map(paragraph)),
		section('Options', ...printGroups()),
		section('Commands', ...loaded.map(printCommand)),
		section(
			'In a session',
			paragraph('A line that begins with a slash is a command; a slash alone lists them.'),
			subsection('Commands', table(slashCommands.map(documentRow))),
			subsection('Keys', table(allBindings.map(keyRow))),
		),
		section(
			'Keys of the config file',
			paragraph(
				'An option with a variable has a key too: its long flag without the dashes. Beside these there are:',
			),
			entries(keysAlone.map((name) => [configKeyOf(name) ?? name, rowOf(name).summary])),
		),
		section(
			'Environment',
			paragraph('A flag is stronger than a variable, and a variable than the config file.'),
			table(flagVariables),
			entries(otherVariables),
		),
		section(
			'Files',
			entries(files),
			paragraph(
				'On macOS they are in `~/Library/Preferences/chat`, `~/Library/Application Support/chat` and `~/Library/Caches/chat`, on Windows in `%APPDATA%\\chat` and `%LOCALAPPDATA%\\chat`. Only their owner can read them.',
			),
		),
		section('Exit status', entries(exitCodeRows.map(({code, when}) => [code, when]))),
		section(
			'Examples',
			...Object.entries({Ask: examples, ...otherTasks}).map(([task, lines]) =>
				subsection(task, example(lines)),
			),
		),
		section(
			'See also',
			paragraph(
				'`chat help` and the name of a command prints its help, and a slash in a session lists what it can do. Longer documents are in the folder `docs` of the package; `chat doctor -v` prints where it is installed.',
			),
			table(documents),
		),
	].join('');
}

function printGroups(): readonly string[] {
	const rows = Object.values(chat.flags);
	const groups = [...new Set(rows.map(({group}) => group))];
	const own: readonly Item[] = [
		['-h, --help', 'print the help'],
		['-V, --version', 'print the version'],
	];
	return [
		...groups.map((group) => {
			const members = rows.filter((row) => row.group === group);
			return subsection(group, entries(members.flatMap(listFlags)));
		}),
		subsection('Help', entries(own)),
	];
}

function printCommand(command: Command): string {
	const {name, description, notes = [], examples = []} = command;
	const rows = Object.values(rowsOf(command));
	const known = new Set(Object.values(chat.flags));
	const shared = rows.filter((row) => known.has(row)).map((row) => `\`${longFlagOf(row)}\``);
	return subsection(
		`chat ${name}`,
		paragraph(description),
		entries(listVerbs(command)),
		entries(rows.filter((row) => !known.has(row)).flatMap(listFlags)),
		shared.length === 0 ? '' : paragraph(`Options as above: ${shared.join(', ')}.`),
		...notes.map(paragraph),
		examples.length === 0 ? '' : example(examples),
	);
}
