/**
 * What is shown below the prompt until the next key and leaves nothing in the scrollback: help, and
 * what is wrong with a line that was typed.
 */
import {type Outcome, outcome, print} from './action.ts';
import type {Entry, Popup, ReplState} from './state.ts';

/** @param typed what a letter that follows puts back before itself */
export function showPopup(state: ReplState, entry: Entry, typed = ''): Outcome {
	return outcome({...state, popup: {entry, typed}});
}

/** Says why a line was not taken. */
export function complain(state: ReplState, text: string): Outcome {
	return showPopup(state, {type: 'notice', text});
}

/** Prints what was asked for; while an answer is written, shows it without going in between. */
export function tell(state: ReplState, entry: Entry): Outcome {
	return state.turn === undefined ? outcome(state, print(entry)) : showPopup(state, entry);
}

/** Whether Esc only closes it: a complaint is no reason to press a key twice. */
export function isHelp(popup: Popup | undefined): boolean {
	return popup !== undefined && popup.entry.type !== 'notice';
}
