/**
 * Names the keys of control codes and of characters with modifiers, so that every spelling of a
 * chord has one name.
 */
import {createKey, type KeyPress, type Modifiers} from './key-input.ts';

const namedControls: Readonly<Record<number, KeyPress>> = {
	0: createKey('space', {ctrl: true}),
	9: createKey('tab'),
	13: createKey('enter'),
	27: createKey('escape'),
	127: createKey('backspace'),
};

/** Returns the key of a control code (0 to 31, or 127): 1 is Ctrl-A, 10 is Ctrl-J. */
export function keyOfControl(code: number): KeyPress {
	const named = namedControls[code];
	if (named !== undefined) return named;
	return createKey(String.fromCharCode(code + 0x40).toLowerCase(), {ctrl: true});
}

/** Returns the key of a printable character; a capital letter is its key with Shift. */
export function keyOfCharacter(character: string, modifiers: Partial<Modifiers>): KeyPress {
	if (character === ' ') return createKey('space', modifiers);
	const lower = character.toLowerCase();
	if (lower === character) return createKey(character, modifiers);
	return createKey(lower, {...modifiers, shift: true});
}

export function isControl(code: number): boolean {
	return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

/** Whether a key can send this control; no key sends those above 127. */
export function isControlKey(code: number): boolean {
	return code < 0x20 || code === 0x7f;
}

/** Returns the index of the first control character from `from` on, or the length. */
export function findControl(text: string, from: number, isWanted = isControl): number {
	let index = from;
	while (index < text.length && !isWanted(text.charCodeAt(index))) index += 1;
	return index;
}
