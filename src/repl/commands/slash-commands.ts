/**
 * The slash commands, and the templates called like them; `/help` and `docs/interactive.md` are
 * generated from their rows.
 */
import {findClosest} from '../../did-you-mean.ts';
import type {ChatError} from '../../errors.ts';
import {type Effect, print, type Update, update} from '../action.ts';
import {clearIntoHistory} from '../editor/history.ts';
import {
	commandRow,
	tableOfBasicCommands,
	tableOfCommands,
	tableOfKeys,
} from '../keys/help-tables.ts';
import type {Completion} from '../list/menu.ts';
import {printOrShow, showNotice} from '../popup.ts';
import {type ReplState, type TemplateCall, tableOf} from '../state.ts';
import {isCompacting, isOpening, startTask} from '../task.ts';
import {attachmentCommands} from './attachment-commands.ts';
import {type SlashCommand, sendInstead, splitCommand} from './command.ts';
import {compactCommands} from './compact-command.ts';
import {copyCommands} from './copy-commands.ts';
import {requestCommands} from './request-commands.ts';
import {describeUnread, serverCommands} from './servers.ts';
import {serviceCommands} from './service-commands.ts';
import {sessionCommands} from './session-commands.ts';
import {turnCommands} from './turn-commands.ts';

const all: readonly SlashCommand[] = [
	{
		name: 'help',
		group: 'help',
		parameters: '[all|keys|name]',
		summary: 'list commands (all: every one) or keys, or explain one',
		isBasic: true,
		complete: completeTopic,
		run: showHelp,
	},
	...requestCommands,
	...serviceCommands,
	...sessionCommands,
	...copyCommands,
	...attachmentCommands,
	...turnCommands,
	...compactCommands,
	...serverCommands,
	{
		name: 'exit',
		group: 'help',
		aliases: ['quit', 'q'],
		summary: 'exit (or Ctrl-D)',
		isBasic: true,
		run: (state) => update(state, {type: 'exit'}),
	},
];

/** The everyday commands come first, as the menu lists them. */
export const slashCommands: readonly SlashCommand[] = [
	...all.filter(({isBasic}) => isBasic),
	...all.filter(({isBasic}) => !isBasic),
];

/**
 * Runs a command; returns undefined for a prompt, such as a path or text after a space, and for an
 * unknown command.
 */
export function runSlashCommand(state: ReplState, text: string): Update | undefined {
	const {name, argument} = splitCommand(text) ?? {name: '', argument: ''};
	const command = findCommand(name);
	if (command === undefined) return undefined;
	if (isOpening(state) && command.needsIdle) {
		return showNotice(state, 'a conversation is being opened; try again');
	}
	if (isCompacting(state) && command.needsIdle) {
		return showNotice(state, 'a summary is being written; Esc stops it');
	}
	if (state.turn !== undefined && command.needsIdle) {
		return showNotice(state, `/${command.name} is available after the answer`);
	}
	if (command.parameters === undefined && argument.trim() !== '') {
		return showNotice(state, `/${command.name} takes no argument ${sendInstead}`);
	}
	const ran = command.run({...state, editor: clearIntoHistory(state.editor)}, argument.trim());
	// Scrollback output needs its command above it.
	const isPrinting = ran.effects.some(isPrint);
	const echo = print({type: 'command', text: `/${command.name} ${argument}`.trim()});
	return isPrinting ? update(ran.state, echo, ...ran.effects) : ran;
}

/** Whether an effect prints something, at once or later. */
function isPrint(effect: Effect): boolean {
	return effect.type === 'print' || (effect.type === 'task' && effect.isBrief !== true);
}

/** Finds a command by its name or another one, in any case. */
function findCommand(written: string): SlashCommand | undefined {
	const wanted = written.toLowerCase();
	return slashCommands.find(({name, aliases = []}) => [name, ...aliases].includes(wanted));
}

/** Returns a command and its argument, which may be unfinished; undefined for another text. */
export function findCommandIn(
	text: string,
): {readonly command: SlashCommand; readonly argument: string} | undefined {
	const written = splitCommand(text);
	const command = written && findCommand(written.name);
	return command && {command, argument: written.argument};
}

/** Reads a template call; returns undefined for built-in commands and prompts. */
export function readCall(text: string): TemplateCall | undefined {
	const written = splitCommand(text);
	if (written === undefined || findCommand(written.name) !== undefined) return undefined;
	return {name: written.name.replace(/^t:/, ''), argument: written.argument.trim()};
}

/**
 * Returns the command calling a template. A built-in command wins over a template with the same
 * name.
 */
export function commandOfTemplate(name: string): string {
	return readCall(`/${name}`)?.name === name ? `/${name}` : `/t:${name}`;
}

function describeUnknown(name: string, templates: readonly string[]): string {
	const own = slashCommands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
	const names = [...own, ...templates.map((template) => commandOfTemplate(template).slice(1))];
	const closest = findClosest(name, names);
	const next = closest === undefined ? '/help lists the commands' : `did you mean /${closest}?`;
	return `unknown command /${name}; ${next}`;
}

/** Reports an unusable template, or an unknown command. */
export function reportCallError(
	state: ReplState,
	name: string,
	error: ChatError,
	next = '',
): Update {
	const {hint, closestNames} = error.details;
	if (closestNames !== undefined) {
		const unread = state.servers.find((server) => name.startsWith(`${server.name}:`));
		if (unread?.isRead === false) return showNotice(state, describeUnread(unread));
		const prompts = state.servers.flatMap((server) => server.prompts.map((prompt) => prompt.name));
		return showNotice(state, describeUnknown(name, [...closestNames, ...prompts]) + next);
	}
	if (error.kind === 'usage' && hint === undefined) return showNotice(state, error.message);
	return printOrShow(state, {type: 'error', error});
}

function completeTopic(query: string): Completion {
	const commands = slashCommands.map(({name, summary}) => ({text: name, meaning: summary}));
	const others = [
		{text: 'all', meaning: 'all commands'},
		{text: 'keys', meaning: 'all keys'},
	];
	return {query, values: [...commands, ...others]};
}

function showHelp(state: ReplState, argument: string): Update {
	if (argument === '') return printOrShow(state, tableOfBasicCommands(slashCommands));
	if (argument === 'all') return printOrShow(state, tableOfCommands(slashCommands));
	if (argument === 'keys') return printOrShow(state, tableOfKeys());
	const name = argument.replace(/^\//, '');
	const command = findCommand(name);
	if (command === undefined) return explainTemplate(state, name.replace(/^t:/, ''));
	const others =
		command.aliases?.map((alias) => [`/${alias}`, `same as /${command.name}`] as const) ?? [];
	return printOrShow(state, tableOf([commandRow(command), ...others]));
}

/** Explains the template or server prompt with this name. */
function explainTemplate(state: ReplState, name: string): Update {
	return startTask(state, {
		name: 'explain-template',
		run: (services) => services.explainTemplate(name),
		done: (current, rows) => printOrShow(current, tableOf(rows)),
		fail(current, error) {
			const reported = reportCallError(current, name, error);
			const {popup} = reported.state;
			// The command stands in the scrollback already.
			return popup?.entry.type === 'notice' && current.turn === undefined
				? update({...reported.state, popup: undefined}, print(popup.entry))
				: reported;
		},
	});
}
