import {describe, expect, test} from 'vitest';
import {
	changeFields,
	type FieldChange,
	parseFieldChanges,
} from '../../../src/settings/options/request-fields.ts';

function parse(...texts: readonly string[]): readonly FieldChange[] {
	return texts.reduce<readonly FieldChange[]>(
		(changes, text) => parseFieldChanges(text, changes),
		[],
	);
}

/** The fields of a request after these options. */
function fieldsOf(...texts: readonly string[]) {
	return changeFields(
		{},
		parse(...texts).filter((change) => 'value' in change),
	);
}

describe('a field', () => {
	test.each([
		['top_k=40', {top_k: 40}],
		['tags=["a",null]', {tags: ['a', null]}],
		['level=high', {level: 'high'}],
		['user="10"', {user: '10'}],
		['user=007', {user: '007'}],
		['equation=a=b', {equation: 'a=b'}],
		['grammar=[a-z]+', {grammar: '[a-z]+'}],
		['a.b.c=1', {a: {b: {c: 1}}}],
		[String.raw`a\.b.c=1`, {'a.b': {c: 1}}],
		['{"a":1,"b.c":{"d":null}}', {a: 1, 'b.c': {d: null}}],
	])('is JSON if it can be, else text: %s', (text, fields) => {
		expect(fieldsOf(text)).toEqual(fields);
	});

	test('replaces an earlier value, and keeps what is beside it', () => {
		expect(fieldsOf('a=1', 'a=2')).toEqual({a: 2});
		expect(fieldsOf('a.b=1', 'a.c=2', 'a.b=3')).toEqual({a: {b: 3, c: 2}});
		expect(fieldsOf('a={"b":1}', 'a={"c":2}')).toEqual({a: {c: 2}});
	});

	test('is taken out by null', () => {
		expect(fieldsOf('a=1', 'b=2', 'a=null')).toEqual({b: 2});
		expect(fieldsOf('a.b=1', 'a.c=1', 'a.b=null')).toEqual({a: {c: 1}});
		expect(fieldsOf('a.b=1', 'a.b=null')).toEqual({});
		expect(fieldsOf('a.b=null')).toEqual({});
	});

	test('named __proto__ inside a value changes no prototype', () => {
		const fields = fieldsOf('a={"__proto__":{"b":1}}', 'a.c=2');
		expect(JSON.stringify(fields)).toBe('{"a":{"__proto__":{"b":1},"c":2}}');
		expect(Object.hasOwn(Object.prototype, 'b')).toBe(false);
	});
});

describe('a text that is not a field', () => {
	const wrongForm = 'must be key=value, as in top_k=40, or a JSON object';
	const inexact =
		'must not contain a number that is too large to be sent exactly: write it as text';
	const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

	test.each([
		['top_k', wrongForm],
		[`a=${deep(5000)}`, 'must not be nested so deep'],
		['a=@', 'must name a JSON file after the @'],
		['a.=1', 'must have a name before and after each dot'],
		['{"":1}', 'must have a name before and after each dot'],
		['__proto__.a=1', 'must not set __proto__'],
		['{"__proto__":1}', 'must not set __proto__'],
		[`${'a.'.repeat(32)}b=1`, 'must not have more than 32 names'],
		['a=9007199254740993', `must be a smaller number, or text: a='"9007199254740993"'`],
		['a={"b":[9007199254740993]}', inexact],
		['{"a":9007199254740993}', inexact],
		['messages.0=hi', 'must not set messages: use the prompt, --system, --file or --image'],
		['temperature=1', 'must not set temperature: use --temperature'],
		['stream_options.x=1', 'must not set stream_options: use --stream or --no-stream'],
	])('is refused: %.40s', (text, message) => {
		expect(() => parse(text)).toThrow(message);
	});

	test.each([
		['a=1', 'goes into a, which is 1 and not an object'],
		[`a=${'x'.repeat(99)}`, `goes into a, which is "${'x'.repeat(39)}… and not an object`],
	])('because it goes into another value is refused: %.9s', (text, message) => {
		expect(() => parse(text, 'a.b=1')).toThrow(message);
	});
});
