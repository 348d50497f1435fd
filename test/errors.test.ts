import {describe, expect, test} from 'vitest';
import {
	ChatError,
	describeError,
	type ErrorKind,
	type ExitCode,
	exitCodeOf,
	exitCodeRows,
	graverOf,
	signalOf,
	toChatError,
} from '../src/errors.ts';

const codeOfKind: Readonly<Record<ErrorKind, ExitCode>> = {
	bug: 1,
	usage: 64,
	data: 65,
	input: 66,
	unavailable: 69,
	rejected: 69,
	create: 73,
	output: 74,
	busy: 75,
	timeout: 75,
	protocol: 76,
	auth: 77,
	config: 78,
	incomplete: 79,
	interrupted: 130,
	closed: 141,
};

const kinds = Object.entries(codeOfKind) as ReadonlyArray<[ErrorKind, ExitCode]>;

describe('an exit code', () => {
	test.each(kinds)('of %s is %i', (kind, code) => {
		expect(exitCodeOf(new ChatError(kind, 'it failed'))).toBe(code);
		expect(describeError(new ChatError(kind, 'it failed')).exitCode).toBe(code);
	});

	test.each([
		['SIGINT', 130],
		['SIGHUP', 129],
		['SIGTERM', 143],
	] as const)('of an interrupt by %s is %i, and leads back to it', (signal, code) => {
		expect(exitCodeOf(new ChatError('interrupted', 'stopped', {signal}))).toBe(code);
		expect(signalOf(code)).toBe(signal);
	});

	test('that no signal stands for leads to none', () => {
		for (const code of [0, 1, 64, 79, 141] as const) expect(signalOf(code)).toBeUndefined();
	});

	test('is listed with its meaning, in order', () => {
		const listed = exitCodeRows.flatMap(({code}) => code.split(', ').map(Number));
		const possible = new Set<number>([0, 129, 143, ...Object.values(codeOfKind)]);
		expect(new Set(listed)).toEqual(possible);
		expect(listed).toHaveLength(possible.size);
		const firsts = exitCodeRows.map(({code}) => Number.parseInt(code, 10));
		expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
		for (const {when} of exitCodeRows) expect(when).toMatch(/\w{4}/);
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
		expect(hint).toMatch(/-v .*report/);
	});
});
