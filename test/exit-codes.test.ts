import {expect, test} from 'vitest';
import {ChatError, type ExitCode, exitCodeOf} from '../src/errors.ts';
import {moreSevere, signalOf} from '../src/exit-codes.ts';

test.each([
	['SIGINT', 130],
	['SIGHUP', 129],
	['SIGTERM', 143],
] as const)('an interrupt by %s has the exit code %i, which leads back to it', (signal, code) => {
	expect(exitCodeOf(new ChatError('interrupted', 'stopped', {signal}))).toBe(code);
	expect(signalOf(code)).toBe(signal);
});

test('an exit code without a signal leads to none', () => {
	for (const code of [0, 1, 64, 79, 141] as const) expect(signalOf(code)).toBeUndefined();
});

test('of two reasons to end the more severe one counts, else the first', () => {
	const order: readonly ExitCode[] = [130, 129, 143, 141, 1, 74, 69];
	for (const [place, other] of order.slice(1).entries()) {
		const severe = order[place] ?? 0;
		expect([moreSevere(severe, other), moreSevere(other, severe)]).toEqual([severe, severe]);
	}
	for (const code of [79, 65, 0] as const) expect(moreSevere(code, 74)).toBe(74);
	expect([moreSevere(76, 78), moreSevere(78, 76)]).toEqual([76, 78]);
});
