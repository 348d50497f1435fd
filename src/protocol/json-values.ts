/** Values of unknown shape: every access answers `undefined` instead of throwing. */
import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';

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

/** A number without a fraction. */
export function asInteger(value: JsonValue | undefined): number | undefined {
	return Number.isInteger(value) ? asNumber(value) : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
	return typeof value === 'number' ? value : undefined;
}

/** Null and empty values say that a reply does not carry something. */
export function isEmptyValue(value: JsonValue): boolean {
	if (typeof value === 'object') return value === null || Object.keys(value).length === 0;
	return value === '';
}
