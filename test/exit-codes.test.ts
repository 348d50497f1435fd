import {describe, expect, test} from 'vitest';
import {ChatError, type ExitCode, exitCodeOf} from '../src/errors.ts';
import {moreSevere, signalOf} from '../src/exit-codes.ts';

describe('an exit code', () => {
	test.each([
		['SIGINT', 130],
		['SIGHUP', 129],
		['SIGTERM', 143],
	] as const)('of an interrupt by %s is %i, and leads back to it', (signal, code) => {
		expect(exitCodeOf(new ChatError('interrupted', 'stopped', {signal}))).toBe(code);
		expect(signalOf(code)).toBe(signal);
	});

	test('without a signal is undefined', () => {
		for (const code of [0, 1, 64, 79, 141] as const) expect(signalOf(code)).toBeUndefined();
	});
});

describe('of two reasons to end', () => {
	const order: readonly ExitCode[] = [130, 129, 143, 141, 1, 74, 69];
	const pairs = order.slice(1).map((other, place) => [order[place] ?? 0, other] as const);

	test.each(pairs)('%i outranks %i', (severe, other) => {
		expect(moreSevere(severe, other)).toBe(severe);
		expect(moreSevere(other, severe)).toBe(severe);
	});

	test.each([79, 65, 0] as const)('a failure to write outranks %i', (code) => {
		expect(moreSevere(code, 74)).toBe(74);
		expect(moreSevere(code, 141)).toBe(141);
	});

	test('the first counts if neither is severe', () => {
		expect(moreSevere(76, 78)).toBe(76);
		expect(moreSevere(78, 76)).toBe(78);
	});
});
