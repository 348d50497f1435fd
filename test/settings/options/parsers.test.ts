import {describe, expect, test} from 'vitest';
import {parseBaseUrl} from '../../../src/settings/options/parse-service.ts';
import {
	integerFrom,
	numberBetween,
	oneOf,
	type Parse,
	parseBlockChoice,
	parseDuration,
	parseSwitch,
	parseText,
	ValueError,
} from '../../../src/settings/options/parsers.ts';

type Table = {
	readonly name: string;
	readonly parse: Parse<unknown>;
	readonly good: ReadonlyArray<readonly [text: string, value: unknown]>;
	readonly bad: readonly string[];
};

const tables: readonly Table[] = [
	{
		name: 'any text',
		parse: parseText,
		good: [
			['', ''],
			[' a ', ' a '],
		],
		bad: [],
	},
	{
		name: 'a number from 0 to 2',
		parse: numberBetween(0, 2),
		good: [
			['0', 0],
			['2', 2],
			['0.7', 0.7],
			['.5', 0.5],
			['1.', 1],
			['2e-1', 0.2],
			['+1', 1],
			['-0', -0],
		],
		bad: ['', ' ', '-0.1', '2.0001', '3', 'NaN', 'Infinity', '0x1', '1,5', '1 ', '1e', 'warm'],
	},
	{
		name: 'a whole number from 1',
		parse: integerFrom(1),
		good: [
			['1', 1],
			['0005', 5],
			['9007199254740991', Number.MAX_SAFE_INTEGER],
		],
		bad: ['', '0', '-1', '1.0', '1e3', '9007199254740992', '0x10', '１'],
	},
	{
		name: 'a whole number from 0 to 10',
		parse: integerFrom(0, 10),
		good: [
			['0', 0],
			['10', 10],
		],
		bad: ['', '11', '99999999'],
	},
	{
		name: 'one of some words',
		parse: oneOf('text', 'json'),
		good: [['json', 'json']],
		bad: ['', 'JSON', 'js', 'text,json', 'toString'],
	},
	{
		name: 'a switch',
		parse: parseSwitch,
		good: [
			['true', true],
			['YES', true],
			['1', true],
			['on', true],
			['false', false],
			['No', false],
			['0', false],
			['off', false],
		],
		bad: ['', '2', 'maybe', 'constructor'],
	},
	{
		name: 'a duration',
		parse: parseDuration,
		good: [
			['500ms', 500],
			['10s', 10_000],
			['2m', 120_000],
			['1h', 3_600_000],
			['1.5s', 1500],
			['0', 0],
			['0s', 0],
			['596.5h', 2_147_400_000],
			['2147483647ms', 2_147_483_647],
		],
		bad: [
			...['', '10', '-1s', '1d', '1 s', 's', '1s500ms', '1S'],
			...['2147483648ms', '2147483.648s', '35792m', '600h'],
		],
	},
	{
		name: 'a block',
		parse: parseBlockChoice,
		good: [
			['1', 1],
			['12', 12],
			['first', 1],
			['last', 'last'],
			['all', 'all'],
		],
		bad: ['', '0', '-1', '01', 'last 1', '1.5', 'ALL'],
	},
	{
		name: 'a base URL',
		parse: (text) => parseBaseUrl(text).href,
		good: [
			['http://localhost:8080', 'http://localhost:8080/'],
			['https://api.example.com/v1?x=1', 'https://api.example.com/v1?x=1'],
			['HTTPS://API.example.com', 'https://api.example.com/'],
		],
		bad: [
			...['', 'api.example.com', 'localhost:8080', 'ftp://host', 'file:///etc/passwd'],
			...['http://', 'https://user@host', 'https://user:password@host'],
			...['https://:password@host'],
		],
	},
];

describe.each(tables)('$name', ({parse, good, bad}) => {
	if (good.length > 0) {
		test.each(good)('reads %j as %j', (text, value) => {
			expect(parse(text)).toBe(value);
		});
	}

	if (bad.length > 0) {
		test.each(bad)('refuses %j with the end of a sentence', (text) => {
			const read = () => parse(text);
			expect(read).toThrow(ValueError);
			expect(read).toThrow(/^must (not )?(be|contain) /);
		});
	}
});
