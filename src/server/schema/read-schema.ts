/** Reads a JSON Schema. A keyword of the wrong type counts as absent. */
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

export type SchemaType = (typeof types)[number];

/** Keywords that betray the type of a schema without one. */
const typeOfKeyword: Readonly<Record<string, SchemaType>> = {
	properties: 'object',
	required: 'object',
	items: 'array',
	minItems: 'array',
	minimum: 'number',
	maximum: 'number',
};

/** More than enough for real schemas; references may go round in a ring. */
const maxHops = 20;

/** Of the parts of a union, and of the values of an `enum`. */
export const maxChoices = 100;

/**
 * The schema that a `$ref` or a union leads to. Of `anyOf`, `oneOf` and `allOf` the first part
 * counts; of several, the first that is not null, or null if `prefersNull`.
 */
export function resolveSchema(
	root: JsonObject,
	schema: JsonValue,
	prefersNull: boolean,
): JsonObject {
	let current = isJsonObject(schema) ? schema : {};
	for (let hops = 0; hops < maxHops; hops += 1) {
		const next = followPointer(root, current) ?? choosePart(current, prefersNull);
		if (!isJsonObject(next)) return current;
		current = next;
	}
	return {};
}

/** A local reference: `#/$defs/name`, or any JSON pointer into the root. */
function followPointer(root: JsonObject, schema: JsonObject): JsonValue | undefined {
	const reference = fieldOf(schema, '$ref');
	if (typeof reference !== 'string' || !/^#(?:\/[^/]{1,100}){0,10}$/.test(reference))
		return undefined;
	let value: JsonValue | undefined = root;
	for (const key of reference.split('/').slice(1)) {
		const name = key.replace(/~1/g, '/').replace(/~0/g, '~');
		value = isJsonObject(value) ? fieldOf(value, name) : undefined;
	}
	return value;
}

function choosePart(schema: JsonObject, prefersNull: boolean): JsonValue | undefined {
	const parts =
		arrayOf(schema, 'anyOf') ?? arrayOf(schema, 'oneOf') ?? arrayOf(schema, 'allOf') ?? [];
	const isNull = (part: JsonValue) => isJsonObject(part) && fieldOf(part, 'type') === 'null';
	return parts.slice(0, maxChoices).find((part) => isNull(part) === prefersNull) ?? parts[0];
}

/** The type a value must have; a string when the schema leaves it open. */
export function typeOf(schema: JsonObject): SchemaType {
	const stated = fieldOf(schema, 'type');
	const names = Array.isArray(stated) ? stated.slice(0, types.length) : [stated];
	const known = types.find((type) => names.includes(type));
	const keyword = Object.keys(typeOfKeyword).find((name) => Object.hasOwn(schema, name));
	return known ?? typeOfKeyword[keyword ?? ''] ?? 'string';
}

/** A field of the object itself, never one of its prototype. */
export function fieldOf(object: JsonObject, key: string): JsonValue | undefined {
	return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function numberOf(schema: JsonObject, keyword: string): number | undefined {
	const value = fieldOf(schema, keyword);
	return typeof value === 'number' ? value : undefined;
}

/** A keyword that is an array with something in it. */
export function arrayOf(schema: JsonObject, keyword: string): readonly JsonValue[] | undefined {
	const value = fieldOf(schema, keyword);
	return Array.isArray(value) && value.length > 0 ? value : undefined;
}
