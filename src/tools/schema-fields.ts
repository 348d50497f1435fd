/**
 * Reads a JSON Schema that is written in short: `name, age int, tags[], home? {street, city}`.
 *
 * ```
 * fields := field (("," | line end) field)*
 * field  := name marks type? marks (":" description)?
 * marks  := ("?" | "[]")*
 * type   := "str" | "int" | "float" | "bool" | value ("|" value)+ | "{" fields "}"
 * ```
 *
 * A field is a text unless it has a type, and required unless it has a `?`; `[]` makes a list of it.
 * Values are texts, or whole numbers if all of them look like that.
 * A description ends with its line, or at a comma or a brace.
 */
import type {JsonObject} from '../json.ts';

/** Reports a mistake at a text offset. */
type Fail = (offset: number, problem: string) => never;

const types: Readonly<Record<string, string>> = {
	str: 'string',
	int: 'integer',
	float: 'number',
	bool: 'boolean',
	// JSON Schema type names.
	string: 'string',
	integer: 'integer',
	number: 'number',
	boolean: 'boolean',
};

const fieldName = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const value = /[\p{L}\p{N}_-]+/uy;
const maxDepth = 50;

/** @throws what `fail` throws, for the first mistake */
export function parseSchemaFields(text: string, fail: Fail): JsonObject {
	const reader = createReader(text, fail);
	const schema = readObject(reader, 1);
	return reader.isAtEnd() ? schema : reader.fail('expected a comma');
}

type Reader = ReturnType<typeof createReader>;

function createReader(text: string, fail: Fail) {
	let offset = 0;
	const skip = (blanks: RegExp) => {
		blanks.lastIndex = offset;
		offset += blanks.exec(text)?.[0].length ?? 0;
		return offset;
	};
	const skipBlanks = () => skip(/[ \t]*/y);
	return {
		/** Takes the text matching a sticky pattern after blanks; undefined without a match. */
		take(pattern: RegExp): string | undefined {
			pattern.lastIndex = skipBlanks();
			const found = pattern.exec(text)?.[0];
			offset += found?.length ?? 0;
			return found;
		},
		/** Returns the next offset after blanks. */
		skipBlanks,
		skipLines: () => skip(/\s*/y),
		isAtEnd: () => skip(/\s*/y) === text.length,
		fail: (problem: string, at = skipBlanks()) => fail(at, problem),
	};
}

function readObject(reader: Reader, depth: number): JsonObject {
	if (depth > maxDepth) return reader.fail('the fields are nested too deeply');
	const properties = new Map<string, JsonObject>();
	const required: string[] = [];
	do {
		const start = reader.skipLines();
		const name = reader.take(fieldName) ?? reader.fail('expected a field name');
		if (properties.has(name)) return reader.fail(`the field ${name} occurs twice`, start);
		const {schema, isOptional} = readField(reader, depth);
		properties.set(name, schema);
		if (!isOptional) required.push(name);
	} while (reader.take(/,|\r?\n(?=\s*[^\s}])/y) !== undefined);
	return {
		type: 'object',
		// `fromEntries` makes own properties, even for `__proto__`.
		properties: Object.fromEntries(properties),
		required,
		additionalProperties: false,
	};
}

/** Reads what follows the name. */
function readField(reader: Reader, depth: number) {
	const before = readMarks(reader);
	const item = readType(reader, depth);
	const marks = before + readMarks(reader);
	const description = readDescription(reader);
	const schema = marks.includes('[]') ? {type: 'array', items: item} : item;
	return {
		schema: description === undefined ? schema : {...schema, description},
		isOptional: marks.includes('?'),
	};
}

function readMarks(reader: Reader): string {
	return reader.take(/(?:\[\]|\?)*/y) ?? '';
}

function readType(reader: Reader, depth: number): JsonObject {
	if (reader.take(/\{/y) !== undefined) {
		const schema = readObject(reader, depth + 1);
		reader.skipLines();
		return reader.take(/\}/y) === undefined ? reader.fail('expected a comma or }') : schema;
	}
	const start = reader.skipBlanks();
	const first = reader.take(value);
	if (first === undefined) return {type: 'string'};
	const values = [first];
	while (reader.take(/\|/y) !== undefined) {
		values.push(reader.take(value) ?? reader.fail('expected another value after |'));
	}
	if (values.length > 1) return readChoice(values, (problem) => reader.fail(problem, start));
	const type = findType(first);
	if (type !== undefined) return {type};
	return reader.fail(
		`unknown type ${first}: use str, int, float, bool, values such as a|b, or {fields}`,
		start,
	);
}

function readChoice(values: readonly string[], fail: (problem: string) => never): JsonObject {
	const type = values.find((name) => name === 'null' || findType(name) !== undefined);
	// Other languages write `int|null`.
	if (type !== undefined)
		return fail(`${type} is a type, not a value; ? marks what may be missing`);
	const isNumeric = values.every((text) => /^(?:0|[1-9]\d{0,14})$/.test(text));
	return isNumeric ? {type: 'integer', enum: values.map(Number)} : {type: 'string', enum: values};
}

function findType(name: string): string | undefined {
	return Object.hasOwn(types, name) ? types[name] : undefined;
}

function readDescription(reader: Reader): string | undefined {
	if (reader.take(/:/y) === undefined) return undefined;
	const start = reader.skipBlanks();
	const text = (reader.take(/[^,{}\r\n]*/y) ?? '').trim();
	if (text === '') return reader.fail('expected a description after the colon', start);
	// Most languages have a colon before the type.
	const isType = findType(text.replace(/[[\]?]*$/, '')) !== undefined;
	return isType ? reader.fail('leave out the colon before a type', start) : text;
}
