/** Schemas of others, who may want them to be a burden. */
import {expect, test} from 'vitest';
import type {JsonObject} from '../../src/json.ts';
import {compileSchema} from '../../src/tools/json-schema.ts';

const objectOf = (text: JsonObject): JsonObject => ({type: 'object', properties: {text}});

test('a pattern that is too large checks nothing', async () => {
	const pattern = '('.repeat(30_000) + ')'.repeat(30_000);
	const compiled = await compileSchema(objectOf({pattern}));
	if ('problem' in compiled) throw new Error(compiled.problem);
	const failure = compiled.check({text: 'a'});
	expect(failure?.isChecked).toBe(false);
	expect(failure?.problem).toMatch(/^Invalid regular expression.{1,200}$/);
});

test('a required argument is missing although every object has one of its name', async () => {
	const compiled = await compileSchema({type: 'object', required: ['toString']});
	if ('problem' in compiled) throw new Error(compiled.problem);
	expect(compiled.check({})?.problem).toBe("it must have required property 'toString'");
});

test('no schema sees another, not even by its id', async () => {
	const named = {$id: 'https://a.test/text', ...objectOf({type: 'string'})};
	for (const _time of ['once', 'again']) {
		expect(await compileSchema(named)).toHaveProperty('check');
	}
	expect(await compileSchema({$ref: named.$id})).toMatchObject({
		problem: expect.stringContaining("can't resolve reference https://a.test/text"),
	});
});

test('a schema that takes seconds to compile cannot be used', {tags: ['cost']}, async () => {
	const values = Array.from({length: 100_000}, (_, index) => ({const: index}));
	expect(await compileSchema(objectOf({anyOf: values}))).toMatchObject({
		problem: expect.stringMatching('takes more than 1 s'),
	});
});

test('a schema whose check takes seconds checks nothing', {tags: ['cost']}, async () => {
	const twice = (level: number) => {
		const $ref = `#/$defs/l${level + 1}`;
		return [`l${level}`, level === 40 ? {type: 'string'} : {anyOf: [{$ref}, {$ref}]}];
	};
	const $defs = Object.fromEntries(Array.from({length: 41}, (_, level) => twice(level)));
	const compiled = await compileSchema({...objectOf({$ref: '#/$defs/l0'}), $defs});
	if ('problem' in compiled) throw new Error(compiled.problem);
	expect(compiled.check({text: 1})).toEqual({
		problem: 'the check takes more than 1 s',
		isChecked: false,
	});
});

test('a schema is compiled although other programs have the processor for a while', {
	tags: ['cost'],
}, async () => {
	let waits = 0;
	const text = {
		get type() {
			// Without any processor time.
			if (waits++ === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
			return 'string';
		},
	};
	const compiled = await compileSchema(objectOf(text));
	if ('problem' in compiled) throw new Error(compiled.problem);
	expect(waits).toBeGreaterThan(1);
	expect(compiled.check({text: 1})).toMatchObject({isChecked: true});
});
