/**
 * Tables from the final byte, number or code point of an escape sequence to a key. Sources:
 * xterm's ctlseqs, https://sw.kovidgoyal.net/kitty/keyboard-protocol/, rxvt. Unused keys, such as
 * most function keys, have no row and are dropped.
 */
import {createKey, type KeyPress} from './key-input.ts';

/** `CSI … letter` and `SS3 letter`. */
export const letterKeys: Readonly<Record<string, KeyPress>> = {
	A: createKey('up'),
	B: createKey('down'),
	C: createKey('right'),
	D: createKey('left'),
	F: createKey('end'),
	H: createKey('home'),
	Z: createKey('tab', {shift: true}),
};

/**
 * `SS3 letter`, including rxvt's arrows with Ctrl and the keypad. A letter without a row counts as
 * typed after Alt-O, so F1 to F4 need rows.
 */
export const ss3Keys: Readonly<Record<string, KeyPress>> = {
	...letterKeys,
	a: createKey('up', {ctrl: true}),
	b: createKey('down', {ctrl: true}),
	c: createKey('right', {ctrl: true}),
	d: createKey('left', {ctrl: true}),
	I: createKey('tab'),
	M: createKey('enter'),
	P: createKey('f1'),
	Q: createKey('f2'),
	R: createKey('f3'),
	S: createKey('f4'),
};

/** `CSI number ~`. */
export const tildeKeys: Readonly<Record<number, string>> = {
	1: 'home',
	2: 'insert',
	3: 'delete',
	4: 'end',
	5: 'page-up',
	6: 'page-down',
	7: 'home',
	8: 'end',
};

const keypadNames = [
	'left',
	'right',
	'up',
	'down',
	'page-up',
	'page-down',
	'home',
	'end',
	'insert',
	'delete',
];

/** Code points of `CSI … u` that are not characters. */
export const functionalKeys: Readonly<Record<number, string>> = {
	9: 'tab',
	13: 'enter',
	27: 'escape',
	127: 'backspace',
	57414: 'enter',
	...numberNames(57417, keypadNames),
};

/** Code points of `CSI … u` of the keypad's characters. */
export const keypadCharacters: Readonly<Record<number, string>> = {
	...numberNames(57399, [...'0123456789./*-+']),
	57415: '=',
	57416: ',',
};

function numberNames(first: number, names: readonly string[]): Record<number, string> {
	return Object.fromEntries(names.map((name, index) => [first + index, name]));
}
