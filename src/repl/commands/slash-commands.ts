/** The slash commands; `/help` and `docs/interactive.md` are printed from these rows. */
import {findClosest} from '../../did-you-mean.ts';
import {type Update, update} from '../action.ts';
import {
	type CommandHelp,
	commandRow,
	tableOfBasicCommands,
	tableOfCommands,
	tableOfKeys,
} from '../keys/help-tables.ts';
import {type Completion, completePath} from '../list/menu.ts';
import {openTree} from '../list/reduce-tree.ts';
import {printOrShow} from '../popup.ts';
import {type ReplState, type TemplateCall, tableOf} from '../state.ts';
import {startReport} from '../task.ts';
import {attach, completeAttachment, detach} from './attachment-commands.ts';
import {splitCommand} from './command-form.ts';
import {completeCopy, copyPart, savePart} from './copy-commands.ts';
import {changeModel, changeSetting, changeSystem, completeSetting} from './request-commands.ts';
import {askServer, completeServer} from './servers.ts';
import {nameConversation, openSession, togglePrivacy} from './session-commands.ts';
import {explainTemplate} from './template-calls.ts';
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
		summary: 'attach an image, or list attachments',
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
		summary: 'show, change, reset a setting (name=value: any field)',
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
		summary: "print a turn's reasoning, or set auto, show or hide",
		isBasic: true,
		complete: (query) => ({query, values: reasoningModes.map((text) => ({text}))}),
		run: showReasoning,
	},
	{
		name: 'usage',
		group: 'show',
		summary: 'show the tokens, time and cost of each turn',
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
		name: 'mcp',
		group: 'settings',
		parameters: '[on|off|log|restart] [server]',
		summary: 'list MCP servers, or show, switch or restart one',
		complete: completeServer,
		run: askServer,
	},
	{
		name: 'export',
		group: 'conversation',
		parameters: '[file]',
		summary: 'write the conversation to a new .md, .json or .html file',
		needsIdle: true,
		complete: completePath,
		run: (state, path) =>
			startReport(state, 'export', (services, current) =>
				services.exportConversation(path, current),
			),
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

/** Finds a command by its name or another one, in any case. */
export function findCommand(written: string): SlashCommand | undefined {
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
		return explainTemplate(state, name.replace(/^t:/, ''), describeUnknown);
	}
	const others =
		command.aliases?.map((alias) => [`/${alias}`, `same as /${command.name}`] as const) ?? [];
	return printOrShow(state, tableOf([commandRow(command), ...others]));
}
