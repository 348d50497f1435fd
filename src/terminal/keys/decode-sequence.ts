/** Decodes keys beyond plain characters: escape sequences, control codes and chords. */
import {createKey, type KeyPress, type Modifiers, type TextInput} from './key-input.ts';
import {
	controlKeys,
	functionalKeys,
	keypadCharacters,
	letterKeys,
	tildeKeys,
} from './sequence-keys.ts';

/**
 * Decodes a sequence after its `ESC [` or `ESC O`; `undefined` for an unused key, a key release, a
 * mouse report, or an answer from the terminal.
 */
export function decodeSequence(body: string): KeyPress | TextInput | undefined {
	const parameters = body.slice(0, -1);
	if (/[^\d:;]/.test(parameters)) return undefined;
	// `1:2;3` is `[[1, 2], [3]]`; an empty number is 0.
	const fields = parameters.split(';').map((field) => field.split(':').map(Number));
	const [codes = [], [bits = 0, event] = [], modified = []] = fields;
	if (event === released) return undefined;
	const modifiers = decodeModifiers(bits);
	const final = body.at(-1) ?? '';
	if (final === 'u') return decodeCodePoint(codes, modifiers);
	if (final !== '~') return withModifiers(letterKeys[final], modifiers);
	if (codes[0] === 27) return decodeCodePoint(modified, modifiers);
	const name = tildeKeys[codes[0] ?? 0];
	return withModifiers(name === undefined ? undefined : createKey(name), modifiers);
}

/** Kitty's number for a key release. */
const released = 3;

type SequenceModifiers = Modifiers & {
	/** The Windows or Command key; Meta in xterm and iTerm2. */
	readonly isSuper: boolean;
};

/** @param field a bit set plus one */
function decodeModifiers(field: number): SequenceModifiers {
	const bits = Math.max(field, 1) - 1;
	return {
		shift: (bits & 1) !== 0,
		alt: (bits & (2 | 32)) !== 0,
		ctrl: (bits & 4) !== 0,
		isSuper: (bits & (8 | 16)) !== 0,
	};
}

/** Adds modifiers to a key. Super counts as Alt: xterm and iTerm2 use its bit for their arrows. */
function withModifiers(
	key: KeyPress | undefined,
	{ctrl, alt, shift, isSuper}: SequenceModifiers,
): KeyPress | undefined {
	return key && createKey(key.name, {ctrl, alt: alt || isSuper, shift: key.shift || shift});
}

/**
 * Decodes a key in kitty's `CSI code u` or xterm's modifyOtherKeys.
 *
 * @param codes the key, its Shift form, and the key in its place on a Latin keyboard; 0 or absent
 * means unknown
 */
function decodeCodePoint(
	[code = 0, shifted = 0, latin = 0]: readonly number[],
	modifiers: SequenceModifiers,
): KeyPress | TextInput | undefined {
	const name = functionalKeys[code];
	if (name !== undefined) return withModifiers(createKey(name), modifiers);
	const {ctrl, alt, shift, isSuper} = modifiers;
	// Super and a character belong to the desktop.
	if (isSuper) return undefined;
	const character = toCharacter(code);
	const upper = toCharacter(shifted) || character.toUpperCase();
	if (!ctrl && !alt) {
		const text = shift ? upper : character;
		return text === '' ? undefined : {type: 'text', text};
	}
	// Makes Ctrl-C work on every layout.
	const latinCharacter = code > 0x7f ? toCharacter(latin) : '';
	if (latinCharacter !== '') return keyOfCharacter(latinCharacter, {ctrl, alt, shift});
	if (character === '') return undefined;
	// On keys other than letters Shift gives another character: Ctrl-_ is Ctrl-Shift-minus.
	const isLetter = character.toUpperCase() !== character.toLowerCase();
	if (!isLetter) return keyOfCharacter(shift ? upper : character, {ctrl, alt});
	return keyOfCharacter(character, {ctrl, alt, shift});
}

/** Returns a code point's printable character, or an empty text. */
function toCharacter(code: number): string {
	if (code === 0 || code > 0x10ffff) return '';
	const character = keypadCharacters[code] ?? String.fromCodePoint(code);
	// Kitty names keys without a character by private ones.
	return /[\p{Cc}\p{Cs}\ue000-\uf8ff]/u.test(character) ? '' : character;
}

/** Returns a printable character's key; a capital letter is its key with Shift. */
function keyOfCharacter(character: string, modifiers: Partial<Modifiers>): KeyPress {
	if (character === ' ') return createKey('space', modifiers);
	const lower = character.toLowerCase();
	if (lower === character) return createKey(character, modifiers);
	return createKey(lower, {...modifiers, shift: true});
}

/** Returns a control character's key: U+0001 is Ctrl-A, U+000A is Ctrl-J. */
export function keyOfControl(character: string): KeyPress {
	const code = character.charCodeAt(0);
	const letter = String.fromCharCode(code + 0x40).toLowerCase();
	return controlKeys[code] ?? createKey(letter, {ctrl: true});
}

/** Returns the key for a character after ESC. */
export function altKey(character: string): KeyPress {
	const isControl = /\p{Cc}/u.test(character);
	return isControl
		? {...keyOfControl(character), alt: true}
		: keyOfCharacter(character, {alt: true});
}
