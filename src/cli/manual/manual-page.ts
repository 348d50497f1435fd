/** The manual page, made of the tables of the program. */

import {hostedProviders} from '../../providers.ts';
import {nameOfChord, usageOf} from '../../repl/help-tables.ts';
import {allBindings} from '../../repl/key-bindings.ts';
import {slashCommands} from '../../repl/slash-commands.ts';
import type {OptionRow} from '../../settings/options/option-row.ts';
import {configKeyOf, rowOf, settingNames} from '../../settings/options/settings.ts';
import {type CommandName, rowsOfCommand} from '../command-line/command-flags.ts';
import {exitCodeRows, meaningOf, usagesOf} from '../command-line/help.ts';
import {helpTexts} from '../command-line/help-texts.ts';
import {
	entry,
	example,
	type PageTitle,
	paragraph,
	section,
	subsection,
	synopsis,
	title,
} from './roff.ts';

const pageName = 'chat';

type Entry = readonly [string, string];

/** The variables that no option has. */
const otherVariables: readonly Entry[] = [
	['CHAT_API_KEY', 'the API key, for the base URL of CHAT_BASE_URL if that is set'],
	[
		'OPENAI_BASE_URL, OPENAI_API_KEY',
		'base URL and key, as a pair, if neither CHAT_BASE_URL nor CHAT_API_KEY is set',
	],
	[
		[...new Set(hostedProviders.map(({keyVariable}) => keyVariable))].join(', '),
		'the key of the service with that name, for a base URL such as `openai:`',
	],
	['VISUAL, EDITOR', 'the editor for Ctrl-X Ctrl-E and for the commands that edit a file'],
	[
		'NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, FORCE_HYPERLINK',
		'colours and links, as in other programs',
	],
	['ACCESSIBLE, INK_SCREEN_READER', 'plain lines, as with `--plain`'],
	['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY', 'proxies, also in lower case'],
	['NODE_EXTRA_CA_CERTS', 'PEM file of additional certificates to trust'],
	[
		'XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME',
		'folders of the files below, as absolute paths',
	],
];

const files: readonly Entry[] = [
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

/** Returns the page in roff. */
export function printManual({date, version}: Omit<PageTitle, 'name'>): string {
	const {description, notes = [], examples = []} = helpTexts.chat;
	return [
		title({name: pageName, date, version}),
		`.SH "NAME"\n${pageName} \\- chat with language models from the command line\n`,
		section('Synopsis', synopsis(usagesOf('chat').map((usage) => `chat ${usage}`))),
		section('Description', ...[description, ...notes].map(paragraph)),
		section('Options', ...printGroups()),
		section('Commands', ...commandNames.map(printCommand)),
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
		section('Examples', example(examples)),
		section(
			'See also',
			paragraph(
				'The folder of the package has longer documents, which README.md lists. `npm root -g` prints where packages are.',
			),
		),
	].join('');
}

const commandNames = (Object.keys(helpTexts) as readonly CommandName[]).filter(
	(name) => name !== 'chat',
);

function printEntry([term, meaning]: Entry): string {
	return entry(term, meaning);
}

function printGroups(): readonly string[] {
	const rows = Object.values(rowsOfCommand.chat);
	const groups = [...new Set(rows.map(({group}) => group))];
	return [
		...groups.map((group) =>
			subsection(group, ...rows.filter((row) => row.group === group).flatMap(printFlags)),
		),
		subsection(
			'Help',
			entry('-h, --help', 'print the help'),
			entry('-V, --version', 'print the version'),
		),
	];
}

function printFlags(row: OptionRow<unknown>): readonly string[] {
	const flags = row.negatedSummary === undefined ? row.flags.slice(0, 1) : row.flags;
	return flags.map((flag, index) => entry(flag, meaningOf(row, index > 0)));
}

function printCommand(name: CommandName): string {
	const {description, verbs = [], notes = [], examples = []} = helpTexts[name];
	const rows = Object.values(rowsOfCommand[name]);
	const isShared = (row: OptionRow<unknown>) => Object.values(rowsOfCommand.chat).includes(row);
	const shared = rows.filter(isShared).map(({flags: [flag = '']}) => `\`${longOf(flag)}\``);
	return subsection(
		`chat ${name}`,
		paragraph(description),
		...verbs.map(({usage, summary}) => entry(usage, summary)),
		...rows.filter((row) => !isShared(row)).flatMap(printFlags),
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
			...slashCommands.map((command) => entry(usageOf(command), command.summary)),
		),
		subsection(
			'Keys',
			...allBindings.map(({chords, summary}) => entry(chords.map(nameOfChord).join(', '), summary)),
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
	const rows = settingNames.map(rowOf).filter(({variable}) => variable !== undefined);
	return [
		paragraph('A flag is stronger than a variable, and a variable than the config file.'),
		...rows.map(({variable = '', summary}) => entry(variable, summary)),
		...otherVariables.map(printEntry),
	];
}
