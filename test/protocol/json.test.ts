import {describe, expect, it} from 'vitest';
import {asArray, asNumber, asObject, asText, parseJson} from '../../src/protocol/json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('reading JSON', () => {
	it('gives the value, null too, and undefined for what is none', () => {
		expect(parseJson('{"a":[1,null]}')).toEqual({a: [1, null]});
		expect(parseJson(' null ')).toBeNull();
		for (const text of ['', '{', 'undefined', '{"a":1}{', "{'a':1}", 'NaN']) {
			expect(parseJson(text), text).toBeUndefined();
		}
	});

	it('refuses values that are nested too deep to be worked with', () => {
		expect(parseJson(nested(500))).toBeDefined();
		expect(parseJson(nested(600))).toBeUndefined();
		expect(parseJson(nested(200_000))).toBeUndefined();
		expect(parseJson(`{"a":${'{"b":'.repeat(9000)}1${'}'.repeat(9001)}`)).toBeUndefined();
	});

	it('takes wide and long values of any size', () => {
		const wide = JSON.stringify(Array.from({length: 50_000}, (_, i) => ({i})));
		expect(asArray(parseJson(wide))).toHaveLength(50_000);
		expect(parseJson(JSON.stringify('['.repeat(100_000)))).toHaveLength(100_000);
	});

	it('leaves the prototype of an object alone', () => {
		const object = asObject(parseJson('{"__proto__":{"polluted":1}}'));
		expect(object).not.toHaveProperty('polluted');
		expect(Object.hasOwn(object ?? {}, '__proto__')).toBe(true);
	});

	it('tells the kinds of values apart', () => {
		for (const value of [null, [], 'a', 1, true, undefined])
			expect(asObject(value)).toBeUndefined();
		for (const value of [null, {}, 'a', 1]) expect(asArray(value)).toBeUndefined();
		expect([asText(''), asText('a'), asText(1), asText(null)]).toEqual([
			undefined,
			'a',
			undefined,
			undefined,
		]);
		expect([asNumber(0), asNumber('1'), asNumber(null)]).toEqual([0, undefined, undefined]);
	});
});
