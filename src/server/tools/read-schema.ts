/**
 * What a JSON Schema says about one value, read without trust: a keyword of the wrong type counts
 * as absent, references and unions are followed as far as a bound.
 */

import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {fieldOf} from '../json.ts';
import type {Allowance} from './allowance.ts';

/** One after the other and one inside the other, together. */
const maxHops = 20;

const unionKeywords = ['allOf', 'anyOf', 'oneOf'] as const;

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

/** Where references point into, and the work that is left for the value under way. */
export type SchemaSource = {readonly root: JsonObject; readonly allowance: Allowance};

/**
 * A schema without `$ref`, `allOf`, `anyOf` and `oneOf` at its root. Of a union the first part that
 * is not null is taken, or null itself if `prefersNull`. Once the hops or the allowance are spent,
 * only the type is left of a schema that points elsewhere.
 */
export function resolveSchema(
	source: SchemaSource,
	schema: JsonValue,
	prefersNull: boolean,
	hops = maxHops,
): JsonObject {
	let current = isJsonObject(schema) ? schema : {};
	for (let left = hops - 1; left >= 0; left -= 1) {
		if (!isIndirect(current)) return current;
		if (!source.allowance.take(1) || !source.allowance.take(weigh(current))) break;
		current = resolveOnce(source, current, prefersNull, left);
	}
	return isIndirect(current) ? keepType(current) : current;
}

function keepType(schema: JsonObject): JsonObject {
	const type = fieldOf(schema, 'type');
	return type === undefined ? {} : {type};
}

function isIndirect(schema: JsonObject): boolean {
	return (
		typeof fieldOf(schema, '$ref') === 'string' ||
		unionKeywords.some((keyword) => Array.isArray(fieldOf(schema, keyword)))
	);
}

/** @param hops How many are left for the parts, which nest no deeper than that. */
function resolveOnce(
	source: SchemaSource,
	schema: JsonObject,
	prefersNull: boolean,
	hops: number,
): JsonObject {
	const {$ref: reference, allOf, anyOf, oneOf, ...rest} = schema;
	if (typeof reference === 'string') return merge(source, rest, followPointer(source, reference));
	if (Array.isArray(allOf)) {
		return allOf.reduce(
			(merged: JsonObject, part: JsonValue) =>
				merge(source, merged, resolveSchema(source, part, prefersNull, hops)),
			pick(rest, {anyOf, oneOf}),
		);
	}
	const union = readArray(anyOf) ?? readArray(oneOf) ?? [];
	return merge(source, rest, choosePart(source, union, prefersNull, hops));
}

function choosePart(
	source: SchemaSource,
	parts: readonly JsonValue[],
	prefersNull: boolean,
	hops: number,
): JsonValue {
	const isNull = (part: JsonValue) =>
		isJsonObject(part) && typeOf(resolveSchema(source, part, false, hops)) === 'null';
	const fits = (part: JsonValue) => source.allowance.take(1) && isNull(part) === prefersNull;
	return parts.find(fits) ?? parts[0] ?? {};
}

/** The type a value must have; a string when the schema leaves it open. */
export function typeOf(schema: JsonObject): SchemaType {
	const stated = fieldOf(schema, 'type');
	const names = Array.isArray(stated) ? stated.slice(0, types.length) : [stated];
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
function followPointer({root, allowance}: SchemaSource, reference: string): JsonValue {
	if (!reference.startsWith('#') || !allowance.take(reference.length)) return {};
	const keys = reference.slice(1).split('/').slice(1);
	let value: JsonValue | undefined = root;
	for (const key of keys) {
		const name = key.replace(/~1/g, '/').replace(/~0/g, '~');
		if (Array.isArray(value)) value = value[Number(name)];
		else value = isJsonObject(value) ? fieldOf(value, name) : undefined;
	}
	return value ?? {};
}

function merge({allowance}: SchemaSource, left: JsonObject, right: JsonValue): JsonObject {
	if (!isJsonObject(right) || !allowance.take(1)) return left;
	if (!allowance.take(weigh(left) + weigh(right))) return left;
	const properties = [...pairsOf(left, 'properties'), ...pairsOf(right, 'properties')];
	const required = [...(arrayOf(left, 'required') ?? []), ...(arrayOf(right, 'required') ?? [])];
	return {
		...right,
		...left,
		...(properties.length === 0 ? {} : {properties: Object.fromEntries(properties)}),
		...(required.length === 0 ? {} : {required}),
	};
}

/** What it costs to copy a schema, in steps. */
function weigh(schema: JsonObject): number {
	const required = arrayOf(schema, 'required')?.length ?? 0;
	return 1 + Object.keys(schema).length + pairsOf(schema, 'properties').length + required;
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
