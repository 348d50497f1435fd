import {expect, test} from 'vitest';
import {stripUnsafe} from '../../src/terminal/safe-text.ts';
import {eraseWrapped} from '../../src/ui/ink/reflow.ts';

const up = '\u001b[A';

test('erases a wrapped frame row by row, starting below the prompt', () => {
	const rows = ['a'.repeat(70), 'short', '> ', 'status'].map(stripUnsafe);
	const erasing = eraseWrapped({frame: {rows, cursor: {x: 2, y: 2}}, columns: 80}, 30);
	expect(erasing.split(up)).toHaveLength(1 + 4);
	expect(erasing.indexOf('\u001b[J')).toBe(0);
	expect(erasing.lastIndexOf('\u001b[J')).toBe(0);
	expect(erasing.endsWith('\r\n\n')).toBe(true);
});

test('leaves a frame that was not wrapped alone', () => {
	const rows = ['short', '> '].map(stripUnsafe);
	expect(eraseWrapped({frame: {rows, cursor: {x: 2, y: 1}}, columns: 80}, 30)).toBe('');
});
