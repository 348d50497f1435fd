/** Finds the word that can be completed. */

import {findCommandIn, slashCommands} from '../commands/slash-commands.ts';
import {lineAt} from '../editor/buffer.ts';
import {atSign, showSigns, slashSign} from '../editor/signs.ts';
import {meaningOf} from '../keys/help-tables.ts';
import type {ReplState} from '../state.ts';
import {completeCall} from './complete-call.ts';
import {completePath, type MenuPlace, type MenuValue} from './menu.ts';

/** The slash commands as rows of the menu. */
export const menuCommands: readonly MenuValue[] = slashCommands.map(
	({name, parameters, summary, key}) => {
		const text = parameters === undefined ? `/${name}` : `/${name} `;
		return {text, label: `/${name}`, meaning: meaningOf(summary, key)};
	},
);

/** @param isTab whether any other word is completed as a path, and a server may be asked */
export function findMenuPlace(state: ReplState, isTab: boolean): MenuPlace | undefined {
	const {lines, cursor} = state.editor.buffer;
	const whole = lineAt(state.editor.buffer, cursor.line);
	const line = whole.slice(0, cursor.column);
	// A text of several lines is a prompt. In the middle of a name, Enter runs what is written.
	const isInName = !/\s/.test(line) && /^\S/.test(whole.slice(cursor.column));
	const isCommand = line.startsWith(slashSign) && lines.length === 1 && !isInName;
	const text = showSigns(line);
	const place = isCommand ? findInCommand(text, line, state, isTab) : findMention(line);
	return place ?? (isTab ? findPath(text) : undefined);
}

function findInCommand(
	text: string,
	line: string,
	state: ReplState,
	isTab: boolean,
): MenuPlace | undefined {
	if (/^\/[\w-]*(?::[\p{L}\p{N}_.+:-]*)?$/u.test(text)) {
		const query = text === '/' ? '' : text;
		return {kind: 'command', start: 0, query, values: menuCommands, source: {type: 'templates'}};
	}
	const found = findCommandIn(text);
	const completion =
		found === undefined
			? completeCall(text, state, isTab)
			: found.command.complete?.(found.argument, state);
	if (completion === undefined) return found === undefined ? findMention(line) : undefined;
	return {kind: 'argument', start: text.length - completion.query.length, ...completion};
}

function findPath(text: string): MenuPlace {
	const completion = completePath(/\S*$/.exec(text)?.[0] ?? '');
	return {kind: 'file', start: text.length - completion.query.length, ...completion};
}

/** A file whose name follows an at sign; one with blanks is quoted. */
function findMention(line: string): MenuPlace | undefined {
	const [, name] = mention.exec(line) ?? [];
	if (name === undefined) return undefined;
	const query = showSigns(name.replace(/^"/, ''));
	return {kind: 'file', start: line.length - name.length, query, source: {type: 'files'}};
}

const mention = new RegExp(`(?:^|\\s)${atSign}("[^"]*|[^\\s"]*)$`);
