import {describe, expect, it} from 'vitest';
import {parseJson} from '../../src/json.ts';
import {asArray, asNumber, asObject, asText} from '../../src/protocol/json-values.ts';

describe('reading JSON', () => {
	it('leaves the prototype of an object alone', () => {
		const object = asObject(parseJson('{"__proto__":{"polluted":1}}'));
		expect(object).not.toHaveProperty('polluted');
		expect(Object.hasOwn(object ?? {}, '__proto__')).toBe(true);
	});

	it('recognises the kinds of values', () => {
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
