import {expect, test} from 'vitest';
import {stripUnsafe} from '../../src/terminal/safe-text.ts';
import {createStyler} from '../../src/terminal/style.ts';

const text = stripUnsafe('text');

test('a styled text opens its styles and closes them in reverse', () => {
	const style = createStyler({hasColor: true});
	expect(style(text, 'bold', 'red')).toBe('\x1b[1m\x1b[31mtext\x1b[39m\x1b[22m');
});

test('empty text and text without styles stay as they are', () => {
	const style = createStyler({hasColor: true});
	expect(style(stripUnsafe(''), 'bold')).toBe('');
	expect(style(text)).toBe('text');
});

test('without colour there are weights', () => {
	const style = createStyler({hasColor: false});
	expect(style(text, 'bold', 'blue', 'underline')).toBe('\x1b[1m\x1b[4mtext\x1b[24m\x1b[22m');
});
