/** The commands that begin with a slash. `/help` and the README are printed from these rows. */
import {withSystem} from '../chat/conversation.ts';
import {textOf} from '../chat/message.ts';
import {expandModelName} from '../settings/model-name.ts';
import {type Outcome, outcome, print} from './action.ts';
import {changeOption, describeOptions} from './chat-settings.ts';
import {clearIntoHistory} from './editor/history.ts';
import {keyBindings} from './key-bindings.ts';
import {giveBack} from './prompt.ts';
import {dropLastTurn, startTurn} from './reduce-turn.ts';
import type {Entry, ReasoningMode, ReplState, TurnRecord} from './state.ts';
import {describeUsage} from './usage.ts';

export type SlashCommand = {
	readonly name: string;
	/** What may follow it, for the help. */
	readonly parameters: string;
	readonly summary: string;
	/** Whether it can be used while an answer is being written. */
	readonly isAlwaysAllowed: boolean;
	run(state: ReplState, argument: string): Outcome;
};

export const slashCommands: readonly SlashCommand[] = [
	{
		name: 'help',
		parameters: '[keys]',
		summary: 'the commands, or the keys',
		isAlwaysAllowed: true,
		run: (state, argument) =>
			outcome(state, print(argument === 'keys' ? tableOfKeys() : tableOfCommands())),
	},
	{
		name: 'exit',
		parameters: '',
		summary: 'leave (also Ctrl-D)',
		isAlwaysAllowed: true,
		run: (state) => outcome(state, {type: 'exit'}),
	},
	{
		name: 'new',
		parameters: '',
		summary: 'begin a new conversation; the system message stays',
		isAlwaysAllowed: false,
		run: beginAnew,
	},
	{
		name: 'model',
		parameters: '[name]',
		summary: 'show or change the model',
		isAlwaysAllowed: false,
		run: changeModel,
	},
	{
		name: 'system',
		parameters: '[text|-]',
		summary: 'show or change the system message; - removes it',
		isAlwaysAllowed: false,
		run: changeSystem,
	},
	{
		name: 'set',
		parameters: '[name [value]]',
		summary: 'show or change request settings; without a value: back to the default',
		isAlwaysAllowed: false,
		run: changeSetting,
	},
	{
		name: 'image',
		parameters: '<path|url>',
		summary: 'attach an image to the next prompt; without a name: drop what is attached',
		isAlwaysAllowed: true,
		run: (state, argument) => attach(state, 'image', argument),
	},
	{
		name: 'file',
		parameters: '<path>',
		summary: 'attach a text file to the next prompt; without a name: drop what is attached',
		isAlwaysAllowed: true,
		run: (state, argument) => attach(state, 'file', argument),
	},
	{
		name: 'reasoning',
		parameters: '[n|auto|show|hide]',
		summary: 'print the reasoning of the last or the n-th turn, or choose how it is shown',
		isAlwaysAllowed: true,
		run: showReasoning,
	},
	{
		name: 'retry',
		parameters: '',
		summary: 'ask the last prompt again',
		isAlwaysAllowed: false,
		run: retry,
	},
	{
		name: 'undo',
		parameters: '',
		summary: 'take the last prompt and its answer back; the prompt returns to the editor',
		isAlwaysAllowed: false,
		run: undo,
	},
	{
		name: 'usage',
		parameters: '',
		summary: 'tokens and time of the turns so far, as the service reported them',
		isAlwaysAllowed: true,
		run: (state) => say(state, describeUsage(state.turns)),
	},
];

/** A slash at the very beginning, a word, and what follows it behind a space. */
const commandLine = /^\/([\w-]+)(?:\s+([\s\S]*))?$/;

/**
 * Runs the text if it is a command, undefined if it is a prompt. A word behind a slash that is no
 * command is most likely a mistake and stays in the editor; a path is a prompt, and so is whatever
 * begins with a space.
 */
export function runSlashCommand(state: ReplState, text: string): Outcome | undefined {
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
		return complain(state, `/${name} has to wait for the end of the answer`);
	}
	if (command.parameters === '' && argument.trim() !== '') {
		return complain(state, `/${name} takes nothing behind it (to send it, begin with a space)`);
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

export function tableOfKeys(): Entry {
	const rows = keyBindings.map(({chords, summary}) => [chords.join(', '), summary] as const);
	return {type: 'table', rows};
}

function say(state: ReplState, text: string): Outcome {
	return outcome(state, print({type: 'text', text}));
}

function complain(state: ReplState, text: string): Outcome {
	return outcome(state, print({type: 'notice', text}));
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
	return outcome(next, print({type: 'notice', text: `the model is now ${model}`}));
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
	return outcome({...state, conversation}, print({type: 'notice', text}));
}

function changeSetting(state: ReplState, argument: string): Outcome {
	if (argument === '') return say(state, describeOptions(state.options));
	const [name = '', ...rest] = argument.split(/\s+/);
	const changed = changeOption(state.options, name, rest.join(' '));
	if (typeof changed === 'string') return complain(state, changed);
	return outcome({...state, options: changed.options}, print({type: 'notice', text: changed.text}));
}

function attach(state: ReplState, kind: 'file' | 'image', source: string): Outcome {
	if (source === '') {
		const text =
			state.attachments.length === 0 ? 'nothing is attached' : 'nothing is attached any more';
		return outcome({...state, attachments: []}, print({type: 'notice', text}));
	}
	return outcome({...state, loading: state.loading + 1}, {type: 'attach', kind, source});
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
	const turn = isNumber ? state.turns[Number(argument) - 1] : state.turns.at(-1);
	if (turn === undefined) {
		return complain(state, isNumber ? `there is no turn ${argument} yet` : 'there is no turn yet');
	}
	return printReasoning(state, turn);
}

function printReasoning(state: ReplState, {reasoning}: TurnRecord): Outcome {
	if (reasoning === '') return complain(state, 'the service gave no reasoning for that turn');
	return outcome(state, print({type: 'reasoning', text: reasoning}));
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
