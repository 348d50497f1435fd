/** JSON as values. */

/** Any JSON value, as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export type JsonObject = {readonly [key: string]: JsonValue};

/** Whether a value is a JSON object: no array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
