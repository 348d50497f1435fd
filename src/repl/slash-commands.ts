/** The commands that begin with a slash. `/help` and the README are printed from these rows. */
import {withSystem} from '../chat/conversation.ts';
import {textOf} from '../chat/message.ts';
import {expandModelName} from '../settings/model-name.ts';
import {type Outcome, outcome, print} from './action.ts';
import {attach, detach} from './attachments.ts';
import {changeOption, describeOptions} from './chat-settings.ts';
import {clearIntoHistory} from './editor/history.ts';
import {type KeyBinding, keyBindings} from './key-bindings.ts';
import {complain, showPopup, tell} from './popup.ts';
import {giveBack} from './prompt.ts';
import {dropLastTurn, startTurn, turnsSoFar} from './reduce-turn.ts';
import type {Entry, ReasoningMode, ReplState, TurnRecord} from './state.ts';
import {describeUsage} from './usage.ts';

export type SlashCommand = {
	readonly name: string;
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
		parameters: '[keys]',
		summary: 'list the commands, or the keys',
		isAlwaysAllowed: true,
		run: (state, argument) => tell(state, argument === 'keys' ? tableOfKeys() : tableOfCommands()),
	},
	{
		name: 'exit',
		parameters: '',
		summary: 'exit (or Ctrl-D)',
		isAlwaysAllowed: true,
		run: (state) => outcome(state, {type: 'exit'}),
	},
	{
		name: 'new',
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
		run: (state) => say(state, describeUsage(turnsSoFar(state))),
	},
];

/** A slash at the very beginning, a word, and what follows it after a space. */
const commandLine = /^\/([\w-]+)(?:\s+([\s\S]*))?$/;

/**
 * Runs the text if it is a command, undefined if it is a prompt. A word after a slash that is not a
 * command is most likely a mistake and stays in the editor; a path is a prompt, and so is anything
 * that begins with a space.
 */
export function runSlashCommand(state: ReplState, text: string): Outcome | undefined {
	if (text.trimEnd() === '/') return showPopup(state, tableOfCommands());
	const [, name, argument = ''] = commandLine.exec(text) ?? [];
	if (name === undefined) return undefined;
	const command = slashCommands.find((candidate) => candidate.name === name);
	if (command === undefined) {
		return complain(
			state,
			`there is no /${name}; /help lists the commands (to send it, begin with a space)`,
		);
	}
	if (state.turn !== undefined && !command.isAlwaysAllowed) {
		return complain(state, `/${name} is available after the answer`);
	}
	if (command.parameters === '' && argument.trim() !== '') {
		return complain(state, `/${name} takes no argument (to send it, begin with a space)`);
	}
	return command.run({...state, editor: clearIntoHistory(state.editor)}, argument.trim());
}

export function tableOfCommands(): Entry {
	const rows = slashCommands.map(
		({name, parameters, summary}) =>
			[`/${name}${parameters === '' ? '' : ` ${parameters}`}`, summary] as const,
	);
	return {type: 'table', rows};
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

function say(state: ReplState, text: string): Outcome {
	return tell(state, {type: 'text', text});
}

/** Says what has changed for the next request. */
function confirm(state: ReplState, text: string): Outcome {
	const when = state.turn === undefined ? '' : ', from the next prompt on';
	return outcome(state, print({type: 'notice', text: `${text}${when}`}));
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

function changeModel(state: ReplState, argument: string): Outcome {
	if (argument === '') return say(state, `model: ${state.options.model}`);
	if (/\s/.test(argument)) return complain(state, 'the name of a model has no spaces');
	const model = expandModelName(argument, state.family);
	const next = {...state, options: {...state.options, model}};
	return confirm(next, `the model is now ${model}`);
}

function changeSystem(state: ReplState, argument: string): Outcome {
	if (argument === '') {
		const [first] = state.conversation.messages;
		const text = first?.role === 'system' ? textOf(first) : '';
		return say(state, text === '' ? 'there is no system message' : `system: ${text}`);
	}
	if (/^@\S+$/.test(argument)) {
		return complain(state, 'the system message is read from a file only by -s @file');
	}
	const conversation = withSystem(state.conversation, argument === '-' ? '' : argument);
	const text = argument === '-' ? 'the system message is gone' : 'the system message is set';
	return confirm({...state, conversation}, text);
}

function changeSetting(state: ReplState, argument: string): Outcome {
	if (argument === '') return say(state, describeOptions(state.options));
	const [name = '', ...rest] = argument.split(/\s+/);
	const changed = changeOption(state.options, name, rest.join(' '));
	if (typeof changed === 'string') return complain(state, changed);
	return confirm({...state, options: changed.options}, changed.text);
}

const modes: readonly ReasoningMode[] = ['auto', 'show', 'hide'];

function showReasoning(state: ReplState, argument: string): Outcome {
	const mode = modes.find((candidate) => candidate === argument);
	if (mode !== undefined) {
		const text = `reasoning: ${mode}`;
		return outcome({...state, reasoningMode: mode}, print({type: 'notice', text}));
	}
	const isNumber = /^[1-9]\d*$/.test(argument);
	if (argument !== '' && !isNumber) {
		return complain(state, `/reasoning takes the number of a turn, or ${modes.join(', ')}`);
	}
	const turns = turnsSoFar(state);
	const turn = isNumber ? turns[Number(argument) - 1] : turns.at(-1);
	if (turn === undefined) {
		return complain(state, isNumber ? `there is no turn ${argument} yet` : 'there is no turn yet');
	}
	if (turn === turns.at(-1) && state.turn?.phase === 'reasoning') {
		return complain(state, 'the model is still thinking; Ctrl-O shows or hides it');
	}
	return printReasoning(state, turn);
}

function printReasoning(state: ReplState, {reasoning}: TurnRecord): Outcome {
	if (reasoning === '') return complain(state, 'there is no reasoning for that turn');
	const printed = print({type: 'reasoning', text: reasoning});
	if (state.turn === undefined) return outcome(state, printed);
	const waiting = complain(state, 'the reasoning follows the answer');
	return outcome(waiting.state, printed);
}

function retry(state: ReplState): Outcome {
	const dropped = dropLastTurn(state);
	if (dropped === undefined) return complain(state, 'there is nothing to ask again');
	return startTurn(dropped.state, dropped.prompt, state.now);
}

function undo(state: ReplState): Outcome {
	const dropped = dropLastTurn(state);
	if (dropped === undefined) return complain(state, 'there is nothing to take back');
	return outcome(
		giveBack(dropped.state, dropped.prompt),
		print({type: 'notice', text: 'the last prompt and its answer are taken back'}),
	);
}
