/** Runs the command that a prompt has the form of. */
import {type Effect, print, type Update, update} from '../action.ts';
import {clearIntoHistory} from '../editor/history.ts';
import {showNotice} from '../popup.ts';
import type {ReplState} from '../state.ts';
import {isOpening} from '../task.ts';
import {sendInstead, splitCommand} from './command-form.ts';
import {findCommand} from './slash-commands.ts';

/**
 * Runs a command; returns undefined for a prompt, such as a path or text after a space, and for a
 * command that is not ours.
 */
export function runSlashCommand(state: ReplState, text: string): Update | undefined {
	const {name, argument} = splitCommand(text) ?? {name: '', argument: ''};
	const command = findCommand(name);
	if (command === undefined) return undefined;
	if (isOpening(state) && command.needsIdle) {
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
	const isPrinting = ran.effects.some(isPrint);
	const echo = print({type: 'command', text: `/${command.name} ${argument}`.trim()});
	return isPrinting ? update(ran.state, echo, ...ran.effects) : ran;
}

/** Whether an effect prints something, at once or later. */
function isPrint(effect: Effect): boolean {
	return effect.type === 'print' || (effect.type === 'task' && effect.isBrief !== true);
}
