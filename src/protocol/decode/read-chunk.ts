/** What stands where in a chunk of a streamed reply, or in a whole one, in every known shape. */
import type {Usage} from '../../errors.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {asArray, asNumber, asObject, asText, isEmptyValue} from '../json-values.ts';

/** The choice with index 0; a missing index counts as 0. Other choices were not asked for. */
export function firstChoice(chunk: JsonObject): JsonObject | undefined {
	for (const item of asArray(chunk['choices']) ?? []) {
		const choice = asObject(item);
		if (choice !== undefined && (choice['index'] ?? 0) === 0) return choice;
	}
	return undefined;
}

/** The text of a chunk whose only choice brings nothing else; undefined for any other chunk. */
export function plainTextOf(chunk: JsonValue | undefined): string | undefined {
	const choices = asArray(asObject(chunk)?.['choices']);
	const choice = choices?.length === 1 ? asObject(choices[0]) : undefined;
	const delta = asObject(choice?.['delta']);
	if (choice === undefined || delta === undefined || (choice['index'] ?? 0) !== 0) return undefined;
	if (hasMore(choice, choiceFields)) return undefined;
	return hasMore(delta, deltaFields) ? undefined : asText(delta['content']);
}

const choiceFields: ReadonlySet<string> = new Set(['index', 'delta', 'finish_reason']);
const deltaFields: ReadonlySet<string> = new Set(['role', 'content']);

function hasMore(object: JsonObject, known: ReadonlySet<string>): boolean {
	return Object.entries(object).some(([name, value]) => !known.has(name) && !isEmptyValue(value));
}

export type DeltaText = {
	readonly text: string;
	readonly refusal: string;
	readonly reasoning: string;
	/** The field of the reasoning, if it can be sent back. */
	readonly reasoningField: 'reasoning_content' | 'reasoning' | undefined;
};

const reasoningFields = ['reasoning_content', 'reasoning'] as const;

/** Reads text, refusal and reasoning of a delta or a message. */
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

/** A string, or an array of parts: text, thinking, refusals, and others, which `extra` collects. */
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

/** The calls of a delta or a message; before `tool_calls` there was one `function_call` without id. */
export function readCalls(delta: JsonObject): JsonValue | undefined {
	const legacy = asObject(delta['function_call']);
	return delta['tool_calls'] ?? (legacy === undefined ? undefined : {function: legacy});
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

/** The service's token counts: an absent one stays absent, and none is derived. */
export function decodeUsage(raw: JsonObject | undefined): Usage | undefined {
	if (raw === undefined) return undefined;
	const details = asObject(raw['completion_tokens_details']);
	return {
		promptTokens: asNumber(raw['prompt_tokens']),
		completionTokens: asNumber(raw['completion_tokens']),
		reasoningTokens: asNumber(details?.['reasoning_tokens'] ?? raw['reasoning_tokens']),
		totalTokens: asNumber(raw['total_tokens']),
		raw,
	};
}
