import {expect, test} from 'vitest';
import {stripUnsafe} from '../../src/terminal/safe-text.ts';
import {createStyler} from '../../src/terminal/style.ts';
import {type Style, theme} from '../../src/terminal/theme.ts';
import {faultsOfStyle} from '../helpers/style-faults.ts';

const text = stripUnsafe('text');

const all = Object.keys(theme) as Style[];

test('a styled text opens its styles and closes them in reverse', () => {
	const style = createStyler({hasColor: true});
	expect(style(text, 'underline', 'error')).toBe('\x1b[4m\x1b[31mtext\x1b[39m\x1b[24m');
});

test('without colour there are weights', () => {
	const style = createStyler({hasColor: false});
	expect(style(text, 'bold', 'accent', 'underline')).toBe('\x1b[1m\x1b[4mtext\x1b[24m\x1b[22m');
});

test('no roles together are bold and a colour, and none is yellow or cyan', () => {
	const style = createStyler({hasColor: true});
	for (const one of all) {
		for (const other of all) {
			for (const third of all) expect(faultsOfStyle(style(text, one, other, third))).toEqual([]);
		}
	}
	expect(style(text, 'bold', 'error')).toBe('\x1b[31mtext\x1b[39m');
});
