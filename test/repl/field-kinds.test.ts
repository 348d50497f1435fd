/** The texts that fit a field that a server asks for. */
import {describe, expect, test} from 'vitest';
import type {ElicitedKind} from '../../src/chat/elicitation.ts';
import type {JsonValue} from '../../src/json.ts';
import {createKind} from '../../src/repl/question/field-kinds.ts';
import {colours, kinds} from '../helpers/elicitations.ts';

const {text, number, boolean, choice} = kinds;
const titled: ElicitedKind = {
	...choice,
	choices: [
		{value: 'hero-1', title: 'Superman'},
		{value: '10', title: 'Ten'},
	],
};

test.each<readonly [kind: ElicitedKind, typed: string, value: JsonValue]>([
	[text, 'Ada', 'Ada'],
	[{...text, maxLength: 2}, '👩‍🚀'.slice(0, 2), '👩'],
	[{...text, format: 'email'}, 'ada@example.com', 'ada@example.com'],
	[{...text, format: 'uri'}, 'https://example.com/a', 'https://example.com/a'],
	[{...text, format: 'date'}, '2024-02-29', '2024-02-29'],
	[{...text, format: 'date-time'}, '2026-11-22T09:30:00+01:00', '2026-11-22T09:30:00+01:00'],
	[number, '-2.5e1', -25],
	[number, '.5', 0.5],
	[{...number, isInteger: true, minimum: 1, maximum: 3}, '3', 3],
	[boolean, 'Y', true],
	[boolean, 'false', false],
	[boolean, '2', false],
	[choice, '2', 'green'],
	[choice, 'Blue', 'blue'],
	[titled, 'superman', 'hero-1'],
	[titled, '10', '10'],
	[colours, '3 1', ['red', 'blue']],
	[colours, 'red, 3, 3', ['red', 'blue']],
	[{...colours, choices: [{value: 'a', title: 'New York'}]} as ElicitedKind, 'new york', ['a']],
])('%j takes %s', (kind, typed, value) => {
	expect(createKind(kind).read(typed)).toEqual({value});
});

test.each<readonly [kind: ElicitedKind, typed: string, problem: string]>([
	[{...text, minLength: 3}, 'ab', 'It has 2 characters: at least 3 characters.'],
	[{...text, minLength: 2, maxLength: 2}, 'abc', 'It has 3 characters: exactly 2 characters.'],
	[{...text, format: 'email'}, 'ada', 'This is not an email address.'],
	[{...text, format: 'uri'}, 'example.com', 'This is not an address such as https://example.com.'],
	[{...text, format: 'date'}, '2026-02-29', 'This is not a date such as 2026-11-22.'],
	[{...text, format: 'date'}, '22.11.2026', 'This is not a date such as 2026-11-22.'],
	[
		{...text, format: 'date-time'},
		'2026-11-22',
		'This is not a time such as 2026-11-22T09:30:00Z.',
	],
	[number, '0x10', 'This is not a number.'],
	[number, '1e999', 'This is not a number.'],
	[{...number, isInteger: true}, '1.5', 'This is not a whole number.'],
	[{...number, maximum: 3}, '4', 'This is not a number, at most 3.'],
	[boolean, 'perhaps', 'The answer is yes or no.'],
	[boolean, 'constructor', 'The answer is yes or no.'],
	[choice, '4', 'The answer is a number from 1 to 3.'],
	[colours, '1 4', 'The answer is numbers from 1 to 3.'],
	[{...colours, minItems: 2} as ElicitedKind, '1', '1 choice chosen: at least 2 choices.'],
])('%j does not take %s', (kind, typed, problem) => {
	expect(createKind(kind).read(typed)).toEqual({problem});
});

describe('a suggestion', () => {
	test.each<readonly [kind: ElicitedKind, value: JsonValue, written: string, shown: string]>([
		[text, 'Ada', 'Ada', 'Ada'],
		[number, 42, '42', '42'],
		[boolean, false, 'no', 'no'],
		[choice, 'blue', '3', 'blue'],
		[titled, 'hero-1', '1', 'Superman (hero-1)'],
		[colours, ['blue', 'red'], '1, 3', 'blue, red'],
		[colours, [], '', 'none'],
	])('is written and shown: %j %j', (kind, value, written, shown) => {
		const made = createKind(kind);
		expect(made.write(value)).toBe(written);
		expect(made.show(value)).toBe(shown);
	});
});
