/**
 * Tables from a code to a key. Sources: xterm's ctlseqs and
 * https://sw.kovidgoyal.net/kitty/keyboard-protocol/. Unused keys, such as the function keys, have
 * no row and are dropped.
 */
import {createKey, type KeyPress} from './key-input.ts';

/** Control characters; the others are Ctrl with a letter. */
export const controlKeys: Readonly<Record<number, KeyPress>> = {
	0: createKey('space', {ctrl: true}),
	9: createKey('tab'),
	13: createKey('enter'),
	27: createKey('escape'),
	127: createKey('backspace'),
};

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

/** `CSI number ~`. */
export const tildeKeys: Readonly<Record<number, string>> = numberNames(
	1,
	'home insert delete end page-up page-down home end',
);

/** Code points in `CSI … u` other than characters. */
export const functionalKeys: Readonly<Record<number, string>> = {
	9: 'tab',
	13: 'enter',
	27: 'escape',
	127: 'backspace',
	57414: 'enter',
	...numberNames(57417, 'left right up down page-up page-down home end insert delete'),
};

/** Code points in `CSI … u` for the keypad's characters. */
export const keypadCharacters: Readonly<Record<number, string>> = {
	...numberNames(57399, '0 1 2 3 4 5 6 7 8 9 . / * - +'),
	57415: '=',
	57416: ',',
};

function numberNames(first: number, names: string): Record<number, string> {
	return Object.fromEntries(names.split(' ').map((name, index) => [first + index, name]));
}
