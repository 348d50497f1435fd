/**
 * Keys that a terminal names by code point: kitty's `CSI code u` and xterm's modifyOtherKeys.
 * A chord is named by the key's place on a Latin keyboard, so that Ctrl-C works on every layout.
 */
import {isControl, keyOfCharacter} from './character-keys.ts';
import {createKey, type KeyPress, type TextInput} from './key-input.ts';
import {functionalKeys, keypadCharacters} from './sequence-keys.ts';
import {type SequenceModifiers, withModifiers} from './sequence-modifiers.ts';

export type CodePointKey = {
	/** The key, its Shift form, and its Latin equivalent; 0 or absent means unknown. */
	readonly codes: readonly number[];
	readonly modifiers: SequenceModifiers;
	/** The code points typed. */
	readonly texts: readonly number[];
};

/** Returns the key press or the typed text; `undefined` for other keys, such as a lone modifier. */
export function decodeCodePoint(key: CodePointKey): KeyPress | TextInput | undefined {
	const {codes, modifiers, texts} = key;
	const [code = 0] = codes;
	const name = functionalKeys[code];
	if (name !== undefined) return withModifiers(createKey(name), modifiers);
	// With Super held a character belongs to the desktop.
	if (modifiers.isSuper) return undefined;
	if (modifiers.ctrl || modifiers.alt) return decodeChord(codes, modifiers);
	return decodeText(texts.map(toCharacter).join('') || typedCharacter(codes, modifiers));
}

function decodeChord(
	[code = 0, shifted = 0, base = 0]: readonly number[],
	modifiers: SequenceModifiers,
): KeyPress | undefined {
	const {ctrl, alt, shift} = modifiers;
	const isForeign = code > 0x7f && toCharacter(base) !== '';
	const character = toCharacter(isForeign ? base : code);
	if (character === '') return undefined;
	const printed = toCharacter(shifted);
	const isLetter = character.toUpperCase() !== character.toLowerCase();
	// On keys other than letters Shift gives another character: Ctrl-_ is Ctrl-Shift-minus.
	if (shift && printed !== '' && !isLetter && !isForeign) {
		return keyOfCharacter(printed, {ctrl, alt});
	}
	return keyOfCharacter(character, {ctrl, alt, shift});
}

function typedCharacter(
	[code = 0, shifted = 0]: readonly number[],
	{shift, isCapsLock}: SequenceModifiers,
): string {
	const character = toCharacter(code);
	if (shift && !isCapsLock) return toCharacter(shifted) || character.toUpperCase();
	return isCapsLock && !shift ? character.toUpperCase() : character;
}

function decodeText(text: string): TextInput | undefined {
	return text === '' ? undefined : {type: 'text', text};
}

/** Returns the printable character of a code point, or an empty text. */
function toCharacter(code: number): string {
	const keypad = keypadCharacters[code];
	if (keypad !== undefined) return keypad;
	if (!(code >= 0x20 && code <= 0x10ffff) || isControl(code)) return '';
	if (code >= 0xd800 && code <= 0xdfff) return '';
	// Kitty's own range for keys without a character.
	if (code >= 57344 && code <= 63743) return '';
	return String.fromCodePoint(code);
}
