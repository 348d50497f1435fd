/** The texts that fit a field, as its schema has it. */
import {expect, test} from 'vitest';
import type {JsonObject, JsonValue} from '../../src/json.ts';
import {readElicitation} from '../../src/mcp/read-elicitation.ts';
import {
	createFormField,
	linesOfValue,
	readField,
	textOfField,
	withText,
} from '../../src/repl/question/field.ts';

function fieldOf(schema: JsonObject) {
	const params = {requestedSchema: {properties: {x: schema}}};
	const read = readElicitation('github', params, []);
	const [field] = 'request' in read && read.request.type === 'form' ? read.request.fields : [];
	if (field === undefined) throw new Error('the field cannot be asked for');
	return createFormField(field);
}

function enter(schema: JsonObject, typed: string) {
	return readField(withText(fieldOf(schema), typed));
}

const text = {type: 'string'};
const number = {type: 'number'};
const boolean = {type: 'boolean'};
const names = ['red', 'green', 'blue'];
const choice = {type: 'string', enum: names};
const colours = {type: 'array', items: {type: 'string', enum: names}};
const titled = {
	type: 'string',
	oneOf: [
		{const: 'hero-1', title: 'Superman'},
		{const: '10', title: 'Ten'},
	],
};

test.each<readonly [schema: JsonObject, typed: string, value: JsonValue]>([
	[{...text, maxLength: 2}, '👩‍🚀'.slice(0, 2), '👩'],
	[{...text, format: 'email'}, 'ada@example.com', 'ada@example.com'],
	[{...text, format: 'date'}, '2024-02-29', '2024-02-29'],
	[{...text, format: 'date-time'}, '2026-11-22T09:30:00+01:00', '2026-11-22T09:30:00+01:00'],
	[number, '-2.5e1', -25],
	[{type: 'integer', minimum: 1, maximum: 3}, '3', 3],
	[boolean, 'Y', true],
	[boolean, 'false', false],
	[choice, '2', 'green'],
	[choice, 'Blue', 'blue'],
	[titled, 'superman', 'hero-1'],
	[colours, '3 1', ['red', 'blue']],
	[colours, 'red, 3, 3', ['red', 'blue']],
	[{type: 'array', items: {anyOf: [{const: 'a', title: 'New York'}]}}, 'new york', ['a']],
])('%j takes %s', (schema, typed, value) => {
	expect(enter(schema, typed)).toEqual({value});
});

test.each<readonly [schema: JsonObject, typed: string, problem: string]>([
	[{...text, minLength: 3}, 'ab', 'Expected at least 3 characters.'],
	[{...text, format: 'email'}, 'ada', 'Expected an email address.'],
	[{...text, format: 'uri'}, 'example.com', 'Expected an address such as https://example.com.'],
	[{...text, format: 'date'}, '2026-02-29', 'Expected a date such as 2026-11-23.'],
	[{...text, format: 'date-time'}, '2026-11-22', 'Expected a time such as 2026-11-23T09:30:00Z.'],
	[number, '1e999', 'Expected a number.'],
	[{type: 'integer'}, '1.5', 'Expected a whole number.'],
	[{...number, maximum: 3}, '4', 'Expected a number, at most 3.'],
	[boolean, 'perhaps', 'Expected yes or no.'],
	[boolean, 'constructor', 'Expected yes or no.'],
	[choice, '4', 'Expected a number from 1 to 3.'],
	[colours, '1 4', 'Expected numbers from 1 to 3.'],
	[{...colours, minItems: 2}, '1', 'Expected at least 2 choices.'],
])('%j does not take %s', (schema, typed, problem) => {
	expect(enter(schema, typed)).toEqual({problem});
});

test.each<readonly [schema: JsonObject, value: JsonValue, written: string, shown: string]>([
	[text, 'Ada', 'Ada', 'Ada'],
	[number, 42, '42', '42'],
	[boolean, false, 'no', 'no'],
	[titled, 'hero-1', '1', 'Superman (hero-1)'],
	[colours, ['blue', 'red'], '1, 3', 'blue, red'],
])('a suggestion is written and shown: %j %j', (schema, value, written, shown) => {
	const field = fieldOf({...schema, default: value});
	expect(textOfField(field)).toBe(written);
	expect(linesOfValue({...field, value}, false)).toEqual([{label: '', text: `x: ${shown}`}]);
});
