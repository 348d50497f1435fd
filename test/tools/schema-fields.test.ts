/** A JSON Schema written as a list of fields. */
import {describe, expect, test} from 'vitest';
import {parseSchemaFields} from '../../src/tools/schema-fields.ts';

function fail(offset: number, problem: string): never {
	throw new Error(`${offset}: ${problem}`);
}

const text = {type: 'string'};
const whole = {type: 'integer'};
const list = (items: object) => ({type: 'array', items});

function object(properties: object, optional: readonly string[] = []) {
	const required = Object.keys(properties).filter((name) => !optional.includes(name));
	return {type: 'object', properties, required, additionalProperties: false};
}

describe('the fields', () => {
	test.each([
		['name', object({name: text})],
		['name, age int', object({name: text, age: whole})],
		[
			'a str, b int, c float, d bool',
			object({a: text, b: whole, c: {type: 'number'}, d: {type: 'boolean'}}),
		],
		['a string, b integer', object({a: text, b: whole})],
		[
			'tags[], scores int[], years[] int',
			object({tags: list(text), scores: list(whole), years: list(whole)}),
		],
		[
			'a?, b? int, c int?, d?[], e',
			object({a: text, b: whole, c: whole, d: list(text), e: text}, ['a', 'b', 'c', 'd']),
		],
		['state open|closed', object({state: {type: 'string', enum: ['open', 'closed']}})],
		['stars 1|2|10', object({stars: {type: 'integer', enum: [1, 2, 10]}})],
		['size 1|2|more', object({size: {type: 'string', enum: ['1', '2', 'more']}})],
		['code 01|02', object({code: {type: 'string', enum: ['01', '02']}})],
		[
			'people[] {name, age? int}, n int',
			object({people: list(object({name: text, age: whole}, ['age'])), n: whole}),
		],
		[
			'name: the full name, age int: in years',
			object({
				name: {...text, description: 'the full name'},
				age: {...whole, description: 'in years'},
			}),
		],
		['name\nage int\n', object({name: text, age: whole})],
		[
			'home {\r\n\tstreet,\r\n\tcity\r\n}\r\n\r\nname',
			object({home: object({street: text, city: text}), name: text}),
		],
		['größe int, last_name, e-mail', object({größe: whole, last_name: text, 'e-mail': text})],
	])('%j', (written, schema) => {
		expect(parseSchemaFields(written, fail)).toEqual(schema);
	});

	test('may have the names of properties that every object has', () => {
		const {properties, required} = parseSchemaFields('__proto__ int, toString', fail);
		expect(Object.keys(properties as object)).toEqual(['__proto__', 'toString']);
		expect(required).toEqual(['__proto__', 'toString']);
	});

	test.each([
		['', '0: expected a field name'],
		['name,', '5: expected a field name'],
		['name,, age', '5: expected a field name'],
		['2nd', '0: expected a field name'],
		['name, age  itn', '11: unknown type itn'],
		['first name', '6: unknown type name'],
		['a toString', '2: unknown type toString'],
		['a, b, a int', '6: the field a occurs twice'],
		['age int|null', '4: int is a type, not a value'],
		['name x|null', '5: null is a type, not a value'],
		['a open|', '7: expected another value after |'],
		['a {b', '4: expected a comma or }'],
		['a {}', '3: expected a field name'],
		['a}', '1: expected a comma'],
		['age: int', '5: leave out the colon before a type'],
		['tags: string[]', '6: leave out the colon before a type'],
		['name:, age', '5: expected a description after the colon'],
		['a {'.repeat(9_999), '150: the fields are nested too deeply'],
	])('with a mistake report its place: %j', (written, message) => {
		expect(() => parseSchemaFields(written, fail)).toThrow(message);
	});
});
