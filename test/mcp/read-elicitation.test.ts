/** Questions of servers, and the time of calls that ask them. The protocols name the same kinds of fields in several ways. */
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {declineElicitation} from '../../src/chat/elicitation.ts';
import type {JsonObject} from '../../src/json.ts';
import {startCallLimit} from '../../src/mcp/call-limit.ts';
import {createQuestions} from '../../src/mcp/questions.ts';
import {readElicitation} from '../../src/mcp/read-elicitation.ts';

function read(properties: JsonObject) {
	const params = {message: 'Well?', requestedSchema: {type: 'object', properties}};
	return readElicitation('tested', params, []);
}

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
	])('%s', (_name, schema, isMultiple) => {
		expect(read({x: schema})).toMatchObject({
			request: {fields: [{kind: {type: 'choice', isMultiple, choices}}]},
		});
	});

	test('without titles shows its values', () => {
		const kind = {type: 'choice', choices: [{value: 'a', title: 'a'}]};
		expect(read({x: {type: 'array', items: {type: 'string', enum: ['a']}}})).toMatchObject({
			request: {fields: [{kind}]},
		});
	});
});

test.each([
	['of an unknown kind', {x: {type: 'object', properties: {}}}],
	['without choices', {x: {type: 'array', items: {type: 'string'}}}],
	['that is not a schema', {x: 'string'}],
])('a field %s is refused', (_name, properties) => {
	expect(read(properties)).toEqual({problem: 'its field x is of an unknown kind'});
});

describe('the questions of a call', () => {
	function open() {
		const limit = startCallLimit(0, () => 0);
		onTestFinished(limit.clear);
		const elicit = vi.fn(declineElicitation);
		const call = {name: 'tested', values: {}, elicit, signal: limit.signal, limit};
		return {questions: createQuestions('x', () => {}), call, elicit};
	}

	test('are twenty at most while calls run', async () => {
		const {questions, call, elicit} = open();
		const ask = async () => {
			const params = {message: 'Well?', requestedSchema: {type: 'object', properties: {}}};
			expect(await questions.ask(params, call.signal)).toMatchObject({type: 'decline'});
		};
		await questions.run(call, async () => {
			for (let count = 0; count < 25; count++) await ask();
		});
		expect(elicit).toHaveBeenCalledTimes(20);
		await questions.run(call, ask);
		expect(elicit).toHaveBeenCalledTimes(21);
	});

	test('are not over after an error that needs pages and names none', async () => {
		const {questions, call} = open();
		const error = {code: -32_042, data: {elicitations: []}};
		expect(await questions.askForPages(error, call)).toBeUndefined();
	});
});

describe('the time of a call', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	test.each([60_000, 0])(
		'a limit of %i ms without progress leaves ten minutes at most',
		(limitMs) => {
			const limit = startCallLimit(limitMs, () => performance.now());
			for (let minutes = 0; minutes < 9.5; minutes += 0.5) {
				vi.advanceTimersByTime(30_000);
				limit.restart();
			}
			expect(limit.signal.aborted).toBe(false);
			vi.advanceTimersByTime(30_000);
			expect(limit.signal.reason).toBe('600 s');
		},
	);

	test('the time of the user does not count', () => {
		const limit = startCallLimit(1000, () => performance.now());
		vi.advanceTimersByTime(900);
		limit.pause();
		limit.pause();
		vi.advanceTimersByTime(3_600_000);
		limit.restart();
		limit.resume();
		vi.advanceTimersByTime(3_600_000);
		expect(limit.signal.aborted).toBe(false);
		limit.resume();
		vi.advanceTimersByTime(1000);
		expect(limit.signal.reason).toBe('1 s');
	});

	test('a question that outlives its call leaves no timer', () => {
		const limit = startCallLimit(1000, () => performance.now());
		limit.pause();
		limit.clear();
		limit.resume();
		limit.restart();
		expect(vi.getTimerCount()).toBe(0);
	});
});
