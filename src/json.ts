/** JSON as values, and the way to them from a text that somebody else wrote. */

/** Any JSON value, as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export type JsonObject = {readonly [key: string]: JsonValue};

/** Whether a value is a JSON object: no array, not null. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** C1 controls, DEL and two line ends, which `JSON.stringify` leaves as they are. */
const unescapedControl = /[\u007f-\u009f\u2028\u2029]/g;

/** Returns one line of JSON without any control character except its line end. */
export function toJsonLine(value: unknown): string {
	const text = JSON.stringify(value).replace(
		unescapedControl,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return `${text}\n`;
}
