/** Questions of servers. The protocols name the same kinds of fields in several ways. */
import {describe, expect, test} from 'vitest';
import {declineElicitation} from '../../src/chat/elicitation.ts';
import type {JsonObject} from '../../src/json.ts';
import {startCallLimit} from '../../src/mcp/call-limit.ts';
import {createQuestions} from '../../src/mcp/questions.ts';
import {readElicitation} from '../../src/mcp/read-elicitation.ts';

function read(properties: JsonObject) {
	const params = {message: 'Well?', requestedSchema: {type: 'object', properties}};
	return readElicitation('tested', params, []);
}

test.each(
	[
		'password',
		'userPassword',
		'pass_phrase',
		'API key',
		'apiKey',
		'api-key',
		'access_token',
		'token',
	].concat(['clientSecret', 'PIN', 'private_key', 'credentials', 'OTP', 'cvv']),
)('a field named %s is refused', async (name) => {
	const problem = `its field ${name} asks for a secret`;
	expect(await read({[name]: {type: 'string'}})).toEqual({problem});
	expect(await read({x: {type: 'string', title: name}})).toEqual({
		problem: 'its field x asks for a secret',
	});
});

test.each(['name', 'maxTokens', 'passenger', 'keyboard', 'spinach', 'compass'])(
	'a field named %s is asked for',
	async (name) => {
		expect(await read({[name]: {type: 'string'}})).toHaveProperty('request');
	},
);

describe('a choice', () => {
	const choices = [
		{value: 'a', title: 'A'},
		{value: 'b', title: 'B'},
	];
	const titled = choices.map(({value, title}) => ({const: value, title}));
	test.each([
		['of titled values', {type: 'string', oneOf: titled}, false],
		['of values with names', {type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B']}, false],
		['of several titled values', {type: 'array', items: {anyOf: titled}}, true],
	])('%s', async (_name, schema, isMultiple) => {
		expect(await read({x: schema})).toMatchObject({
			request: {fields: [{kind: {type: 'choice', isMultiple, choices}}]},
		});
	});

	test('without titles shows its values', async () => {
		const kind = {type: 'choice', choices: [{value: 'a', title: 'a'}]};
		expect(await read({x: {type: 'array', items: {type: 'string', enum: ['a']}}})).toMatchObject({
			request: {fields: [{kind}]},
		});
	});
});

test.each([
	['of an unknown kind', {x: {type: 'object', properties: {}}}],
	['without choices', {x: {type: 'array', items: {type: 'string'}}}],
	['that is not a schema', {x: 'string'}],
])('a field %s is refused', async (_name, properties) => {
	expect(await read(properties)).toEqual({problem: 'its field x is of an unknown kind'});
});

test('a form whose rules cannot be checked is refused', async () => {
	expect(await read({x: {type: 'string', minLength: '3'}})).toEqual({
		problem: 'properties.x.minLength must be integer',
	});
});

test('a suggestion is a plain value', async () => {
	const fields = {
		a: {type: 'string', default: 'x'},
		b: {type: 'array', items: {enum: ['y']}, default: ['y']},
		c: {type: 'string', default: {deep: 1}},
	};
	expect(await read(fields)).toMatchObject({
		request: {fields: [{defaultValue: 'x'}, {defaultValue: ['y']}, {defaultValue: undefined}]},
	});
});

test('an error that needs pages and names none does not count as opened ones', async () => {
	const limit = startCallLimit(0, () => 0);
	const call = {
		name: 'tested',
		values: {},
		elicit: declineElicitation,
		signal: limit.signal,
		limit,
	};
	const error = {code: -32_042, data: {elicitations: []}};
	const opened = await createQuestions('x', () => {}).askForPages(error, call);
	limit.clear();
	expect(opened).toBeUndefined();
});
