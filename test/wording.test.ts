import {expect, it} from 'vitest';
import {formatDuration} from '../src/wording.ts';

it.each([
	[0, '0 ms'],
	[0.5, '1 ms'],
	[300, '0.3 s'],
	[770, '0.8 s'],
	[2000, '2 s'],
	[9950, '10 s'],
	[89_200, '90 s'],
	[120_000, '2 min'],
	[3_600_000, '1 h'],
	[5_400_000, '1.5 h'],
])('%d milliseconds read %s', (milliseconds, text) => {
	expect(formatDuration(milliseconds)).toBe(text);
});
