import {describe, expect, it} from 'vitest';
import {checkJsonObject} from '../src/chat/check-answer.ts';
import {asArray, asNumber, asObject, asText, parseJson, parseJsonObject} from '../src/json.ts';
import {formatCall} from '../src/output/messages.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('reading JSON', () => {
	it('returns the value, even null, and undefined for invalid JSON', () => {
		expect(parseJson('{"a":[1,null]}')).toEqual({a: [1, null]});
		expect(parseJson(' null ')).toBeNull();
		for (const text of ['', '{', 'undefined', '{"a":1}{', "{'a':1}", 'NaN']) {
			expect(parseJson(text), text).toBeUndefined();
		}
	});

	it('rejects values that are nested too deeply', () => {
		expect(parseJson(nested(500))).toBeDefined();
		expect(parseJson(nested(600))).toBeUndefined();
		expect(parseJson(nested(200_000))).toBeUndefined();
		expect(parseJson(`{"a":${'{"b":'.repeat(9000)}1${'}'.repeat(9001)}`)).toBeUndefined();
	});

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

	it('accepts wide and long values of any size', () => {
		const wide = JSON.stringify(Array.from({length: 50_000}, (_, i) => ({i})));
		expect(parseJson(wide)).toHaveLength(50_000);
		expect(parseJson(JSON.stringify('['.repeat(100_000)))).toHaveLength(100_000);
	});

	it('keeps the deeply nested arguments and answers of calls away from recursive code', () => {
		const text = `{"a":${nested(100_000)}}`;
		expect(parseJsonObject(text)).toBeUndefined();
		expect(checkJsonObject(text)).toEqual({type: 'wrong', problem: 'is not valid JSON'});
		expect(formatCall({callId: 'c', name: 'f', arguments: text, isRunnable: false})).toContain(
			'f "{',
		);
	});
});
