/** The service's token counts. Only what it says: absent stays absent, nothing is added up. */
import type {Usage} from '../../errors.ts';
import type {JsonObject} from '../../json.ts';
import {asNumber, asObject} from '../json-values.ts';

export function decodeUsage(raw: JsonObject): Usage {
	const details = asObject(raw['completion_tokens_details']);
	return {
		promptTokens: asNumber(raw['prompt_tokens']),
		completionTokens: asNumber(raw['completion_tokens']),
		reasoningTokens: asNumber(details?.['reasoning_tokens'] ?? raw['reasoning_tokens']),
		totalTokens: asNumber(raw['total_tokens']),
		raw,
	};
}

/** The usage object of a chunk, wherever this service puts it. */
export function findUsage(
	chunk: JsonObject,
	choice: JsonObject | undefined,
): JsonObject | undefined {
	return (
		asObject(chunk['usage']) ??
		asObject(asObject(chunk['x_groq'])?.['usage']) ??
		asObject(choice?.['usage'])
	);
}
