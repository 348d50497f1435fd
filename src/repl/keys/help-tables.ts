/** The tables for `/help` and `?`. */

import {type PlainEntry, type TableGroup, tableOf} from '../state.ts';
import {allBindings, type KeyHelp, keyBindings} from './key-bindings.ts';

/** `/help` headings, in order. */
const groupTitles = {
	conversation: 'Conversation',
	attach: 'Attach',
	show: 'Show and copy',
	settings: 'Settings',
	help: 'Help and exit',
} as const;

/** A command as shown in the help. */
export type CommandHelp = {
	readonly name: string;
	readonly group: keyof typeof groupTitles;
	/** The arguments. */
	readonly parameters?: string;
	readonly summary: string;
	/** Runs it without an argument. */
	readonly key?: string;
	/** Listed by `/help` without an argument. */
	readonly isBasic?: true;
};

export function tableOfCommands(commands: readonly CommandHelp[]): PlainEntry {
	return {
		type: 'table',
		groups: [...groupsOf(commands), {title: 'Templates and MCP servers', rows: callRows}],
	};
}

function groupsOf(commands: readonly CommandHelp[]) {
	return Object.entries(groupTitles).map(([group, title]) => {
		const rows = commands.filter((command) => command.group === group).map(commandRow);
		return {title, rows};
	});
}

const callRows = [
	['/name …', 'use the template of this name; / lists them'],
	['/server:name …', "use an MCP server's prompt; / lists them"],
] as const;

/** Returns the everyday commands, fitting a window of 24 rows. */
export function tableOfBasicCommands(commands: readonly CommandHelp[]): PlainEntry {
	return {type: 'table', groups: groupsOf(commands.filter(({isBasic}) => isBasic))};
}

export function commandRow(command: CommandHelp): TableGroup['rows'][number] {
	return [usageOf(command), command.summary, command.key];
}

export function documentRow(command: CommandHelp): readonly [string, string] {
	return [usageOf(command), withKey(command.summary, command.key)];
}

/** Returns a meaning with its key, for a screen or a document. */
export function withKey(meaning: string, key: string | undefined): string {
	return key === undefined ? meaning : `${meaning} (${key})`;
}

function usageOf({name, parameters}: CommandHelp): string {
	return `/${name}${parameters === undefined ? '' : ` ${parameters}`}`;
}

export function tableOfKeys(): PlainEntry {
	return tableOf(allBindings.map(keyRow));
}

/** Returns the keys, omitting cursor and deletion keys, which work as in a shell. */
export function tableOfBasicKeys(): PlainEntry {
	const rows = keyBindings
		.filter((binding) => 'isBasic' in binding)
		.map(({chords, summary}) => keyRow({chords: chords.slice(0, 2), summary}));
	return tableOf([...rows, ['/help keys', "all keys, including the editor's"]]);
}

export function keyRow({chords, summary}: KeyHelp): readonly [string, string] {
	return [chords.map(nameOfChord).join(', '), summary];
}

const keyNames: Readonly<Record<string, string>> = {
	escape: 'Esc',
	'page-up': 'PgUp',
	'page-down': 'PgDn',
};

/** Formats a chord for messages: `Ctrl-X Ctrl-E`. */
export function nameOfChord(chord: string): string {
	if (chord.length === 1) return chord;
	const nameKey = (key: string) => keyNames[key] ?? key.charAt(0).toUpperCase() + key.slice(1);
	const namePart = (part: string) => part.split('+').map(nameKey).join('-');
	return chord.split(' ').map(namePart).join(' ');
}
