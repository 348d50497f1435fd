/**
 * Makes a value that a JSON Schema allows: its required properties, its choices, its types and
 * limits, filled with what a prompt offers. Patterns are not followed. The size of the value is
 * bounded, whatever the schema says. A keyword of the wrong type counts as absent.
 */
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';

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
/** References may go round in a ring. */
const maxHops = 20;
/** Of the parts of a union, and of the values of an `enum`. */
const maxChoices = 100;

type Context = {
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

export function makeValue(schema: JsonObject, hints: Hints): JsonValue {
	const context = {root: schema, hints, numbers: [...hints.numbers], lengthLeft: maxLength};
	return make(context, schema, {name: '', depth: 0, index: 0});
}

type Make = (context: Context, schema: JsonObject, place: Place) => JsonValue;

const makers = {
	object: makeObject,
	array: makeArray,
	string: makeString,
	number: makeNumber,
	integer: makeNumber,
	boolean: (_context, schema) => fieldOf(schema, 'default') !== false,
	null: () => null,
} satisfies Readonly<Record<string, Make>>;

const types = Object.keys(makers) as ReadonlyArray<keyof typeof makers>;

function make(context: Context, wanted: JsonValue, place: Place): JsonValue {
	context.lengthLeft -= place.name.length + 8;
	if (context.lengthLeft < 0 || place.depth > maxDepth) return null;
	const schema = resolve(context.root, wanted, place.depth >= frugalDepth);
	const constant = fieldOf(schema, 'const');
	if (constant !== undefined) return spend(context, constant);
	const choices = arrayOf(schema, 'enum')?.slice(0, maxChoices);
	if (choices !== undefined) return spend(context, choose(context, choices, place));
	return makers[typeOf(schema)](context, schema, place);
}

function spend(context: Context, value: JsonValue): JsonValue {
	context.lengthLeft -= JSON.stringify(value).length;
	return context.lengthLeft < 0 ? null : value;
}

/**
 * The schema that a `$ref` or a union leads to. Of `anyOf`, `oneOf` and `allOf` the first part
 * counts; of several, the first that is not null, or null if `prefersNull`.
 */
function resolve(root: JsonObject, schema: JsonValue, prefersNull: boolean): JsonObject {
	let current = isJsonObject(schema) ? schema : {};
	for (let hops = 0; hops < maxHops; hops += 1) {
		const next = followPointer(root, current) ?? choosePart(current, prefersNull);
		if (!isJsonObject(next)) return current;
		current = next;
	}
	return {};
}

/** A local reference such as `#/$defs/name`. */
function followPointer(root: JsonObject, schema: JsonObject): JsonValue | undefined {
	const reference = fieldOf(schema, '$ref');
	if (typeof reference !== 'string' || !/^#(?:\/[^/]{1,100}){0,10}$/.test(reference))
		return undefined;
	let value: JsonValue | undefined = root;
	for (const name of reference.split('/').slice(1)) {
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
function typeOf(schema: JsonObject): keyof typeof makers {
	const stated = fieldOf(schema, 'type');
	const names = Array.isArray(stated) ? stated.slice(0, types.length) : [stated];
	const known = types.find((type) => names.includes(type));
	if (known !== undefined) return known;
	if (Object.hasOwn(schema, 'properties')) return 'object';
	return Object.hasOwn(schema, 'items') ? 'array' : 'string';
}

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
	const isNumeric = ['number', 'integer'].includes(typeOf(resolve(context.root, items, false)));
	const offered = isNumeric ? context.numbers.length : 0;
	const wanted = Math.max(numberOf(schema, 'minItems') ?? 0, offered, depth < frugalDepth ? 1 : 0);
	const length = Math.min(wanted, numberOf(schema, 'maxItems') ?? maxItems, maxItems);
	const values: JsonValue[] = [];
	for (let index = 0; index < length && context.lengthLeft >= 0; index += 1) {
		values.push(make(context, items, {name, depth: depth + 1, index}));
	}
	return values;
}

/** The number beside the name, else the next one of the prompt, else the default within its limits. */
function makeNumber(
	{hints, numbers}: Context,
	schema: JsonObject,
	{name, index}: Place,
): JsonValue {
	const above = numberOf(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY;
	const below = numberOf(schema, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY;
	const least = numberOf(schema, 'minimum') ?? above + 1;
	const most = numberOf(schema, 'maximum') ?? below - 1;
	const isInteger = typeOf(schema) === 'integer';
	const isAllowed = (value: number) =>
		value >= least && value <= most && (!isInteger || Number.isInteger(value));
	const given = Number(hints.named(name) ?? Number.NaN);
	if (isAllowed(given)) return given;
	const place = numbers.findIndex(isAllowed);
	if (place >= 0) return numbers.splice(place, 1)[0] ?? 0;
	const likely = Math.max(least, Math.min(most, (numberOf(schema, 'default') ?? 1) + index));
	return isInteger ? Math.ceil(likely) : likely;
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
function makeString(context: Context, schema: JsonObject, {name, index}: Place): JsonValue {
	const fallback = fieldOf(schema, 'default');
	const format = fieldOf(schema, 'format');
	const example = typeof format === 'string' ? fieldOf(exampleOfFormat, format) : undefined;
	if (example !== undefined) return spend(context, example);
	const said =
		context.hints.named(name) ?? (typeof fallback === 'string' ? fallback : context.hints.text);
	const least = Math.min(numberOf(schema, 'minLength') ?? 0, maxLength);
	const points = [...said.slice(0, maxLength), ...(index === 0 ? '' : ` ${index + 1}`)];
	const shown = points.slice(0, numberOf(schema, 'maxLength') ?? maxLength).join('');
	return spend(context, shown.padEnd(least, '.'));
}

/** A field of the object itself, never one of its prototype. */
function fieldOf(object: JsonObject, key: string): JsonValue | undefined {
	return Object.hasOwn(object, key) ? object[key] : undefined;
}

function numberOf(schema: JsonObject, keyword: string): number | undefined {
	const value = fieldOf(schema, keyword);
	return typeof value === 'number' ? value : undefined;
}

/** A keyword that is an array with something in it. */
function arrayOf(schema: JsonObject, keyword: string): readonly JsonValue[] | undefined {
	const value = fieldOf(schema, keyword);
	return Array.isArray(value) && value.length > 0 ? value : undefined;
}
