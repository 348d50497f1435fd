/** What several steps cost together, for display only: what a service counts is never derived. */
import type {Usage} from './event.ts';

/** Counts that neither side has stay absent. */
export function sumUsage(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
	if (first === undefined || second === undefined) return second ?? first;
	return {
		promptTokens: add(first.promptTokens, second.promptTokens),
		completionTokens: add(first.completionTokens, second.completionTokens),
		reasoningTokens: add(first.reasoningTokens, second.reasoningTokens),
		totalTokens: add(first.totalTokens, second.totalTokens),
		raw: second.raw,
	};
}

function add(first: number | undefined, second: number | undefined): number | undefined {
	if (first === undefined || second === undefined) return second ?? first;
	return first + second;
}
