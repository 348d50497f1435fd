import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findJsonError} from '../src/json-error.ts';
import {fuzzProperty} from './helpers/fuzz.ts';

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

describe('the first mistake of a JSON text', () => {
	test.each([
		['', 1, 1, 'unexpected end'],
		['{"a": 1,\n\t"b" 2}', 2, 6, 'expected a colon'],
		['{"a": 1\n "b": 2}', 2, 2, 'expected a comma or a closing bracket'],
		['{"a": 1,}', 1, 9, 'expected a key in double quotes (no comma before })'],
		['{a: 1}', 1, 2, 'expected a key in double quotes or }'],
		['[1,\n2,\n]', 3, 1, 'expected a value'],
		['[nul]', 1, 2, 'expected a value or ]'],
		['{"a": 01}', 1, 7, 'expected a value'],
		['{"a": "x\ny"}', 1, 7, 'invalid string'],
		['{"a": "\\x"}', 1, 7, 'invalid string'],
		['{"a": 1} x', 1, 10, 'unexpected text after the end'],
		['{"a": [1}', 1, 9, 'expected a comma or a closing bracket'],
		['{"a": 1 // one\n}', 1, 9, 'comments are not allowed'],
		['{"a": {', 1, 8, 'unexpected end'],
	])('in %j is at line %i, column %i: %s', (text, line, column, reason) => {
		expect(isJson(text)).toBe(false);
		expect(findJsonError(text)).toEqual({line, column, reason});
	});

	const damaged = fc
		.tuple(fc.json(), fc.nat(), fc.nat(2), fc.constantFrom(...'{}[],:"\\ 1e-.\ntrue'))
		.map(([json, at, cut, put]) => {
			const place = at % (json.length + 1);
			return json.slice(0, place) + put + json.slice(place + cut);
		});
	fuzzProperty(
		'is found whenever JSON.parse fails, and only then',
		300,
		fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
			expect(findJsonError(text) === undefined).toBe(isJson(text));
		}),
	);

	test('is found in deep and long texts', () => {
		const deep = '['.repeat(100_000);
		expect(findJsonError(deep)).toMatchObject({column: 100_001});
		expect(findJsonError(`{"a": "${'x'.repeat(1_000_000)}`)).toMatchObject({column: 7});
	});
});
