import {expect, it} from 'vitest';
import {checkJsonObject} from '../src/chat/check-answer.ts';
import {asArray, asNumber, asObject, asText, parseJson, parseJsonObject} from '../src/json.ts';
import {formatCall} from '../src/output/messages.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

it('reads the value of a JSON text, even null, and undefined for anything else', () => {
	expect(parseJson('{"a":[1,null]}')).toEqual({a: [1, null]});
	expect(parseJson(' null ')).toBeNull();
	for (const text of ['', '{', 'undefined', '{"a":1}{', "{'a':1}", 'NaN']) {
		expect(parseJson(text), text).toBeUndefined();
	}
});

it('rejects values that are nested too deeply, and accepts wide and long ones of any size', () => {
	expect(parseJson(nested(500))).toBeDefined();
	expect(parseJson(nested(600))).toBeUndefined();
	expect(parseJson(`{"a":${'{"b":'.repeat(9000)}1${'}'.repeat(9001)}`)).toBeUndefined();
	expect(parseJson(JSON.stringify(Array.from({length: 50_000}, (_, i) => ({i}))))).toHaveLength(
		50_000,
	);
	expect(parseJson(JSON.stringify('['.repeat(100_000)))).toHaveLength(100_000);
});

it('leaves the prototype of an object alone', () => {
	const object = asObject(parseJson('{"__proto__":{"polluted":1}}'));
	expect(object).not.toHaveProperty('polluted');
	expect(Object.hasOwn(object ?? {}, '__proto__')).toBe(true);
});

it('recognises the kinds of values', () => {
	const values = [null, [], {}, '', 'a', 0, true, undefined];
	const empty: readonly unknown[] = values.map(() => undefined);
	expect(values.map(asObject)).toEqual(empty.with(2, {}));
	expect(values.map(asArray)).toEqual(empty.with(1, []));
	expect(values.map(asText)).toEqual(empty.with(4, 'a'));
	expect(values.map(asNumber)).toEqual(empty.with(5, 0));
});

it('keeps the deeply nested arguments and answers of calls away from recursive code', () => {
	const text = `{"a":${nested(100_000)}}`;
	expect(parseJsonObject(text)).toBeUndefined();
	expect(checkJsonObject(text)).toEqual({type: 'wrong', problem: 'is not valid JSON'});
	const call = {callId: 'c', name: 'f', arguments: text, isRunnable: false};
	expect(formatCall(call)).toContain('f "{');
});
