/** Where text and reasoning stand in a delta or a message, in every known shape. */
import type {JsonObject, JsonValue} from '../../json.ts';
import {asArray, asObject, asText} from '../json-values.ts';

export type DeltaText = {
	readonly text: string;
	readonly refusal: string;
	readonly reasoning: string;
	/** The field the reasoning stood in, if it was one that can be sent back. */
	readonly reasoningField: 'reasoning_content' | 'reasoning' | undefined;
};

const reasoningFields = ['reasoning_content', 'reasoning'] as const;

/** The text of a delta that holds nothing else; undefined for any other delta. */
export function readPlainText(delta: JsonObject): string | undefined {
	for (const field in delta) {
		if (field !== 'content' && field !== 'role') return undefined;
	}
	return asText(delta['content']);
}

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

/** A string, or an array of parts: text, thinking, refusals, and others that are passed over. */
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
