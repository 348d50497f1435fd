/**
 * The blocks of the documents that are generated from the program's tables, and the commands of their
 * examples.
 */
import {exitCodeRows} from '../../src/cli/command-line/exit-code-rows.ts';
import {
	type HostedProvider,
	hostedProviders,
	type LocalProvider,
	localProviders,
} from '../../src/providers.ts';
import {slashCommands} from '../../src/repl/commands/slash-commands.ts';
import {documentRow, nameOfChord} from '../../src/repl/keys/help-tables.ts';
import {allBindings} from '../../src/repl/keys/key-bindings.ts';
import type {OptionRow} from '../../src/settings/options/option-row.ts';
import {anyLocal, builtIn} from '../../src/settings/options/parse-service.ts';
import {
	configKeyOf,
	rowOf,
	type SettingName,
	settingNames,
} from '../../src/settings/options/settings.ts';
import {runChat} from './run-chat.ts';

/** Generates each block; the names are those in the markers. */
export async function printBlocks(): Promise<ReadonlyMap<string, string>> {
	return new Map([
		['serve-help', fence((await runChat(['serve', '--help'])).stdout)],
		[
			'slash-commands',
			printTable(
				['Command', 'What it does'],
				slashCommands.map((command) => {
					const [usage, meaning] = documentRow(command);
					return [`\`${usage}\``, meaning];
				}),
			),
		],
		[
			'keys',
			printTable(
				['Key', 'What it does'],
				allBindings.map(({chords, summary}) => [
					chords.map((chord) => `\`${nameOfChord(chord)}\``).join(', '),
					summary,
				]),
			),
		],
		[
			'settings',
			printTable(
				['Flag', 'Key in the file', 'Variable', 'Default', 'Meaning'],
				settingNames.map(cellsOf),
			),
		],
		[
			'providers',
			printTable(
				['Service', 'Base URL', 'Key', 'Special'],
				[
					...localProviders.map(cellsOfLocal),
					['any of these', codeOf(anyLocal), '', 'the first one that answers'],
					...hostedProviders.map(cellsOfHosted),
					['the built-in service', codeOf(builtIn), 'none', 'no model, and no network'],
				],
			),
		],
		[
			'hosted',
			hostedProviders
				.flatMap(({name, title, keyPage}) =>
					name === undefined ? [] : `[${title}](${keyPage}) \`${name}:\``,
				)
				.join(', '),
		],
		[
			'exit-codes',
			printTable(
				['Code', 'When'],
				exitCodeRows.map(({code, when}) => [code, when]),
			),
		],
	]);
}

function fence(text: string): string {
	return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

function printTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const lines = [head, head.map(() => '---'), ...rows].map(
		(cells) => `| ${cells.map(escapeCell).join(' | ')} |`,
	);
	return lines.join('\n');
}

/** A bar ends a cell, even inside code. */
function escapeCell(cell: string): string {
	return cell.replaceAll('|', '\\|');
}

function cellsOf(name: SettingName): readonly string[] {
	const row = rowOf(name);
	const flags = row.flags.map((flag) => `\`${flag}\``).join(', ');
	const key = codeOf(configKeyOf(name));
	const variable = codeOf(row.variable);
	const off =
		row.negatedSummary === undefined ? '' : `; \`${row.flags[1]}\`: ${row.negatedSummary}`;
	return [flags, key, variable, defaultOf(row), `${codeFlags(row.summary)}${off}`];
}

function cellsOfHosted(provider: HostedProvider): readonly string[] {
	const {name, title, baseUrl, keyVariable, keyPage} = provider;
	const url = name === undefined ? codeOf(baseUrl) : `${codeOf(`${name}:`)} is ${codeOf(baseUrl)}`;
	return [title, url, `[a key](${keyPage}), \`${keyVariable}\``, noteOf(provider)];
}

function noteOf({note, model}: HostedProvider): string {
	const parts = [note ?? [], model === undefined ? [] : `without a model: ${codeOf(model)}`];
	return parts.flat().join('; ');
}

function cellsOfLocal({name, title, ports, variables = [], note}: LocalProvider) {
	const url = `\`${name}:\` is port ${ports.join(' or ')} of this machine`;
	const respected = variables.length === 0 ? [] : `respects ${variables.map(codeOf).join(' and ')}`;
	return [title, url, 'none', [respected, note ?? []].flat().join('; ')];
}

function codeOf(word: string | undefined): string {
	return word === undefined ? '' : `\`${word}\``;
}

/** Angle brackets outside of code would be HTML. */
function codeFlags(summary: string): string {
	return summary.replace(/\S*<\w+>\S*/g, '`$&`');
}

function defaultOf({defaultLabel, defaultValue, flags}: OptionRow<unknown>): string {
	const shown = defaultLabel ?? defaultValue;
	if (typeof shown === 'string' || typeof shown === 'number') return `\`${shown}\``;
	// A lone `--no-…` flag is off unless it is given.
	if (typeof shown === 'boolean') return shown && !isLoneNo(flags) ? 'on' : 'off';
	return '';
}

function isLoneNo(flags: readonly string[]): boolean {
	return flags.length === 1 && flags[0]?.startsWith('--no-') === true;
}

const blockPattern =
	/(<!-- generated: ([a-z-]+) -->)((?:(?!<!-- generated)[\s\S])*?)(<!-- end of generated -->)/g;

/** Reads the generated blocks of a document. */
export function readBlocks(document: string): ReadonlyMap<string, string> {
	const blocks = new Map<string, string>();
	for (const [, , name = '', text = ''] of document.matchAll(blockPattern)) {
		blocks.set(name, text.trim());
	}
	return blocks;
}

/** Replaces the blocks of a document; Markdown needs blank lines around each. */
export function replaceBlocks(document: string, blocks: ReadonlyMap<string, string>): string {
	return document.replace(
		blockPattern,
		(whole, start: string, name: string, _text: string, end: string) => {
			const block = blocks.get(name);
			return block === undefined ? whole : `${start}\n\n${block}\n\n${end}`;
		},
	);
}

/**
 * Returns the arguments of every `chat …` and `npx chat …` in the `sh` and `console` examples and in
 * the text. In a `console` example, commands follow a `$`.
 */
export function readExamples(document: string): ReadonlyArray<readonly string[]> {
	const fenced = [...document.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
	const prose = fenced.reduce((text, [whole]) => text.replace(whole, ''), document);
	const spans = [...prose.matchAll(/`([^`\n]+)`/g)]
		.map(([, span = '']) => span.replaceAll('\\|', '|'))
		.filter((span) => !span.startsWith('chat __complete'));
	const lines = fenced.flatMap(([, language = '', text = '']) =>
		(commandLines[language] ?? none)(text.replaceAll('\\\n', ' ').split('\n')),
	);
	return [...lines, ...spans].flatMap(splitCommands).flatMap(argumentsOfChat);
}

type PickLines = (lines: readonly string[]) => readonly string[];

const commandLines: Readonly<Record<string, PickLines>> = {
	// Quotes may span lines.
	sh: (lines) => [lines.join('\n')],
	console: (lines) => lines.flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : [])),
};

const none: PickLines = () => [];

/** Splits shell lines into commands of unquoted words, as far as the examples need it. */
function splitCommands(line: string): ReadonlyArray<readonly string[]> {
	const commands: string[][] = [[]];
	const pattern =
		/'([^']*)'|"([^"]*)"|(#.*)|(\|\||&&|[|;&()\n])|((?:\d?>{1,2}|<)\s*[^\s|;&]+)|[^\s|;&()'"<>]+/g;
	for (const [word, single, double, comment, separator, redirection] of line.matchAll(pattern)) {
		if (separator !== undefined) commands.push([]);
		else if (comment === undefined && redirection === undefined) {
			commands.at(-1)?.push(single ?? double ?? word);
		}
	}
	return commands;
}

/** Returns the arguments of `chat`, if the command runs it, after variables and `npx`. */
function argumentsOfChat(words: readonly string[]): ReadonlyArray<readonly string[]> {
	const start = words.findIndex((word) => !/^\w+=/.test(word) && word !== 'npx');
	return words[start] === 'chat' ? [words.slice(start + 1)] : [];
}
