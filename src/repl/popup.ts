/**
 * What is shown below the prompt until the next key and leaves nothing in the scrollback: help, and
 * what is wrong with a line that was typed.
 */
import {print, type Update, update} from './action.ts';
import type {Popup, ReplState, TranscriptEntry} from './state.ts';

/** @param typed what a letter that follows puts back before itself */
export function showPopup(state: ReplState, entry: TranscriptEntry, typed = ''): Update {
	return update({...state, popup: {entry, typed}});
}

/** Says why a line was not taken. */
export function showNotice(state: ReplState, text: string): Update {
	return showPopup(state, {type: 'notice', text});
}

/** Prints what was asked for; while an answer is written, shows it without going in between. */
export function printOrShow(state: ReplState, entry: TranscriptEntry): Update {
	return state.turn === undefined ? update(state, print(entry)) : showPopup(state, entry);
}

/** Whether Esc only closes it: a complaint is no reason to press a key twice. */
export function isHelp(popup: Popup | undefined): boolean {
	return popup !== undefined && popup.entry.type !== 'notice';
}
