import {describe, expect, test} from 'vitest';
import {
	ChatError,
	describeError,
	type ExitCode,
	exitCodeOf,
	graverOf,
	signalOf,
	toChatError,
} from '../src/errors.ts';

describe('an exit code', () => {
	test.each([
		['SIGINT', 130],
		['SIGHUP', 129],
		['SIGTERM', 143],
	] as const)('of an interrupt by %s is %i, and leads back to it', (signal, code) => {
		expect(exitCodeOf(new ChatError('interrupted', 'stopped', {signal}))).toBe(code);
		expect(signalOf(code)).toBe(signal);
	});

	test('of a run that no signal ended leads to no signal', () => {
		for (const code of [0, 1, 64, 79, 141] as const) expect(signalOf(code)).toBeUndefined();
	});
});

describe('of two reasons to end', () => {
	const order: readonly ExitCode[] = [130, 141, 1, 74, 69, 79, 65, 0];
	const pairs = order.flatMap((graver, place) =>
		order.slice(place).map((slighter) => [graver, slighter] as const),
	);

	test.each(pairs)('%i outweighs %i', (graver, slighter) => {
		expect(graverOf(graver, slighter)).toBe(graver);
		expect(graverOf(slighter, graver)).toBe(graver);
	});

	test('of one weight the first counts', () => {
		expect(graverOf(76, 78)).toBe(76);
		expect(graverOf(78, 76)).toBe(78);
	});
});

describe('a failure', () => {
	test('that nobody foresaw is a bug', () => {
		const cause = new TypeError('x is not a function');
		expect(toChatError(cause)).toMatchObject({kind: 'bug', message: cause.message, cause});
		expect(toChatError('thrown text')).toMatchObject({kind: 'bug', message: 'thrown text'});
		expect(toChatError(undefined).kind).toBe('bug');
	});

	test('of a text that no string can hold is no bug', () => {
		let cause: unknown;
		try {
			'x'.repeat(2 ** 29);
		} catch (error) {
			cause = error;
		}
		expect(toChatError(cause)).toMatchObject({kind: 'data', cause});
	});

	test('that is one of ours stays the same', () => {
		const error = new ChatError('data', 'no image');
		expect(toChatError(error)).toBe(error);
	});

	test('is described by its message, the request id, and what to do next', () => {
		const error = new ChatError('busy', 'too many requests', {hint: 'Wait.', requestId: 'req_1'});
		expect(describeError(error)).toEqual({
			lines: ['too many requests', 'request id: req_1'],
			hint: 'Wait.',
			exitCode: 75,
		});
	});

	test('of this program asks for a report', () => {
		const {lines, hint} = describeError(new ChatError('bug', 'no such state'));
		expect(lines).toEqual(['unexpected error: no such state']);
		expect(hint).toMatch(/-v\b.*report/);
	});
});
