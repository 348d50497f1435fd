import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findJsonError} from '../../src/settings/json-error.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';

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
		['', 1, 1, 'it ends too early'],
		['  \n', 2, 1, 'it ends too early'],
		['{"a": 1,\n\t"b" 2}', 2, 6, 'a colon is missing'],
		['{"a": 1\n "b": 2}', 2, 2, 'a string is wrong'],
		['{"a": 1\n b: 2}', 2, 2, 'a comma or a closing bracket is missing'],
		['{"a": 1,}', 1, 9, 'a key in double quotes is missing; no comma may stand before }'],
		['{a: 1}', 1, 2, 'a key in double quotes or } is missing'],
		["{'a': 1}", 1, 2, 'a key in double quotes or } is missing'],
		['[1,\n2,\n]', 3, 1, 'a value is missing'],
		['[nul]', 1, 2, 'a value or ] is missing'],
		['{"a": undefined}', 1, 7, 'a value is missing'],
		['{"a": 01}', 1, 7, 'a value is missing'],
		['{"a": "x\ny"}', 1, 7, 'a string is wrong'],
		['{"a": "\\x"}', 1, 7, 'a string is wrong'],
		['{"a": 1} x', 1, 10, 'there is more behind its end'],
		['{"a": [1}', 1, 9, 'a comma or a closing bracket is missing'],
		['{"a": 1 // one\n}', 1, 9, 'a comma or a closing bracket is missing'],
		['{"a": {', 1, 8, 'it ends too early'],
	])('%j is in line %i, column %i: %s', (text, line, column, reason) => {
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
		'is found exactly where JSON.parse finds one, however the text was damaged',
		300,
		fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
			expect(findJsonError(text) === undefined).toBe(isJson(text));
		}),
	);

	test('takes no longer the longer the text is', () => {
		const deep = '['.repeat(100_000);
		expect(findJsonError(deep)).toMatchObject({column: 100_001});
		expect(findJsonError(`{"a": "${'x'.repeat(1_000_000)}`)).toMatchObject({column: 7});
	});
});
