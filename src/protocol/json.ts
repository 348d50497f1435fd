/** Reading JSON of unknown shape: every access answers `undefined` instead of throwing. */
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

/**
 * Values nested deeper than this are refused: whatever walks a value by calling itself, and
 * `JSON.stringify` is one of them, overflows the stack on some thousand levels.
 */
const maxDepth = 512;

/** The value of a JSON text, or undefined if it is none or too deep. (`null` is a value.) */
export function parseJson(text: string): JsonValue | undefined {
	try {
		const value = JSON.parse(text) as JsonValue;
		return text.length > maxDepth && isTooDeep(value) ? undefined : value;
	} catch {
		return undefined;
	}
}

function isTooDeep(value: JsonValue): boolean {
	let level: readonly JsonValue[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > maxDepth) return true;
		level = level.flatMap((item) =>
			typeof item === 'object' && item !== null ? Object.values(item) : [],
		);
	}
	return false;
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
	return isJsonObject(value) ? value : undefined;
}

export function asArray(value: JsonValue | undefined): readonly JsonValue[] | undefined {
	return Array.isArray(value) ? value : undefined;
}

/** A string that is not empty. */
export function asText(value: JsonValue | undefined): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
	return typeof value === 'number' ? value : undefined;
}
