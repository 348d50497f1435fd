import {expect, test} from 'vitest';
import {parseBaseUrl} from '../../../src/settings/options/parse-service.ts';
import {
	integerFrom,
	numberBetween,
	oneOf,
	type Parse,
	parseBlockChoice,
	parseDuration,
	parseSwitch,
	ValueError,
} from '../../../src/settings/options/parsers.ts';

type Values = Readonly<Record<string, unknown>>;

test.each<[name: string, parse: Parse<unknown>, good: Values, bad: readonly string[]]>([
	[
		'a number from 0 to 2',
		numberBetween(0, 2),
		{0: 0, 2: 2, '.5': 0.5, '1.': 1, '2e-1': 0.2, '+1': 1, '-0': -0},
		['', ' ', '-0.1', '2.0001', 'NaN', 'Infinity', '0x1', '1,5', '1 ', '1e', 'warm'],
	],
	[
		'a whole number from 1',
		integerFrom(1),
		{1: 1, '0005': 5, 9007199254740991: Number.MAX_SAFE_INTEGER},
		['', '0', '-1', '1.0', '1e3', '9007199254740992', '0x10', '１'],
	],
	['a whole number up to 10', integerFrom(0, 10), {0: 0, 10: 10}, ['11']],
	['some words', oneOf('text', 'json'), {json: 'json'}, ['', 'JSON', 'js', 'toString']],
	[
		'a switch',
		parseSwitch,
		{true: true, YES: true, 1: true, on: true, false: false, No: false, 0: false, off: false},
		['', '2', 'constructor'],
	],
	[
		'a duration',
		parseDuration,
		{'500ms': 500, '1.5s': 1500, '2m': 120_000, '1h': 3_600_000, 0: 0, '2147483647ms': 2 ** 31 - 1},
		['', '10', '-1s', '1d', '1 s', 's', '1s500ms', '1S', '2147483648ms', '600h'],
	],
	[
		'a block',
		parseBlockChoice,
		{1: 1, 12: 12, first: 1, last: 'last', all: 'all'},
		['', '0', '-1', '01', 'last 1', '1.5', 'ALL'],
	],
	[
		'a base URL',
		(text) => parseBaseUrl(text).href,
		{
			'https://api.example.com/v1?x=1': 'https://api.example.com/v1?x=1',
			'HTTP://API.example.com': 'http://api.example.com/',
		},
		['', 'localhost:8080', 'file:///etc/passwd', 'http://', 'https://u@host', 'https://:p@host'],
	],
])('%s is read or refused with the end of a sentence', (_, parse, good, bad) => {
	for (const [text, value] of Object.entries(good))
		expect([text, parse(text)]).toEqual([text, value]);
	for (const text of bad) {
		expect(() => parse(text), text).toThrow(ValueError);
		expect(() => parse(text), text).toThrow(/^must (not )?(be|contain) /);
	}
});
