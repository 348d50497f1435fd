/** Reads fields from a chunk, or from an unstreamed reply, in every known shape. */
import {asArray, asNumber, asObject, asText, type JsonObject, type JsonValue} from '../../json.ts';
import type {Usage} from '../../usage.ts';

/** Returns the choice with index 0; a missing index counts as 0. */
export function firstChoice(chunk: JsonObject): JsonObject | undefined {
	for (const item of asArray(chunk['choices']) ?? []) {
		const choice = asObject(item);
		if (choice !== undefined && (choice['index'] ?? 0) === 0) return choice;
	}
	return undefined;
}

export type DeltaText = {
	readonly text: string;
	readonly refusal: string;
	readonly reasoning: string;
	/** The reasoning field, if it can be sent back. */
	readonly reasoningField: ReasoningField | undefined;
};

const reasoningFields = ['reasoning_content', 'reasoning'] as const;

export type ReasoningField = (typeof reasoningFields)[number];

export function isReasoningField(value: unknown): value is ReasoningField {
	return reasoningFields.some((field) => field === value);
}

/** Reads text, refusal and reasoning from a delta or message. */
export function readDeltaText(delta: JsonObject): DeltaText {
	const {text, thinking, refused} = readContent(delta['content']);
	const refusal = refused + (asText(delta['refusal']) ?? '');
	// Proxies duplicate both names, and an empty one must not hide the other.
	for (const field of reasoningFields) {
		const reasoning = asText(delta[field]);
		if (reasoning !== undefined) return {text, refusal, reasoning, reasoningField: field};
	}
	const reasoning = readDetails(delta['reasoning_details']) + thinking;
	return {text, refusal, reasoning, reasoningField: undefined};
}

type Content = {readonly text: string; readonly thinking: string; readonly refused: string};

/** Reads a string, or an array of parts. */
function readContent(content: JsonValue | undefined): Content {
	if (typeof content === 'string') return {text: content, thinking: '', refused: ''};
	let text = '';
	let thinking = '';
	let refused = '';
	for (const item of asArray(content) ?? []) {
		const part = asObject(item);
		if (part?.['type'] === 'thinking') thinking += readContent(part['thinking']).text;
		else if (part?.['type'] === 'refusal') refused += asText(part['refusal']) ?? '';
		else if (part?.['type'] === 'text' || part?.['type'] === undefined)
			text += asText(part?.['text']) ?? '';
	}
	return {text, thinking, refused};
}

function readDetails(details: JsonValue | undefined): string {
	let reasoning = '';
	for (const item of asArray(details) ?? []) {
		const detail = asObject(item);
		reasoning += asText(detail?.['text']) ?? asText(detail?.['summary']) ?? '';
	}
	return reasoning;
}

/** Returns the calls in a delta or message; `function_call` is the older form of `tool_calls`. */
export function readCalls(delta: JsonObject): JsonValue | undefined {
	const legacy = asObject(delta['function_call']);
	return delta['tool_calls'] ?? (legacy === undefined ? undefined : {function: legacy});
}

/** Returns the chunk's usage object, wherever the service puts it. */
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

/** Reads the token counts: an absent one stays absent, and none is derived. */
export function decodeUsage(raw: JsonObject | undefined): Usage | undefined {
	if (raw === undefined) return undefined;
	const details = asObject(raw['completion_tokens_details']);
	const promptDetails = asObject(raw['prompt_tokens_details']);
	return {
		promptTokens: asNumber(raw['prompt_tokens']),
		cachedTokens: asNumber(promptDetails?.['cached_tokens'] ?? raw['prompt_cache_hit_tokens']),
		completionTokens: asNumber(raw['completion_tokens']),
		reasoningTokens: asNumber(details?.['reasoning_tokens'] ?? raw['reasoning_tokens']),
		totalTokens: asNumber(raw['total_tokens']),
		raw,
	};
}
