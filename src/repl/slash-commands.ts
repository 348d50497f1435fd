/** The slash commands; `/help` and `docs/interactive.md` are printed from these rows. */
import {findClosest} from '../did-you-mean.ts';
import {type Effect, print, type Update, update} from './action.ts';
import {attach, completeAttachment, detach} from './attachment-commands.ts';
import {completeCopy, copyPart, savePart} from './copy-commands.ts';
import {clearIntoHistory} from './editor/history.ts';
import {
	type CommandHelp,
	commandRow,
	tableOfBasicCommands,
	tableOfCommands,
	tableOfKeys,
} from './help-tables.ts';
import {type Completion, completePath} from './menu/menu.ts';
import {printOrShow, showNotice} from './popup.ts';
import {openTree} from './reduce-tree.ts';
import {changeModel, changeSetting, changeSystem, completeSetting} from './request-commands.ts';
import {nameConversation, openSession, togglePrivacy} from './session-commands.ts';
import {type ReplState, type TemplateCall, tableOf} from './state.ts';
import {
	editPrompt,
	reasoningModes,
	retryTurn,
	showReasoning,
	showUsage,
	startConversation,
	undoTurn,
} from './turn-commands.ts';

export type SlashCommand = CommandHelp & {
	readonly aliases?: readonly string[];
	/** Set if it does not work during an answer. */
	readonly needsIdle?: true;
	/** Returns what the argument may be. */
	complete?(argument: string, state: ReplState): Completion;
	run(state: ReplState, argument: string): Update;
};

/** The most useful ones come first, as the menu lists them. */
export const slashCommands: readonly SlashCommand[] = [
	{
		name: 'help',
		group: 'help',
		parameters: '[all|keys|name]',
		summary: 'list commands (all: every one) or keys, or explain one',
		isBasic: true,
		complete: completeTopic,
		run: showHelp,
	},
	{
		name: 'model',
		group: 'settings',
		parameters: '[name]',
		summary: 'show or change the model',
		isBasic: true,
		complete: (query) => ({query, values: {type: 'models'}}),
		run: changeModel,
	},
	{
		name: 'new',
		group: 'conversation',
		aliases: ['clear'],
		summary: 'start a new conversation (keeps the system message)',
		isBasic: true,
		needsIdle: true,
		run: startConversation,
	},
	{
		name: 'resume',
		group: 'conversation',
		parameters: '[id|title]',
		summary: 'switch to another conversation, or choose one',
		isBasic: true,
		needsIdle: true,
		complete: (query) => ({query, values: {type: 'sessions'}}),
		run: openSession,
	},
	{
		name: 'copy',
		group: 'show',
		parameters: '[n|lang|all]',
		summary: 'copy the last answer (or Alt-C), or a code block',
		isBasic: true,
		complete: completeCopy,
		run: copyPart,
	},
	{
		name: 'image',
		group: 'attach',
		parameters: '[path|url]',
		summary: 'attach an image to the next prompt, or list attachments',
		isBasic: true,
		complete: completePath,
		run: (state, argument) => attach(state, 'image', argument),
	},
	{
		name: 'file',
		group: 'attach',
		aliases: ['attach'],
		parameters: '[path]',
		summary: 'attach a file, folder or glob, or list attachments',
		isBasic: true,
		complete: completePath,
		run: (state, argument) => attach(state, 'file', argument),
	},
	{
		name: 'edit',
		group: 'conversation',
		parameters: '[n]',
		summary: 'edit the last prompt (or Esc twice), or prompt n',
		isBasic: true,
		needsIdle: true,
		run: editPrompt,
	},
	{
		name: 'retry',
		group: 'conversation',
		summary: 'send the last prompt again',
		isBasic: true,
		needsIdle: true,
		run: retryTurn,
	},
	{
		name: 'undo',
		group: 'conversation',
		summary: 'undo the last turn and make its prompt the draft',
		needsIdle: true,
		run: undoTurn,
	},
	{
		name: 'set',
		group: 'settings',
		parameters: '[name [value]]',
		summary: 'show, change or reset a setting (name=value: any field)',
		isBasic: true,
		complete: completeSetting,
		run: changeSetting,
	},
	{
		name: 'system',
		group: 'settings',
		parameters: '[text|-]',
		summary: 'show or change the system message; - removes it',
		run: changeSystem,
	},
	{
		name: 'sessions',
		group: 'conversation',
		summary: 'search saved conversations, and switch to one',
		needsIdle: true,
		run: (state) => update(state, {type: 'pick-session'}),
	},
	{
		name: 'save',
		group: 'show',
		parameters: '[n] file',
		summary: 'write the answer, or its code block n, to a new file',
		run: savePart,
	},
	{
		name: 'reasoning',
		group: 'show',
		parameters: '[n|mode]',
		summary: 'print the reasoning of a turn, or set auto, show or hide',
		isBasic: true,
		complete: (query) => ({query, values: reasoningModes.map((text) => ({text}))}),
		run: showReasoning,
	},
	{
		name: 'usage',
		group: 'show',
		summary: 'show the tokens and the time of each turn',
		run: showUsage,
	},
	{
		name: 'tree',
		group: 'conversation',
		summary: 'show all branches, and continue after any turn',
		needsIdle: true,
		run: openTree,
	},
	{
		name: 'detach',
		group: 'attach',
		parameters: '[n]',
		summary: 'remove the last attachment, or attachment n',
		complete: completeAttachment,
		run: detach,
	},
	{
		name: 'name',
		group: 'conversation',
		parameters: '[title]',
		summary: 'name the conversation, or show its name and its id',
		run: nameConversation,
	},
	{
		name: 'export',
		group: 'conversation',
		parameters: '[file]',
		summary: 'write the conversation to a new .md, .json or .html file',
		needsIdle: true,
		complete: completePath,
		run: (state, path) => update(state, {type: 'export', path}),
	},
	{
		name: 'private',
		group: 'conversation',
		summary: 'save nothing from here on; again: save what follows',
		needsIdle: true,
		run: togglePrivacy,
	},
	{
		name: 'exit',
		group: 'help',
		aliases: ['quit'],
		summary: 'exit (or Ctrl-D)',
		isBasic: true,
		run: (state) => update(state, {type: 'exit'}),
	},
];

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
	const [, name, argument = ''] = commandLine.exec(text) ?? [];
	if (name === undefined) return undefined;
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
	const [, name = '', argument = ''] = commandLine.exec(text) ?? [];
	const command = findCommand(name);
	return command && {command, argument};
}

/** Reads the call of a template; returns undefined for one of our commands, and for a prompt. */
export function readCall(text: string): TemplateCall | undefined {
	const [, name, argument = ''] = commandLine.exec(text) ?? [];
	if (name === undefined || findCommand(name) !== undefined) return undefined;
	return {name: name.replace(/^t:/, ''), argument: argument.trim()};
}

/** Returns the command that calls a template. A command of ours wins over one of the same name. */
export function commandOfTemplate(name: string): string {
	return readCall(`/${name}`)?.name === name ? `/${name}` : `/t:${name}`;
}

export const sendInstead = '(to send it as a prompt, start with a space)';

function findCommand(written: string): SlashCommand | undefined {
	const wanted = written.toLowerCase();
	return slashCommands.find(({name, aliases = []}) => [name, ...aliases].includes(wanted));
}

/** @param templates the names of templates that may be meant */
export function describeUnknown(name: string, templates: readonly string[] = []): string {
	const own = slashCommands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
	const names = [...own, ...templates.map((template) => commandOfTemplate(template).slice(1))];
	const closest = findClosest(name, names);
	const next = closest === undefined ? '/help lists the commands' : `did you mean /${closest}?`;
	return `unknown command /${name}; ${next}`;
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
	if (command === undefined) {
		return update(state, {type: 'explain-template', name: name.replace(/^t:/, '')});
	}
	const others =
		command.aliases?.map((alias) => [`/${alias}`, `same as /${command.name}`] as const) ?? [];
	return printOrShow(state, tableOf([commandRow(command), ...others]));
}
