/** Reads a command from a prompt, and runs it. */
import {findClosest} from '../../did-you-mean.ts';
import {type Effect, print, type Update, update} from '../action.ts';
import {clearIntoHistory} from '../editor/history.ts';
import {showNotice} from '../popup.ts';
import type {ReplState, TemplateCall} from '../state.ts';
import {findCommand, type SlashCommand, slashCommands} from './slash-commands.ts';

/** A slash, a word, maybe with colons, and, after a space, an argument. */
const commandLine = /^\/([\w-]+(?::[\p{L}\p{N}_.+-]+)*)(?:\s+([\s\S]*))?$/u;

/** Whether a text has the form of a command, known or not. */
export function isCommand(text: string): boolean {
	return commandLine.test(text);
}

/**
 * Runs a command; returns undefined for a prompt, such as a path or text after a space, and for a
 * command that is not ours.
 */
export function runSlashCommand(state: ReplState, text: string): Update | undefined {
	const {name, argument} = splitCommand(text) ?? {name: '', argument: ''};
	const command = findCommand(name);
	if (command === undefined) return undefined;
	if (state.isOpening && command.needsIdle) {
		return showNotice(state, 'a conversation is being opened; try again');
	}
	if (state.turn !== undefined && command.needsIdle) {
		return showNotice(state, `/${command.name} is available after the answer`);
	}
	if (command.parameters === undefined && argument.trim() !== '') {
		return showNotice(state, `/${command.name} takes no argument ${sendInstead}`);
	}
	const ran = command.run({...state, editor: clearIntoHistory(state.editor)}, argument.trim());
	// Its output would make little sense in the scrollback without it.
	const isPrinting = ran.effects.some(({type}) => printing.has(type));
	const echo = print({type: 'command', text: `/${command.name} ${argument}`.trim()});
	return isPrinting ? update(ran.state, echo, ...ran.effects) : ran;
}

/** The effects that print something, at once or later. */
const printing: ReadonlySet<Effect['type']> = new Set([
	'print',
	'ask-server',
	'attach',
	'export',
	'explain-template',
	'name-given',
	'open-session',
	'save',
]);

/** Returns a command and its argument, which may be unfinished; undefined for another text. */
export function findCommandIn(
	text: string,
): {readonly command: SlashCommand; readonly argument: string} | undefined {
	const written = splitCommand(text);
	const command = written && findCommand(written.name);
	return command && {command, argument: written.argument};
}

/** Returns the name and the argument, which may be unfinished, of a text in the form of a command. */
export function splitCommand(
	text: string,
): {readonly name: string; readonly argument: string} | undefined {
	const [, name, argument = ''] = commandLine.exec(text) ?? [];
	return name === undefined ? undefined : {name, argument};
}

/** Reads the call of a template; returns undefined for one of our commands, and for a prompt. */
export function readCall(text: string): TemplateCall | undefined {
	const written = splitCommand(text);
	if (written === undefined || findCommand(written.name) !== undefined) return undefined;
	return {name: written.name.replace(/^t:/, ''), argument: written.argument.trim()};
}

/** Returns the command that calls a template. A command of ours wins over one of the same name. */
export function commandOfTemplate(name: string): string {
	return readCall(`/${name}`)?.name === name ? `/${name}` : `/t:${name}`;
}

export const sendInstead = '(to send it as a prompt, start with a space)';

/** @param templates the names of templates that may be meant */
export function describeUnknown(name: string, templates: readonly string[] = []): string {
	const own = slashCommands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
	const names = [...own, ...templates.map((template) => commandOfTemplate(template).slice(1))];
	const closest = findClosest(name, names);
	const next = closest === undefined ? '/help lists the commands' : `did you mean /${closest}?`;
	return `unknown command /${name}; ${next}`;
}
