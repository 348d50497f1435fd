/**
 * Makes a value for a JSON Schema from a prompt: required properties, types, choices and minima.
 * Other keywords are ignored. The value's size is bounded, whatever the schema says.
 */
import {asArray, asNumber, isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';

/** Approximate characters in a whole value; the rest is null. */
const maxLength = 200_000;
const maxItems = 100;
const maxDepth = 24;
/** The depth from which on null is preferred, so that recursive schemas end. */
const frugalDepth = 4;
/** References may go round in a ring. */
const maxHops = 20;
/** Applies to union members, and to `enum` values. */
const maxChoices = 100;
const maxPromptLength = 2_000;

type Context = {
	readonly root: JsonObject;
	readonly prompt: string;
	/** The prompt's unused numbers. */
	readonly numbers: number[];
	lengthLeft: number;
};

export function makeValue(schema: JsonObject, instruction: string): JsonValue {
	const prompt = instruction.slice(0, maxPromptLength);
	const numbers = (prompt.match(/(?<![\w.])-?\d+(?:\.\d+)?(?!\w)/g) ?? []).map(Number);
	return make({root: schema, prompt, numbers, lengthLeft: maxLength}, schema, '', 0);
}

/** @param name the property, or the enclosing array */
function make(context: Context, wanted: JsonValue, name: string, depth: number): JsonValue {
	context.lengthLeft -= name.length + 8;
	if (context.lengthLeft < 0 || depth > maxDepth) return null;
	const schema = resolve(context.root, wanted, depth >= frugalDepth);
	const constant = fieldOf(schema, 'const');
	const choices = constant === undefined ? arrayOf(schema, 'enum') : [constant];
	if (choices.length > 0) return spend(context, choose(context.prompt, choices));
	const type = typeOf(schema);
	if (type === 'object') return makeObject(context, schema, depth);
	if (type === 'array') return makeArray(context, schema, name, depth);
	if (type === 'number' || type === 'integer') return makeNumber(context, schema, name);
	if (type === 'boolean' || type === 'null') return type === 'boolean' || null;
	return spend(context, findText(context.prompt, name));
}

function spend(context: Context, value: JsonValue): JsonValue {
	context.lengthLeft -= JSON.stringify(value).length;
	return context.lengthLeft < 0 ? null : value;
}

/** Follows local references, and unions to their first non-null member. */
function resolve(root: JsonObject, schema: JsonValue, prefersNull: boolean): JsonObject {
	let current = schema;
	for (let hops = 0; hops < maxHops && isJsonObject(current); hops += 1) {
		const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => arrayOf(current, key));
		const isNull = (part: JsonValue) => fieldOf(part, 'type') === 'null';
		const part = parts.find((one) => isNull(one) === prefersNull) ?? parts[0];
		const next = followReference(root, fieldOf(current, '$ref')) ?? part;
		if (!isJsonObject(next)) return current;
		current = next;
	}
	return {};
}

/** A local one, such as `#/$defs/name`. */
function followReference(root: JsonObject, reference = null as JsonValue): JsonValue | undefined {
	if (typeof reference !== 'string' || !/^#(?:\/[^/]{1,100}){0,10}$/.test(reference)) return;
	const steps = reference.split('/').slice(1);
	return steps.reduce<JsonValue | undefined>((value, key) => fieldOf(value, key), root);
}

/** A string where the schema allows anything. */
function typeOf(schema: JsonObject): JsonValue {
	const stated = fieldOf(schema, 'type');
	if (typeof stated === 'string') return stated;
	const types = arrayOf(schema, 'type');
	if (types.length > 0) return types.find((type) => type !== 'null') ?? 'null';
	return fieldOf(schema, 'properties') === undefined ? 'string' : 'object';
}

/** The first choice mentioned in the prompt, otherwise the first. */
function choose(prompt: string, choices: readonly JsonValue[]): JsonValue {
	const lower = prompt.toLowerCase();
	const isMentioned = (choice: JsonValue) =>
		typeof choice === 'string' && choice !== '' && lower.includes(choice.toLowerCase());
	return choices.find(isMentioned) ?? choices[0] ?? null;
}

/** The required properties. Where a tool requires nothing, its first one makes a better example. */
function makeObject(context: Context, schema: JsonObject, depth: number): JsonValue {
	const properties = fieldOf(schema, 'properties');
	const first = isJsonObject(properties) && depth === 0 ? Object.keys(properties).slice(0, 1) : [];
	const names = fieldOf(schema, 'required');
	const entries: Array<readonly [string, JsonValue]> = [];
	for (const name of Array.isArray(names) && names.length > 0 ? names : first) {
		if (typeof name !== 'string') continue;
		const value = make(context, fieldOf(properties, name) ?? {}, name, depth + 1);
		if (context.lengthLeft < 0) break;
		entries.push([name, value]);
	}
	return Object.fromEntries(entries);
}

function makeArray(context: Context, schema: JsonObject, name: string, depth: number): JsonValue {
	const least = Math.max(asNumber(fieldOf(schema, 'minItems')) ?? 0, depth < frugalDepth ? 1 : 0);
	const values: JsonValue[] = [];
	while (values.length < Math.min(least, maxItems) && context.lengthLeft >= 0) {
		values.push(make(context, fieldOf(schema, 'items') ?? {}, name, depth + 1));
	}
	return values;
}

/**
 * The number beside the name, otherwise the prompt's next number, otherwise the minimum, at least
 * 1.
 */
function makeNumber({prompt, numbers}: Context, schema: JsonObject, name: string): JsonValue {
	const above = asNumber(fieldOf(schema, 'exclusiveMinimum')) ?? Number.NEGATIVE_INFINITY;
	const least = asNumber(fieldOf(schema, 'minimum')) ?? above + 1;
	const most = asNumber(fieldOf(schema, 'maximum')) ?? Number.POSITIVE_INFINITY;
	const isInteger = typeOf(schema) === 'integer';
	const isAllowed = (value: number) =>
		value >= least && value <= most && (!isInteger || Number.isInteger(value));
	const named = Number(findNamed(prompt, name) ?? Number.NaN);
	if (isAllowed(named)) return named;
	const place = numbers.findIndex(isAllowed);
	if (place >= 0) return numbers.splice(place, 1)[0] ?? 0;
	const likely = Math.min(Math.max(least, 1), most);
	return isInteger ? Math.ceil(likely) : likely;
}

/** The text beside the name, else what the prompt quotes or is about (`the weather in Rome?`), else all. */
function findText(prompt: string, name: string): string {
	const [, ...quoted] = /"([^"]+)"|“([^”]+)”|`([^`]+)`/.exec(prompt) ?? [];
	const about = /^.*\b(?:in|of|for|at|to|about) (\S[^?!]*)[?.!]*$/is.exec(prompt)?.[1];
	const found = [findNamed(prompt, name), ...quoted, about?.replace(/\.$/, '')];
	return found.find((text) => text !== undefined) ?? prompt;
}

/** Finds the value in `city: Paris` or `city = "Paris"`. */
function findNamed(prompt: string, name: string): string | undefined {
	const start = name === '' ? -1 : prompt.toLowerCase().indexOf(name.toLowerCase());
	const rest = start < 0 ? '' : prompt.slice(start + name.length);
	const found = /^["'`]?\s*[:=]\s*(?:"([^"\n]+)"|([^\s,;"]+))/.exec(rest);
	return found?.[1] ?? found?.[2];
}

/** An own field, never an inherited one. */
function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
	return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function arrayOf(schema: JsonValue, keyword: string): readonly JsonValue[] {
	return asArray(fieldOf(schema, keyword))?.slice(0, maxChoices) ?? [];
}
