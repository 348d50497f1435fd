/** The commands that begin with a slash. `/help` and the README are printed from these rows. */
import {findClosest} from '../did-you-mean.ts';
import {type Outcome, outcome, print} from './action.ts';
import {attach, detach} from './attachments.ts';
import {changeModel, changeSetting, changeSystem} from './change-request.ts';
import {clearIntoHistory} from './editor/history.ts';
import {type KeyBinding, keyBindings} from './key-bindings.ts';
import {complain, showPopup, tell} from './popup.ts';
import {giveBack} from './prompt.ts';
import {dropLastTurn, startTurn, turnsSoFar} from './reduce-turn.ts';
import {showReasoning} from './show-reasoning.ts';
import type {Entry, ReplState} from './state.ts';
import {describeUsage} from './usage.ts';

export type SlashCommand = {
	readonly name: string;
	/** Other names that it answers to. */
	readonly aliases?: readonly string[];
	/** What may follow it, for the help. */
	readonly parameters: string;
	readonly summary: string;
	/** Whether it can be used while an answer is written. */
	readonly isAlwaysAllowed: boolean;
	run(state: ReplState, argument: string): Outcome;
};

export const slashCommands: readonly SlashCommand[] = [
	{
		name: 'help',
		aliases: ['?'],
		parameters: '[command|keys]',
		summary: 'list the commands or the keys, or explain one command',
		isAlwaysAllowed: true,
		run: showHelp,
	},
	{
		name: 'exit',
		aliases: ['quit'],
		parameters: '',
		summary: 'exit (or Ctrl-D)',
		isAlwaysAllowed: true,
		run: (state) => outcome(state, {type: 'exit'}),
	},
	{
		name: 'new',
		aliases: ['clear'],
		parameters: '',
		summary: 'start a new conversation (keeps the system message)',
		isAlwaysAllowed: false,
		run: beginAnew,
	},
	{
		name: 'model',
		parameters: '[name]',
		summary: 'show or change the model',
		isAlwaysAllowed: true,
		run: changeModel,
	},
	{
		name: 'system',
		parameters: '[text|-]',
		summary: 'show or change the system message; - removes it',
		isAlwaysAllowed: true,
		run: changeSystem,
	},
	{
		name: 'set',
		parameters: '[name [value]]',
		summary: 'show or change a request setting; no value resets it',
		isAlwaysAllowed: true,
		run: changeSetting,
	},
	{
		name: 'image',
		parameters: '[path|url]',
		summary: 'attach an image to the next prompt, or list attachments',
		isAlwaysAllowed: true,
		run: (state, argument) => attach(state, 'image', argument),
	},
	{
		name: 'file',
		parameters: '[path]',
		summary: 'attach a text file to the next prompt, or list them',
		isAlwaysAllowed: true,
		run: (state, argument) => attach(state, 'file', argument),
	},
	{
		name: 'detach',
		parameters: '[n]',
		summary: 'remove the last attachment, or the one with a number',
		isAlwaysAllowed: true,
		run: detach,
	},
	{
		name: 'reasoning',
		parameters: '[n|mode]',
		summary: 'print the reasoning of a turn, or set auto, show or hide',
		isAlwaysAllowed: true,
		run: showReasoning,
	},
	{
		name: 'retry',
		parameters: '',
		summary: 'send the last prompt again',
		isAlwaysAllowed: false,
		run: retry,
	},
	{
		name: 'undo',
		parameters: '',
		summary: 'undo the last turn and put its prompt back in the editor',
		isAlwaysAllowed: false,
		run: undo,
	},
	{
		name: 'usage',
		parameters: '',
		summary: 'show tokens and time per turn, as the service reported',
		isAlwaysAllowed: true,
		run: (state) => tell(state, {type: 'text', text: describeUsage(turnsSoFar(state))}),
	},
];

/** A slash at the very beginning, a word, and what follows it after a space. */
const commandLine = /^\/([\w-]+|\?)(?:\s+([\s\S]*))?$/;

/**
 * Runs the text if it is a command, undefined if it is a prompt. A word after a slash that is not a
 * command is most likely a mistake and stays in the editor; a path is a prompt, and so is anything
 * that begins with a space.
 */
export function runSlashCommand(state: ReplState, text: string): Outcome | undefined {
	if (text.trimEnd() === '/') return showPopup(state, tableOfCommands());
	const [, name, argument = ''] = commandLine.exec(text) ?? [];
	if (name === undefined) return undefined;
	const command = findCommand(name);
	if (command === undefined) {
		return complain(state, `${describeUnknown(name)} (to send it, begin with a space)`);
	}
	if (state.turn !== undefined && !command.isAlwaysAllowed) {
		return complain(state, `/${command.name} is available after the answer`);
	}
	if (command.parameters === '' && argument.trim() !== '') {
		return complain(state, `/${command.name} takes no argument (to send it, begin with a space)`);
	}
	return command.run({...state, editor: clearIntoHistory(state.editor)}, argument.trim());
}

function findCommand(written: string): SlashCommand | undefined {
	const wanted = written.toLowerCase();
	return slashCommands.find(({name, aliases = []}) => [name, ...aliases].includes(wanted));
}

function describeUnknown(name: string): string {
	const names = slashCommands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
	const closest = findClosest(name, names);
	const next = closest === undefined ? '/help lists the commands' : `did you mean /${closest}?`;
	return `unknown command /${name}; ${next}`;
}

function showHelp(state: ReplState, argument: string): Outcome {
	if (argument === '') return tell(state, tableOfCommands());
	if (argument === 'keys') return tell(state, tableOfKeys());
	const name = argument.replace(/^\//, '');
	const command = findCommand(name);
	if (command === undefined) return complain(state, describeUnknown(name));
	const others = command.aliases?.map((alias) => [`/${alias}`, 'the same'] as const) ?? [];
	return tell(state, {type: 'table', rows: [commandRow(command), ...others]});
}

export function tableOfCommands(): Entry {
	return {type: 'table', rows: slashCommands.map(commandRow)};
}

function commandRow({name, parameters, summary}: SlashCommand): readonly [string, string] {
	return [`/${name}${parameters === '' ? '' : ` ${parameters}`}`, summary];
}

function tableOfKeys(): Entry {
	return {type: 'table', rows: keyBindings.map(keyRow)};
}

/** Without the keys that move the cursor and delete, which people know from their shell. */
export function tableOfBasicKeys(): Entry {
	const rows = keyBindings.filter(({isBasic}) => isBasic).map(keyRow);
	return {type: 'table', rows: [...rows, ['/help keys', 'the keys of the editor as well']]};
}

function keyRow({chords, summary}: KeyBinding): readonly [string, string] {
	return [chords.join(', '), summary];
}

function beginAnew(state: ReplState): Outcome {
	const system = state.conversation.messages.filter(({role}) => role === 'system');
	const next: ReplState = {
		...state,
		conversation: {messages: system, open: undefined},
		turns: [],
		queue: [],
		isQueueHeld: false,
		attachments: [],
		isReasoningOpen: false,
	};
	return outcome(next, print({type: 'notice', text: 'a new conversation'}));
}

function retry(state: ReplState): Outcome {
	const dropped = dropLastTurn(state);
	if (dropped === undefined) return complain(state, 'nothing to retry');
	return startTurn(dropped.state, dropped.prompt, state.now);
}

function undo(state: ReplState): Outcome {
	const dropped = dropLastTurn(state);
	if (dropped === undefined) return complain(state, 'nothing to undo');
	return outcome(
		giveBack(dropped.state, dropped.prompt),
		print({type: 'notice', text: 'the last turn is undone; its prompt is back in the editor'}),
	);
}
