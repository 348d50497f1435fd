/** Finds the word that can be completed. */
import {lineAt} from '../editor/buffer.ts';
import {findCommandIn} from '../run-command.ts';
import {slashCommands} from '../slash-commands.ts';
import type {ReplState} from '../state.ts';
import {completeCall} from './complete-call.ts';
import {completePath, type MenuPlace, type MenuValue} from './menu.ts';

/** Our commands, as the menu lists them. */
export const menuCommands: readonly MenuValue[] = slashCommands.map(
	({name, parameters, summary}) => {
		const text = parameters === undefined ? `/${name}` : `/${name} `;
		return {text, label: `/${name}`, meaning: summary};
	},
);

/** @param isTab whether any other word is completed as a path, and a server may be asked */
export function findPlace(state: ReplState, isTab: boolean): MenuPlace | undefined {
	const {lines, cursor} = state.editor.buffer;
	const text = lineAt(state.editor.buffer, cursor.line).slice(0, cursor.column);
	// With more lines it is a prompt.
	const isCommand = text.startsWith('/') && lines.length === 1;
	const place = isCommand ? findInCommand(text, state, isTab) : findMention(text);
	return place ?? (isTab ? findPath(text) : undefined);
}

function findInCommand(text: string, state: ReplState, isTab: boolean): MenuPlace | undefined {
	if (/^\/[\w-]*(?::[\p{L}\p{N}_.+:-]*)?$/u.test(text)) {
		const query = text === '/' ? '' : text;
		const more = {type: 'templates'} as const;
		return {kind: 'command', start: 0, query, values: menuCommands, more};
	}
	const found = findCommandIn(text);
	const completion =
		found === undefined
			? completeCall(text, state, isTab)
			: found.command.complete?.(found.argument, state);
	if (completion === undefined) return found === undefined ? findMention(text) : undefined;
	return {kind: 'argument', start: text.length - completion.query.length, ...completion};
}

function findPath(text: string): MenuPlace {
	const completion = completePath(/\S*$/.exec(text)?.[0] ?? '');
	return {kind: 'file', start: text.length - completion.query.length, ...completion};
}

/** A file whose name follows an at sign; one with blanks is quoted. */
function findMention(text: string): MenuPlace | undefined {
	const [, name] = /(?:^|\s)@("[^"]*|[^\s"]*)$/.exec(text) ?? [];
	if (name === undefined) return undefined;
	const query = name.replace(/^"/, '');
	return {kind: 'file', start: text.length - name.length, query, values: {type: 'files'}};
}
