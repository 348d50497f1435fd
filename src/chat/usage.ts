/** Adds up the token counts of several steps. */
import type {Usage} from '../errors.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

/** Counts that neither side has stay absent; in `raw`, every number is added. */
export function sumUsage(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
	if (first === undefined || second === undefined) return second ?? first;
	return {
		promptTokens: add(first.promptTokens, second.promptTokens),
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
