/** Finds the completable word: a command, its argument, a mention, or a server's offer. */
import {splitCommand} from '../commands/command.ts';
import type {PromptView, ServerView} from '../commands/server-view.ts';
import {
	commandOfTemplate,
	findCommandIn,
	readCall,
	slashCommands,
} from '../commands/slash-commands.ts';
import {lineAt} from '../editor/buffer.ts';
import {atSign, showSigns, slashSign} from '../editor/signs.ts';
import {withKey} from '../keys/help-tables.ts';
import type {ReplState} from '../state.ts';
import {mentionValue} from './mentions.ts';
import {type Completion, completePath, type MenuPlace, type MenuValue} from './menu.ts';

/** The slash commands as menu rows. */
export const menuCommands: readonly MenuValue[] = slashCommands.map(
	({name, parameters, summary, key}) => {
		const text = parameters === undefined ? `/${name}` : `/${name} `;
		return {text, label: `/${name}`, meaning: withKey(summary, key)};
	},
);

/** @param isTab whether any other word is completed as a path, and a server may be asked */
export function findMenuPlace(state: ReplState, isTab: boolean): MenuPlace | undefined {
	const {lines, cursor} = state.editor.buffer;
	const whole = lineAt(state.editor.buffer, cursor.line);
	const line = whole.slice(0, cursor.column);
	// A multi-line text is a prompt. In the middle of a name, Enter runs the written command.
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

/** A file name after an at sign; names with blanks are quoted. */
function findMention(line: string): MenuPlace | undefined {
	const [, name] = mention.exec(line) ?? [];
	if (name === undefined) return undefined;
	const query = showSigns(name.replace(/^"/, ''));
	return {kind: 'file', start: line.length - name.length, query, source: {type: 'files'}};
}

const mention = new RegExp(`(?:^|\\s)${atSign}("[^"]*|[^\\s"]*)$`);

/** Returns the commands calling a server's prompts. */
export function promptValues({prompts}: ServerView): readonly MenuValue[] {
	return prompts.map(({name, description, parameters}) => {
		const label = commandOfTemplate(name);
		const isPartial = parameters.length > 0;
		return {text: `${label} `, label, meaning: description, isPartial, rank: 2};
	});
}

export function resourceValues({resources}: ServerView): readonly MenuValue[] {
	return resources.map((resource) => ({...mentionValue(resource), rank: 1}));
}

/** An argument's words; a quote may be open. */
const word = /(?:[^\s"']|"[^"]*"|'[^']*')+|["']\S*/g;

/** Completes a prompt argument: its known name, or with Tab its value, which the server knows. */
function completeCall(text: string, {servers}: ReplState, isTab: boolean): Completion | undefined {
	if (servers.length === 0) return undefined;
	const name = readCall(text)?.name;
	const prompt = servers.flatMap(({prompts}) => prompts).find((one) => one.name === name);
	if (prompt === undefined) return undefined;
	const {argument = ''} = splitCommand(text) ?? {};
	const query = /\S*$/.exec(argument)?.[0] ?? '';
	const before = argument.slice(0, argument.length - query.length);
	const words = before.match(word) ?? [];
	const valuesOf = (name: string, written: string): Completion => ({
		query: written,
		source: {type: 'arguments', prompt: prompt.name, argument: name, written, before},
		isFree: true,
	});
	const [, named, value = ''] = /^([^=]+)=(.*)$/.exec(query) ?? [];
	const known = new Set(prompt.parameters.map((one) => one.name));
	if (named !== undefined && known.has(named)) return isTab ? valuesOf(named, value) : undefined;
	const given = words.map((one) => one.split('=')[0] ?? '');
	const left = prompt.parameters.filter((one) => !given.includes(one.name));
	const place = given.filter((one) => !known.has(one)).length;
	const names = left.slice(place).filter(isNameable).map(nameValue);
	const isName = names.some(({text: one}) => one.startsWith(query));
	const open = left[Math.min(place, left.length - 1)];
	if (!isTab || isName || open === undefined) return {query, values: names, isFree: true};
	return valuesOf(open.name, query);
}

/** Whether the name can be written before an equals sign. */
function isNameable({name}: PromptView['parameters'][number]): boolean {
	return /^[^\s"'=\p{C}]+$/u.test(name);
}

function nameValue({name, description, isRequired}: PromptView['parameters'][number]): MenuValue {
	const meaning = [isRequired ? 'required' : '', description].filter(Boolean).join(': ');
	return {text: `${name}=`, meaning, isPartial: true};
}
