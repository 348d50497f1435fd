import {describe, expect, test} from 'vitest';
import {ChatError, type ErrorDetails, type ErrorKind} from '../../src/errors.ts';
import {
	createPace,
	type PaceChange,
	type PaceState,
	reducePace,
	startPace,
} from '../../src/protocol/pace.ts';

function apply(state: PaceState, ...changes: readonly PaceChange[]): PaceState {
	return changes.reduce(reducePace, state);
}

const started: PaceChange = {type: 'started'};
const succeeded: PaceChange = {type: 'succeeded', max: 6};

function refused(since: number, waitMs?: number, now = 0): PaceChange {
	return {type: 'refused', now, since, waitMs};
}

function repeat(count: number, ...changes: readonly PaceChange[]): readonly PaceChange[] {
	return Array.from({length: count}, () => changes).flat();
}

describe('the shared limit', () => {
	test.each<[string, readonly PaceChange[], Partial<PaceState>]>([
		['grows by one after a full round', repeat(4, started, succeeded), {limit: 5}],
		['keeps to the maximum', repeat(99, started, succeeded), {limit: 6, running: 0}],
		[
			'is halved once for requests refused together',
			[...repeat(4, started), ...repeat(4, refused(0))],
			{limit: 2, refusals: 1, resumeAt: 1000},
		],
		[
			'never falls below one; waits double up to half a minute',
			Array.from({length: 8}, (_, since) => [started, refused(since)]).flat(),
			{limit: 1, refusals: 8, resumeAt: 30_000},
		],
		['obeys a requested wait', [started, refused(0, 7000, 50)], {resumeAt: 7050}],
		[
			'is not raised by other failures',
			repeat(9, started, {type: 'ended'}),
			{limit: 4, running: 0},
		],
	])('%s', (_, changes, expected) => {
		expect(apply(startPace(6), ...changes)).toMatchObject(expected);
	});
});

const unaborted = new AbortController().signal;

function fail(kind: ErrorKind, details: ErrorDetails): ChatError {
	return new ChatError(kind, 'failed', details);
}

test.each<[string, ChatError | undefined, boolean]>([
	['a rate limit', fail('busy', {status: 429, retryable: true}), true],
	['a service that never answered', fail('unavailable', {code: 'ECONNREFUSED'}), false],
	['an exhausted quota', fail('quota', {status: 429, retryable: false}), false],
	['an error of the service', fail('unavailable', {status: 500, retryable: true}), false],
])('repeats a request after %s: %s', async (_, failure, isHeld) => {
	const end = await createPace(1, () => 0).begin(unaborted);
	expect(end(failure)).toBe(isHeld);
});

test('waits for a service that answered before, and cannot be reached', async () => {
	const pace = createPace(1, () => 0);
	(await pace.begin(unaborted))(undefined);
	const end = await pace.begin(unaborted);
	expect(end(fail('unavailable', {code: 'ECONNREFUSED'}))).toBe(true);
	expect(pace.heldMs()).toBe(1000);
});

test('holds all requests for the requested wait, and forgets those that are aborted', async () => {
	let now = 0;
	const pace = createPace(2, () => now);
	const ends = await Promise.all([pace.begin(unaborted), pace.begin(unaborted)]);
	const stop = new AbortController();
	const left = pace.begin(stop.signal);
	const waiting = pace.begin(unaborted);
	stop.abort(new Error('stopped'));
	await expect(left).rejects.toThrow('stopped');
	for (const end of ends) end(fail('busy', {status: 429, retryable: true, retryAfterMs: 20}));
	expect(pace.heldMs()).toBe(20);
	let isStarted = false;
	const admitted = waiting.then((end) => {
		isStarted = true;
		return end;
	});
	await Promise.resolve();
	expect(isStarted).toBe(false);
	now = 20;
	expect((await admitted)(undefined)).toBe(false);
	expect(pace.heldMs()).toBe(0);
});
