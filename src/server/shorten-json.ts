/**
 * JSON as a list of requests shows it: without long texts, and without the rest of what is large
 * as a whole. The shape is kept as far as it goes.
 */

import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import type {Redact} from '../redact.ts';

const maxTextLength = 2_000;

/** Of one body, in characters; a value without any counts as some. */
const maxLength = 100_000;
const lengthOfValue = 8;

/** @param redact Applied to every text before it is shortened. */
export function shortenJson(value: JsonValue, redact: Redact): JsonValue {
	let left = maxLength;
	const shorten = (item: JsonValue): JsonValue => {
		left -= lengthOfValue;
		if (typeof item === 'string') {
			const text = shortenText(item, redact);
			left -= text.length;
			return text;
		}
		if (Array.isArray(item)) return shortenArray(item);
		return isJsonObject(item) ? shortenObject(item) : item;
	};
	const shortenArray = (items: readonly JsonValue[]): JsonValue => {
		const kept: JsonValue[] = [];
		for (const item of items) {
			if (left <= 0) return [...kept, `… ${items.length - kept.length} more`];
			kept.push(shorten(item));
		}
		return kept;
	};
	const shortenObject = (object: JsonObject): JsonValue => {
		const kept: Array<readonly [string, JsonValue]> = [];
		const entries = Object.entries(object);
		for (const [key, item] of entries) {
			if (left <= 0) {
				kept.push(['…', `${entries.length - kept.length} more`]);
				break;
			}
			const name = shortenText(key, redact);
			left -= name.length;
			kept.push([name, shorten(item)]);
		}
		return Object.fromEntries(kept);
	};
	return shorten(value);
}

/** The beginning of a long text and its length; of a `data:` URL only its type. */
export function shortenText(text: string, redact: Redact): string {
	const dataHead = /^data:[^,]{0,100},/.exec(text.slice(0, 200))?.[0];
	if (dataHead !== undefined && text.length > 200) {
		return `${dataHead}… (${text.length} characters)`;
	}
	// A secret that stands at the end of what is kept must be found whole.
	const start = redact(copyStart(text, maxTextLength + 500));
	if (text.length <= maxTextLength) return start;
	return `${start.slice(0, maxTextLength)}… (${text.length} characters)`;
}

/** A slice would keep the whole text in memory. */
function copyStart(text: string, length: number): string {
	return Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}
