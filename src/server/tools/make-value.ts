/**
 * Makes a value that fits a JSON Schema, from what a prompt offers where it offers something. The
 * size of the value and the work for it are bounded, whatever the schema says.
 */

import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {fieldOf} from '../json.ts';
import {createAllowance} from './allowance.ts';
import type {Hints} from './hints.ts';
import {makeNumber} from './make-number.ts';
import {makeString} from './make-string.ts';
import {arrayOf, numberOf, resolveSchema, type SchemaSource, typeOf} from './read-schema.ts';

const maxValues = 2_000;
const maxItems = 100;
/** Of an `enum`, looked at. */
const maxChoices = 1_000;
/** From here on, only what is required is made, and null where it is allowed. */
const frugalDepth = 4;
const maxDepth = 24;

type Context = SchemaSource & {readonly hints: Hints; valuesLeft: number};

type Place = {
	/** The name of the property, or of the array an item is in. */
	readonly name: string;
	readonly depth: number;
	/** 0 for the first of several values that must differ. */
	readonly variant: number;
};

/**
 * A value of the schema; the schema is the root that its references point into.
 *
 * @param name What the value is called, if anything.
 */
export function makeValue(schema: JsonObject, hints: Hints, name = ''): JsonValue {
	const allowance = createAllowance();
	const context = {root: schema, allowance, hints, valuesLeft: maxValues};
	return make(context, schema, {name, depth: 0, variant: 0});
}

function make(context: Context, wanted: JsonValue, place: Place): JsonValue {
	const schema = resolveSchema(context, wanted, place.depth >= frugalDepth);
	context.valuesLeft -= 1;
	const given = readGiven(context, schema, place.variant);
	if (given !== undefined) return isAffordable(context, given) ? given : null;
	const type = typeOf(schema);
	if (type === 'object') return makeObject(context, schema, place);
	if (type === 'array') return makeArray(context, schema, place);
	return makeScalar(context, schema, type, place);
}

/** The value that a schema gives word for word, if any. */
function readGiven({hints}: Context, schema: JsonObject, variant: number): JsonValue | undefined {
	const constant = fieldOf(schema, 'const');
	if (constant !== undefined) return constant;
	const choices = arrayOf(schema, 'enum')?.slice(0, maxChoices);
	return choices === undefined ? undefined : choose(hints, choices, variant);
}

/** Takes a step for each part and each character of a value that is repeated word for word. */
function isAffordable(context: Context, value: JsonValue): boolean {
	const {allowance} = context;
	if (typeof value === 'string') return allowance.take(1 + value.length);
	if (!allowance.take(1)) return false;
	if (typeof value !== 'object' || value === null) return true;
	const parts = Array.isArray(value) ? value : Object.entries(value).flat();
	return parts.every((part: JsonValue) => isAffordable(context, part));
}

/** The choice that the prompt names, else the first. */
function choose(hints: Hints, choices: readonly JsonValue[], variant: number): JsonValue {
	const named = choices.find((choice) => typeof choice === 'string' && hints.mentions(choice));
	if (named !== undefined && variant === 0) return named;
	return choices[variant % choices.length] ?? null;
}

function makeScalar(
	{hints}: Context,
	schema: JsonObject,
	type: 'string' | 'number' | 'integer' | 'boolean' | 'null',
	{name, variant}: Place,
): JsonValue {
	if (type === 'null') return null;
	if (type === 'string') return makeString(schema, name, hints, variant);
	if (type !== 'boolean') return makeNumber(schema, name, type, hints, variant);
	const fallback = fieldOf(schema, 'default');
	const said = hints.valueFor(name);
	if (said === 'true' || said === 'false') return said === 'true';
	return typeof fallback === 'boolean' ? fallback : variant % 2 === 0;
}

function makeObject(context: Context, schema: JsonObject, {depth}: Place): JsonValue {
	const required = readRequired(schema);
	const properties = listProperties(context, schema, required);
	const known = new Set(properties.map(([name]) => name));
	const wanted = properties.filter(([name, property]) =>
		required.has(name) ? true : depth < frugalDepth && isOffered(context, name, property),
	);
	if (wanted.length === 0 && depth === 0) wanted.push(...properties.slice(0, 1));
	const additional = fieldOf(schema, 'additionalProperties') ?? {};
	for (const name of required) {
		if (!known.has(name)) wanted.push([name, additional]);
	}
	return Object.fromEntries(
		wanted
			.filter(([name]) => canGoOn(context, depth) || required.has(name))
			.filter(([name]) => context.allowance.take(1 + name.length))
			.slice(0, maxValues)
			.map(([name, property]) => [name, makeInside(context, property, {name, depth, variant: 0})]),
	);
}

function readRequired(schema: JsonObject): ReadonlySet<string> {
	const names = arrayOf(schema, 'required')?.slice(0, maxValues) ?? [];
	return new Set(names.filter((name) => typeof name === 'string'));
}

/** All properties of an object; those that are required when the work for the others is too much. */
function listProperties(
	{allowance}: Context,
	schema: JsonObject,
	required: ReadonlySet<string>,
): ReadonlyArray<[string, JsonValue]> {
	const properties = fieldOf(schema, 'properties');
	if (!isJsonObject(properties)) return [];
	if (allowance.take(1) && allowance.take(Object.keys(properties).length)) {
		return Object.entries(properties);
	}
	return [...required].flatMap((name): Array<[string, JsonValue]> => {
		const property = fieldOf(properties, name);
		return property === undefined ? [] : [[name, property]];
	});
}

function makeInside(context: Context, schema: JsonValue, place: Place): JsonValue {
	if (!canGoOn(context, place.depth)) return null;
	return make(context, schema, {...place, depth: place.depth + 1});
}

function canGoOn(context: Context, depth: number): boolean {
	return context.valuesLeft > 0 && depth < maxDepth;
}

/** Whether the prompt says something for a property that could be left out. */
function isOffered(context: Context, name: string, property: JsonValue): boolean {
	const {hints} = context;
	const schema = resolveSchema(context, property, false);
	const choices = arrayOf(schema, 'enum')?.slice(0, maxChoices);
	if (choices !== undefined) {
		return choices.some((choice) => typeof choice === 'string' && hints.mentions(choice));
	}
	const type = typeOf(schema);
	if (type === 'string' || type === 'boolean') return hints.valueFor(name) !== undefined;
	return hints.mentions(name.replace(/_/g, ' ')) || hints.mentions(name);
}

function makeArray(context: Context, schema: JsonObject, {name, depth}: Place): JsonValue {
	const tuple = arrayOf(schema, 'prefixItems') ?? [];
	const least = Math.min(numberOf(schema, 'minItems') ?? 0, maxItems);
	const most = Math.min(numberOf(schema, 'maxItems') ?? maxItems, maxItems);
	const items = fieldOf(schema, 'items') ?? {};
	const offered = depth < frugalDepth ? Math.max(countOffered(context, items), tuple.length, 1) : 0;
	const length = Math.min(Math.max(least, offered), most);
	const isUnique = fieldOf(schema, 'uniqueItems') === true;
	const values: JsonValue[] = [];
	const seen = new Set<string>();
	const maxTries = length * 2 + 4;
	for (let variant = 0; values.length < length && variant < maxTries; variant += 1) {
		const item = tuple[values.length] ?? items;
		const place = {name, depth, variant: isUnique ? variant : 0};
		const value = makeInside(context, item, place);
		const key = JSON.stringify(value);
		if (isUnique && seen.has(key)) continue;
		seen.add(key);
		values.push(value);
	}
	return values;
}

/** An array of numbers takes all numbers of the prompt. */
function countOffered(context: Context, items: JsonValue): number {
	const type = typeOf(resolveSchema(context, items, false));
	return type === 'number' || type === 'integer' ? context.hints.numbers.length : 0;
}
