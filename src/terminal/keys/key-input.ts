/** Keyboard input as values, independent of terminal encodings. */

export type KeyInput = TextInput | KeyPress | PasteInput;

/** A run of printable characters, never empty. */
export type TextInput = {readonly type: 'text'; readonly text: string};

/**
 * A key other than plain text. `name` is `enter`, `tab`, `escape`, `backspace`, `delete`, `insert`,
 * `up`, `down`, `left`, `right`, `home`, `end`, `page-up`, `page-down`, `space`, or, with Ctrl or
 * Alt, the key's character: a letter in lower case, another as printed.
 */
export type KeyPress = {readonly type: 'key'; readonly name: string} & Modifiers;

/** Pasted text, with `\n` for every line end and no control characters but `\n` and `\t`. */
export type PasteInput = {readonly type: 'paste'; readonly text: string};

export type Modifiers = {
	readonly ctrl: boolean;
	readonly alt: boolean;
	readonly shift: boolean;
};

export function createKey(name: string, modifiers: Partial<Modifiers> = {}): KeyPress {
	const {ctrl = false, alt = false, shift = false} = modifiers;
	return {type: 'key', name, ctrl, alt, shift};
}

/** Returns the key as written in key bindings: `ctrl+alt+shift+name`, in this order. */
export function chordOf(key: KeyPress): string {
	let chord = '';
	if (key.ctrl) chord += 'ctrl+';
	if (key.alt) chord += 'alt+';
	if (key.shift) chord += 'shift+';
	return chord + key.name;
}
