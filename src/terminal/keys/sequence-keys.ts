/**
 * The tables of escape sequences: which final byte, number or code point is which key. Sources:
 * xterm's ctlseqs, https://sw.kovidgoyal.net/kitty/keyboard-protocol/, rxvt, the Linux console.
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
	P: createKey('f1'),
	Q: createKey('f2'),
	R: createKey('f3'),
	S: createKey('f4'),
	Z: createKey('tab', {shift: true}),
};

/** Bare sequences of rxvt (arrows with Shift) and of the Linux console (`CSI [ A`). */
export const bareCsiKeys: Readonly<Record<string, KeyPress>> = {
	a: createKey('up', {shift: true}),
	b: createKey('down', {shift: true}),
	c: createKey('right', {shift: true}),
	d: createKey('left', {shift: true}),
	'[A': createKey('f1'),
	'[B': createKey('f2'),
	'[C': createKey('f3'),
	'[D': createKey('f4'),
	'[E': createKey('f5'),
};

/** `SS3 letter` where it differs from `CSI letter`: rxvt's arrows with Ctrl, the keypad's Enter. */
export const ss3Keys: Readonly<Record<string, KeyPress>> = {
	...letterKeys,
	a: createKey('up', {ctrl: true}),
	b: createKey('down', {ctrl: true}),
	c: createKey('right', {ctrl: true}),
	d: createKey('left', {ctrl: true}),
	I: createKey('tab'),
	M: createKey('enter'),
};

/** `SS3 letter` of a keypad in application mode. */
export const keypadTexts: Readonly<Record<string, string>> = {
	X: '=',
	j: '*',
	k: '+',
	l: ',',
	m: '-',
	n: '.',
	o: '/',
	p: '0',
	q: '1',
	r: '2',
	s: '3',
	t: '4',
	u: '5',
	v: '6',
	w: '7',
	x: '8',
	y: '9',
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
	11: 'f1',
	12: 'f2',
	13: 'f3',
	14: 'f4',
	15: 'f5',
	17: 'f6',
	18: 'f7',
	19: 'f8',
	20: 'f9',
	21: 'f10',
	23: 'f11',
	24: 'f12',
	25: 'f13',
	26: 'f14',
	28: 'f15',
	29: 'f16',
	31: 'f17',
	32: 'f18',
	33: 'f19',
	34: 'f20',
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

/** Code points of `CSI … u` that are keys and no characters. */
export const functionalKeys: Readonly<Record<number, string>> = {
	9: 'tab',
	13: 'enter',
	27: 'escape',
	127: 'backspace',
	...numberNames(
		57376,
		Array.from({length: 23}, (_, index) => `f${index + 13}`),
	),
	57414: 'enter',
	...numberNames(57417, keypadNames),
};

/** Code points of `CSI … u` that are keypad keys with a character. */
export const keypadCharacters: Readonly<Record<number, string>> = {
	...numberNames(57399, [...'0123456789./*-+']),
	57415: '=',
	57416: ',',
};

function numberNames(first: number, names: readonly string[]): Record<number, string> {
	return Object.fromEntries(names.map((name, index) => [first + index, name]));
}
