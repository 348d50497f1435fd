/** Decides whether and when a failed request is repeated. */
import type {ChatError} from '../errors.ts';

/** A service that asks for a longer wait is not retried. */
const maxRequestedMs = 60_000;

/**
 * Returns the milliseconds to wait before the next request, or undefined if there is none.
 *
 * The service's own `retry-after` wins. Otherwise half a second, doubled each time, at most 8 s, less up
 * to a quarter at random so that many clients do not come back at once.
 *
 * @param retries the number of retries so far
 */
export function retryDelayMs(
	error: ChatError,
	retries: number,
	maxRetries: number,
	random: () => number = Math.random,
): number | undefined {
	const {retryable, isFinal, retryAfterMs} = error.details;
	if (retries >= maxRetries || retryable !== true || isFinal === true) return undefined;
	if (retryAfterMs !== undefined) return retryAfterMs <= maxRequestedMs ? retryAfterMs : undefined;
	return Math.min(500 * 2 ** retries, 8000) * (1 - random() * 0.25);
}
