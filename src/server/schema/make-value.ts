/**
 * Makes a value that a JSON Schema allows: its required properties, its choices, its types and
 * limits, filled with what a prompt offers. Patterns are not followed. The size of the value is
 * bounded, whatever the schema says.
 */
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {
	arrayOf,
	fieldOf,
	maxChoices,
	numberOf,
	resolveSchema,
	type SchemaType,
	typeOf,
} from './read-schema.ts';

/** Values that a prompt offers. */
export type Hints = {
	/** Its subject, in a few words. */
	readonly text: string;
	readonly numbers: readonly number[];
	readonly mentions: (word: string) => boolean;
	/** The value that it gives for a name, if any. */
	readonly named: (name: string) => string | undefined;
};

/** Of a whole value, in characters; what goes beyond is null. */
const maxLength = 200_000;
const maxItems = 100;
const maxDepth = 24;
/** From here on, null is made where it is allowed, so that schemas of trees come to an end. */
const frugalDepth = 4;

type Context = {
	/** Where references point into. */
	readonly root: JsonObject;
	readonly hints: Hints;
	/** Of the prompt, those that are not used yet. */
	readonly numbers: number[];
	lengthLeft: number;
};

type Place = {
	/** The name of the property, or of the array an item is in. */
	readonly name: string;
	readonly depth: number;
	/** Among the items of an array, which may have to differ. */
	readonly index: number;
};

/** A value of the schema. */
export function makeValue(schema: JsonObject, hints: Hints): JsonValue {
	const context = {root: schema, hints, numbers: [...hints.numbers], lengthLeft: maxLength};
	return make(context, schema, {name: '', depth: 0, index: 0});
}

type Make = (context: Context, schema: JsonObject, place: Place) => JsonValue;

const makers: Readonly<Record<SchemaType, Make>> = {
	object: makeObject,
	array: makeArray,
	string: (context, schema, place) => spend(context, makeString(context, schema, place)),
	number: makeNumber,
	integer: makeNumber,
	boolean: (_context, schema) => fieldOf(schema, 'default') !== false,
	null: () => null,
};

function make(context: Context, wanted: JsonValue, place: Place): JsonValue {
	context.lengthLeft -= place.name.length + 8;
	if (context.lengthLeft < 0 || place.depth > maxDepth) return null;
	const schema = resolveSchema(context.root, wanted, place.depth >= frugalDepth);
	const constant = fieldOf(schema, 'const');
	if (constant !== undefined) return spend(context, constant);
	const choices = arrayOf(schema, 'enum')?.slice(0, maxChoices);
	if (choices !== undefined) return spend(context, choose(context, choices, place));
	return makers[typeOf(schema)](context, schema, place);
}

/** The value, if there is still room for it. */
function spend(context: Context, value: JsonValue): JsonValue {
	context.lengthLeft -= typeof value === 'string' ? value.length : JSON.stringify(value).length;
	return context.lengthLeft < 0 ? null : value;
}

/** The choice that the prompt names, else the first. */
function choose({hints}: Context, choices: readonly JsonValue[], {index}: Place): JsonValue {
	const named = choices.find((choice) => typeof choice === 'string' && hints.mentions(choice));
	return index === 0 && named !== undefined ? named : (choices[index % choices.length] ?? null);
}

/** The required properties; the first one where none is. */
function makeObject(context: Context, schema: JsonObject, {depth}: Place): JsonValue {
	const properties = fieldOf(schema, 'properties');
	const known = isJsonObject(properties) ? properties : {};
	const required =
		arrayOf(schema, 'required') ?? (depth === 0 ? Object.keys(known).slice(0, 1) : []);
	const entries: Array<readonly [string, JsonValue]> = [];
	for (const name of required) {
		if (context.lengthLeft < 0 || typeof name !== 'string') break;
		const property = fieldOf(known, name) ?? fieldOf(schema, 'additionalProperties') ?? {};
		const value = make(context, property, {name, depth: depth + 1, index: 0});
		if (context.lengthLeft >= 0) entries.push([name, value]);
	}
	return Object.fromEntries(entries);
}

/** An array of numbers takes all that are left of the prompt's. */
function makeArray(context: Context, schema: JsonObject, {name, depth}: Place): JsonValue {
	const items = fieldOf(schema, 'items') ?? {};
	const itemType = typeOf(resolveSchema(context.root, items, false));
	const isNumeric = itemType === 'number' || itemType === 'integer';
	const offered = isNumeric ? context.numbers.length : 0;
	const wanted = Math.max(numberOf(schema, 'minItems') ?? 0, offered, depth < frugalDepth ? 1 : 0);
	const length = Math.min(wanted, numberOf(schema, 'maxItems') ?? maxItems, maxItems);
	const values: JsonValue[] = [];
	for (let index = 0; index < length && context.lengthLeft >= 0; index += 1) {
		values.push(make(context, items, {name, depth: depth + 1, index}));
	}
	return values;
}

/** The number beside the name, else the next one of the prompt, else the default, else a limit. */
function makeNumber(context: Context, schema: JsonObject, {name, index}: Place): JsonValue {
	const {hints, numbers} = context;
	const least = numberOf(schema, 'minimum') ?? Number.NEGATIVE_INFINITY;
	const most = numberOf(schema, 'maximum') ?? Number.POSITIVE_INFINITY;
	const above = numberOf(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY;
	const below = numberOf(schema, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY;
	const isInteger = typeOf(schema) === 'integer';
	const isAllowed = (value: number) =>
		value >= least &&
		value <= most &&
		value > above &&
		value < below &&
		(!isInteger || Number.isInteger(value));
	const given = Number(hints.named(name) ?? Number.NaN);
	if (isAllowed(given)) return given;
	const place = numbers.findIndex(isAllowed);
	if (place >= 0) return numbers.splice(place, 1)[0] ?? 0;
	const likely = [numberOf(schema, 'default') ?? 1, 1, least, above + 1, most, below - 1];
	return likely.map((value) => value + index).find(isAllowed) ?? likely.find(isAllowed) ?? 0;
}

/** A value of each format that clients check. */
const exampleOfFormat: JsonObject = {
	date: '2026-01-31',
	'date-time': '2026-01-31T12:00:00Z',
	time: '12:00:00Z',
	email: 'ada@example.com',
	uri: 'https://example.com/',
	uuid: '00000000-0000-4000-8000-000000000000',
};

/** Lengths are counted in code points, as JSON Schema does. */
function makeString({hints}: Context, schema: JsonObject, {name, index}: Place): string {
	const fallback = fieldOf(schema, 'default');
	const format = fieldOf(schema, 'format');
	const example = typeof format === 'string' ? fieldOf(exampleOfFormat, format) : undefined;
	if (typeof example === 'string') return example;
	const said = hints.named(name) ?? (typeof fallback === 'string' ? fallback : hints.text);
	const least = Math.min(numberOf(schema, 'minLength') ?? 0, maxLength);
	const points = [...said.slice(0, maxLength), ...(index === 0 ? '' : ` ${index + 1}`)];
	const shown = points.slice(0, numberOf(schema, 'maxLength') ?? maxLength).join('');
	return shown.padEnd(least, '.');
}
