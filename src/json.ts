/** JSON values: parsing, writing, and reading those of an unknown shape. */

/** Any JSON value, as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export type JsonObject = {readonly [key: string]: JsonValue};

/** Whether a value is an object, and not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Values of an unknown shape: no access throws.

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
	return isJsonObject(value) ? value : undefined;
}

export function asArray(value: JsonValue | undefined): readonly JsonValue[] | undefined {
	return Array.isArray(value) ? value : undefined;
}

/** Returns the objects in a list; none for anything else. */
export function asObjects(value: JsonValue | undefined): readonly JsonObject[] {
	return asArray(value)?.filter(isJsonObject) ?? [];
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

/** Returns the same object if it has no such key. */
export function without(object: JsonObject, key: string): JsonObject {
	if (!Object.hasOwn(object, key)) return object;
	const {[key]: _, ...others} = object;
	return others;
}

/**
 * Threat: recursive functions, `JSON.stringify` among them, overflow the stack on values that are
 * nested thousands of levels deep.
 */
const maxDepth = 512;

/** Returns undefined for invalid or deeply nested JSON. (`null` is a value.) */
export function parseJson(text: string): JsonValue | undefined {
	try {
		const value = JSON.parse(text) as JsonValue;
		return text.length > maxDepth && isTooDeep(value) ? undefined : value;
	} catch {
		return undefined;
	}
}

/** Returns undefined when the text is not a JSON object, or one that is nested too deep. */
export function parseJsonObject(text: string): JsonObject | undefined {
	const value = parseJson(text);
	return isJsonObject(value) ? value : undefined;
}

/** Takes linear time, at any depth. */
export function isTooDeep(value: JsonValue): boolean {
	let level: readonly JsonValue[] = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > maxDepth) return true;
		level = level.flatMap((item) =>
			typeof item === 'object' && item !== null ? Object.values(item) : [],
		);
	}
	return false;
}

/** C1 controls, DEL and two line ends, which `JSON.stringify` leaves as they are. */
const unescapedControl = /[\u007f-\u009f\u2028\u2029]/g;

/** Returns one line of JSON without any control character except its line end. */
export function toJsonLine(value: unknown): string {
	return `${JSON.stringify(value).replace(unescapedControl, escapeUnits)}\n`;
}

/** Returns the UTF-16 code units of a character as JSON spells them out: `\u009b`. */
export function escapeUnits(character: string): string {
	const units = character.split('');
	return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** Returns the text as it is inside a string of `toJsonLine`. */
export function escapeForJson(text: string): string {
	return toJsonLine(text).slice(1, -2);
}
