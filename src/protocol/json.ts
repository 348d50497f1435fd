/** Reading JSON of unknown shape: every access answers `undefined` instead of throwing. */
import type {JsonObject, JsonValue} from '../chat/message.ts';

/** The value of a JSON text, or undefined if it is none. (`null` is a value.) */
export function parseJson(text: string): JsonValue | undefined {
	try {
		return JSON.parse(text) as JsonValue;
	} catch {
		return undefined;
	}
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
	return value as JsonObject;
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
