/**
 * Shares one rate limit among the requests of a run, learnt from the service: a refusal halves the
 * number of requests at once, a full round of successes adds one, and a requested wait holds all.
 */
import {untilAborted} from '../abort.ts';
import type {ChatError} from '../errors.ts';

export type Pace = {
	/**
	 * Resolves when a request may start, with the function to call at its end. That function returns
	 * whether the failure is about the rate alone, so the request can be repeated.
	 *
	 * @throws the signal's reason when it is aborted
	 */
	begin(signal: AbortSignal): Promise<(failure: ChatError | undefined) => boolean>;
	/** Returns the milliseconds until requests may start again; 0 if they may. */
	heldMs(): number;
};

/** The learnt limit. */
export type PaceState = {
	/** The most requests at once. */
	readonly limit: number;
	readonly running: number;
	/** Successes since the limit last changed. */
	readonly successes: number;
	/** Halvings so far; a refusal of a request older than the last one is part of it. */
	readonly halvings: number;
	/** Halvings since the last success. */
	readonly refusals: number;
	/** No request starts before, in milliseconds. */
	readonly resumeAt: number;
};

export type PaceChange =
	| {readonly type: 'started'}
	/** Neither a success nor about the rate. */
	| {readonly type: 'ended'}
	| {readonly type: 'succeeded'; readonly max: number}
	| {
			readonly type: 'refused';
			readonly now: number;
			/** `halvings` when the request started. */
			readonly since: number;
			/** The wait the service asked for. */
			readonly waitMs: number | undefined;
	  };

const firstLimit = 4;

export function startPace(max: number): PaceState {
	const limit = Math.min(max, firstLimit);
	return {limit, running: 0, successes: 0, halvings: 0, refusals: 0, resumeAt: 0};
}

export function reducePace(state: PaceState, change: PaceChange): PaceState {
	if (change.type === 'started') return {...state, running: state.running + 1};
	const running = state.running - 1;
	switch (change.type) {
		case 'ended':
			return {...state, running};
		case 'succeeded': {
			const {limit} = state;
			const isRaised = state.successes + 1 >= limit && limit < change.max;
			const successes = isRaised ? 0 : state.successes + 1;
			return {...state, running, refusals: 0, successes, limit: isRaised ? limit + 1 : limit};
		}
		case 'refused': {
			const {now, since, waitMs} = change;
			// Requests sent together are refused together: that is one refusal.
			const isNew = since === state.halvings;
			const refusals = state.refusals + (isNew ? 1 : 0);
			const ownMs = isNew ? Math.min(firstWaitMs * 2 ** (refusals - 1), maxWaitMs) : 0;
			const resumeAt = Math.max(state.resumeAt, now + (waitMs ?? ownMs));
			if (!isNew) return {...state, running, resumeAt};
			const limit = Math.max(1, Math.floor(state.limit / 2));
			return {limit, running, successes: 0, halvings: state.halvings + 1, refusals, resumeAt};
		}
		default:
			return change satisfies never;
	}
}

const firstWaitMs = 1000;
const maxWaitMs = 30_000;

/** Refusals in a row after which they count as failures. */
const maxRefusals = 10;

/** A longer requested wait counts as a failure. */
const maxRequestedMs = 600_000;

/**
 * @param max the most requests at once
 * @param now milliseconds, never going back
 */
export function createPace(max: number, now: () => number): Pace {
	let state = startPace(max);
	const queue: Array<() => void> = [];
	let timer: NodeJS.Timeout | undefined;
	const heldMs = () => Math.max(0, state.resumeAt - now());
	const admit = () => {
		clearTimeout(timer);
		while (queue.length > 0 && state.running < state.limit && heldMs() === 0) {
			state = reducePace(state, {type: 'started'});
			queue.shift()?.();
		}
		if (queue.length > 0 && heldMs() > 0) timer = setTimeout(admit, Math.ceil(heldMs()));
	};
	let hasSucceeded = false;
	const settle = (failure: ChatError | undefined, since: number): boolean => {
		hasSucceeded ||= failure === undefined;
		// A service that has answered is probably being restarted.
		const isRefusal =
			failure !== undefined && (isAboutRate(failure) || (hasSucceeded && isUnreachable(failure)));
		if (failure === undefined) state = reducePace(state, {type: 'succeeded', max});
		else if (!isRefusal) state = reducePace(state, {type: 'ended'});
		else {
			const {retryAfterMs: waitMs} = failure.details;
			state = reducePace(state, {type: 'refused', now: now(), since, waitMs});
		}
		admit();
		return isRefusal && state.refusals <= maxRefusals;
	};
	return {
		heldMs,
		async begin(signal) {
			let start = () => {};
			const started = new Promise<void>((resolve) => {
				start = resolve;
			});
			queue.push(start);
			admit();
			await untilAborted(
				() => started,
				signal,
				() => {
					const place = queue.indexOf(start);
					if (place !== -1) queue.splice(place, 1);
					else state = reducePace(state, {type: 'ended'});
					admit();
				},
			);
			const {halvings} = state;
			return (failure) => settle(failure, halvings);
		},
	};
}

function isAboutRate({kind, details}: ChatError): boolean {
	const {status, retryable, retryAfterMs = 0} = details;
	const isLimited = status === undefined ? kind === 'busy' : [429, 503, 529].includes(status);
	return isLimited && retryable === true && retryAfterMs <= maxRequestedMs;
}

function isUnreachable({kind, details}: ChatError): boolean {
	return kind === 'unavailable' && details.status === undefined;
}
