/** A slash command: its form and its row. */
import type {Update} from '../action.ts';
import type {CommandHelp} from '../keys/help-tables.ts';
import type {Completion} from '../list/menu.ts';
import type {ReplState} from '../state.ts';

export type SlashCommand = CommandHelp & {
	readonly aliases?: readonly string[];
	/** Set if it does not work during an answer. */
	readonly needsIdle?: true;
	/** Whether Enter without an argument opens the value list. */
	readonly opensList?: true;
	/** Returns what the argument may be. */
	complete?(argument: string, state: ReplState): Completion;
	run(state: ReplState, argument: string): Update;
};

/** A slash, a word, maybe with colons, and, after a space, an argument. */
const commandLine = /^\/([\w-]+(?::[\p{L}\p{N}_.+-]+)*)(?:\s+([\s\S]*))?$/u;

/** Whether a text looks like a command, known or not. */
export function isCommand(text: string): boolean {
	return commandLine.test(text);
}

/** Returns the name and the possibly unfinished argument. */
export function splitCommand(
	text: string,
): {readonly name: string; readonly argument: string} | undefined {
	const [, name, argument = ''] = commandLine.exec(text) ?? [];
	return name === undefined ? undefined : {name, argument};
}

export const sendInstead = '(to send it as a prompt, start with a space)';
