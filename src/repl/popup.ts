/**
 * The popup: help and notices below the prompt, shown until the next key and never in the
 * scrollback.
 */
import {print, type Update, update} from './action.ts';
import type {PlainEntry, Popup, ReplState} from './state.ts';

/** @param typed text to insert before the next letter */
export function showPopup(state: ReplState, entry: PlainEntry, typed = ''): Update {
	return update({...state, popup: {entry, typed}});
}

/**
 * Shows a notice, such as a reason for rejecting a line.
 *
 * @param key a helpful key
 */
export function showNotice(state: ReplState, text: string, key?: string): Update {
	return showPopup(state, {type: 'notice', text, key});
}

/**
 * Prints an entry; during an answer, shows it in the popup instead, leaving the answer in one
 * piece.
 */
export function printOrShow(state: ReplState, entry: PlainEntry): Update {
	return state.turn === undefined ? update(state, print(entry)) : showPopup(state, entry);
}

/** Whether Esc only closes it. With a notice, Esc also acts as usual. */
export function isHelp(popup: Popup | undefined): boolean {
	return popup !== undefined && popup.entry.type !== 'notice';
}
