/** Reads values of unknown shape: every access returns `undefined` instead of throwing. */
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
	return isJsonObject(value) ? value : undefined;
}

export function asArray(value: JsonValue | undefined): readonly JsonValue[] | undefined {
	return Array.isArray(value) ? value : undefined;
}

/** Returns a string that is not empty. */
export function asText(value: JsonValue | undefined): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
	return typeof value === 'number' ? value : undefined;
}

export function asInteger(value: JsonValue | undefined): number | undefined {
	return Number.isInteger(value) ? asNumber(value) : undefined;
}

/** Null and empty values mean that a reply does not have a field. */
export function isEmptyValue(value: JsonValue): boolean {
	if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
	return value === '';
}
