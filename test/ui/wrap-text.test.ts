import {expect, test} from 'vitest';
import {fitLine} from '../../src/ui/ink/wrap-text.ts';

test.each([
	['one\ntwo\tthree', 40, 'one two three'],
	['one two', 5, 'one …'],
	['日本語', 4, '日…'],
	['', 4, ''],
	['x', 0, 'x'],
])('the line %j in %i cells is %j', (source, width, row) => {
	expect(fitLine(source, width)).toBe(row);
});
