/**
 * What a JSON Schema says about one value, read without trust: a keyword of the wrong type counts
 * as absent, references and unions are followed as far as a bound.
 */

import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {fieldOf} from '../json.ts';

const maxHops = 20;

export type SchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

const types: readonly SchemaType[] = [
	'object',
	'array',
	'string',
	'number',
	'integer',
	'boolean',
	'null',
];

/** Keywords that betray the type of a schema without one. */
const typeOfKeyword: ReadonlyArray<readonly [keyword: string, type: SchemaType]> = [
	['properties', 'object'],
	['required', 'object'],
	['items', 'array'],
	['prefixItems', 'array'],
	['minItems', 'array'],
	['minimum', 'number'],
	['maximum', 'number'],
	['multipleOf', 'number'],
];

/**
 * A schema without `$ref`, `allOf`, `anyOf` and `oneOf` at its root. Of a union the first part that
 * is not null is taken, or null itself if `prefersNull`.
 */
export function resolveSchema(
	root: JsonObject,
	schema: JsonValue,
	prefersNull: boolean,
): JsonObject {
	let current = isJsonObject(schema) ? schema : {};
	for (let hop = 0; hop < maxHops; hop += 1) {
		const next = resolveOnce(root, current, prefersNull);
		if (next === undefined) return current;
		current = next;
	}
	return current;
}

function resolveOnce(
	root: JsonObject,
	schema: JsonObject,
	prefersNull: boolean,
): JsonObject | undefined {
	const {$ref: reference, allOf, anyOf, oneOf, ...rest} = schema;
	if (typeof reference === 'string') return merge(rest, followPointer(root, reference));
	if (Array.isArray(allOf)) {
		return allOf.reduce(
			(merged: JsonObject, part: JsonValue) =>
				merge(merged, resolveSchema(root, part, prefersNull)),
			pick(rest, {anyOf, oneOf}),
		);
	}
	const union = readArray(anyOf) ?? readArray(oneOf);
	if (union === undefined) return undefined;
	return merge(rest, choosePart(root, union, prefersNull));
}

function choosePart(
	root: JsonObject,
	parts: readonly JsonValue[],
	prefersNull: boolean,
): JsonValue {
	const isNull = (part: JsonValue) =>
		isJsonObject(part) && typeOf(resolveSchema(root, part, false)) === 'null';
	return parts.find((part) => isNull(part) === prefersNull) ?? parts[0] ?? {};
}

/** The type a value must have; a string when the schema leaves it open. */
export function typeOf(schema: JsonObject): SchemaType {
	const stated = fieldOf(schema, 'type');
	const names = Array.isArray(stated) ? stated : [stated];
	const known = types.filter((type) => names.includes(type));
	const [first] = known.length > 1 ? known.filter((type) => type !== 'null') : known;
	if (first !== undefined) return first;
	const implied = typeOfKeyword.find(([keyword]) => Object.hasOwn(schema, keyword));
	return implied?.[1] ?? 'string';
}

export function numberOf(schema: JsonObject, keyword: string): number | undefined {
	const value = fieldOf(schema, keyword);
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function stringOf(schema: JsonObject, keyword: string): string | undefined {
	const value = fieldOf(schema, keyword);
	return typeof value === 'string' ? value : undefined;
}

/** A keyword that is an array with something in it. */
export function arrayOf(schema: JsonObject, keyword: string): readonly JsonValue[] | undefined {
	return readArray(fieldOf(schema, keyword));
}

/** A keyword that maps names to schemas, as pairs. */
export function pairsOf(schema: JsonObject, keyword: string): ReadonlyArray<[string, JsonValue]> {
	const value = fieldOf(schema, keyword);
	return isJsonObject(value) ? Object.entries(value) : [];
}

function readArray(value: JsonValue | undefined): readonly JsonValue[] | undefined {
	return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** A local reference, `#/$defs/name` or any JSON pointer into the root. */
function followPointer(root: JsonObject, reference: string): JsonValue {
	if (!reference.startsWith('#')) return {};
	const keys = reference.slice(1).split('/').slice(1);
	let value: JsonValue | undefined = root;
	for (const key of keys) {
		const name = key.replace(/~1/g, '/').replace(/~0/g, '~');
		if (Array.isArray(value)) value = value[Number(name)];
		else value = isJsonObject(value) ? fieldOf(value, name) : undefined;
	}
	return value ?? {};
}

function merge(left: JsonObject, right: JsonValue): JsonObject {
	if (!isJsonObject(right)) return left;
	const properties = [...pairsOf(left, 'properties'), ...pairsOf(right, 'properties')];
	const required = [...(arrayOf(left, 'required') ?? []), ...(arrayOf(right, 'required') ?? [])];
	return {
		...right,
		...left,
		...(properties.length === 0 ? {} : {properties: Object.fromEntries(properties)}),
		...(required.length === 0 ? {} : {required}),
	};
}

function pick(
	rest: JsonObject,
	unions: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject {
	const given = Object.entries(unions).filter(
		(pair): pair is [string, JsonValue] => pair[1] !== undefined,
	);
	return {...rest, ...Object.fromEntries(given)};
}
