/** The token counts of a step, and of several. */
import {isJsonObject, type JsonObject, type JsonValue} from './json.ts';

/**
 * The counts of the service. Absent is not zero, and nothing here is derived; `raw` is the
 * object as it came.
 */
export type Usage = {
	readonly promptTokens?: number | undefined;
	/** Prompt tokens that the service had cached. */
	readonly cachedTokens?: number | undefined;
	readonly completionTokens?: number | undefined;
	readonly reasoningTokens?: number | undefined;
	readonly totalTokens?: number | undefined;
	readonly raw: JsonObject;
};

/** Counts that neither side has stay absent; in `raw`, every number is added. */
export function sumUsage(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
	if (first === undefined || second === undefined) return second ?? first;
	return {
		promptTokens: add(first.promptTokens, second.promptTokens),
		cachedTokens: add(first.cachedTokens, second.cachedTokens),
		completionTokens: add(first.completionTokens, second.completionTokens),
		reasoningTokens: add(first.reasoningTokens, second.reasoningTokens),
		totalTokens: add(first.totalTokens, second.totalTokens),
		raw: addNumbers(first.raw, second.raw),
	};
}

function add(first: number | undefined, second: number | undefined): number | undefined {
	if (first === undefined || second === undefined) return second ?? first;
	return first + second;
}

function addNumbers(first: JsonObject, second: JsonObject): JsonObject {
	const sums = new Map<string, JsonValue>(Object.entries(first));
	for (const [name, value] of Object.entries(second)) {
		sums.set(name, addValues(sums.get(name) ?? null, value));
	}
	return Object.fromEntries(sums);
}

function addValues(first: JsonValue, second: JsonValue): JsonValue {
	if (typeof first === 'number' && typeof second === 'number') return first + second;
	if (isJsonObject(first) && isJsonObject(second)) return addNumbers(first, second);
	return second ?? first;
}
