import {expect, test} from 'vitest';
import {
	addAnswer,
	addEarlier,
	describeEnd,
	describeProgress,
	emptyTally,
	type Tally,
} from '../../src/batch/tally.ts';
import type {ExitCode} from '../../src/errors.ts';

function count(...codes: readonly ExitCode[]): Tally {
	return codes.reduce((tally, code) => addAnswer(tally, {}, code), emptyTally);
}

test.each<[readonly ExitCode[], ExitCode]>([
	[[0, 0], 0],
	[[0, 79, 0], 79],
	[[65, 79, 0], 65],
	[[75, 65, 77, 69], 77],
])('the exit code of answers with %j is %i', (codes, expected) => {
	expect(count(...codes).exitCode).toBe(expected);
});

test('earlier answers count for the exit code, not for the speed', () => {
	const tally = addEarlier(addEarlier({...emptyTally, total: 2}, 0), 75);
	expect(tally).toMatchObject({earlier: 2, done: 0, failed: 1, exitCode: 75});
});

test('progress and end have what is known', () => {
	const answers = [
		{total_usage: {total_tokens: 1200}, cost: {usd: 0.25}},
		{total_usage: {input_tokens: 300, output_tokens: 50}, cost: null},
		{total_usage: null},
	];
	const codes: readonly ExitCode[] = [0, 79, 65];
	const tally = answers.reduce(
		(before, answer, place) => addAnswer(before, answer, codes[place] ?? 0),
		addEarlier({...emptyTally, total: 1004}, 0),
	);
	expect(describeProgress(tally, 2000, 7000)).toBe(
		'4/1,004, 1 failed, 1 cut off, 1.5/s, 12 min left, 1.6k tokens, about $0.25, the service is busy for 7 s',
	);
	expect(describeProgress({...emptyTally, total: 5}, 10, 0)).toBe('0/5');
	expect(describeEnd(tally, 2000)).toBe(
		'3 of 1,004 lines answered in 2.0 s, 1 before, 1 failed, 1 cut off, 1,000 left, 1.6k tokens, about $0.25',
	);
});
