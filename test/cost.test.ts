import {expect, test} from 'vitest';
import {costOf, formatCost, type Prices} from '../src/cost.ts';
import type {Usage} from '../src/usage.ts';

const prices: Prices = {input: 2.5, output: 10, cached: 1.25, date: '2026-07-01'};

test.each<readonly [name: string, Omit<Usage, 'raw'>, Partial<Prices>, usd: number | undefined]>([
	['both directions', {promptTokens: 1000, completionTokens: 170}, {}, 0.0042],
	['nothing', {promptTokens: 0, completionTokens: 0}, {}, 0],
	['cached input', {promptTokens: 1000, cachedTokens: 800, completionTokens: 0}, {}, 0.0015],
	[
		'cached input without a price',
		{promptTokens: 1000, cachedTokens: 800, completionTokens: 0},
		{cached: undefined},
		0.0025,
	],
	[
		'reasoning that only the total counts',
		{promptTokens: 100, completionTokens: 10, totalTokens: 1110},
		{},
		0.01035,
	],
	['an unknown output', {promptTokens: 1000}, {}, undefined],
	['an unknown input', {completionTokens: 1000}, {}, undefined],
	['a prompt at the limit', {promptTokens: 200, completionTokens: 1}, {maxInput: 200}, 0.00051],
	['a prompt over it', {promptTokens: 201, completionTokens: 1}, {maxInput: 200}, undefined],
])('the cost of %s', (_, counts, changes, usd) => {
	const expected = usd === undefined ? undefined : {usd, pricesOf: '2026-07-01'};
	expect(costOf({...counts, raw: {}}, {...prices, ...changes})).toEqual(expected);
});

test('the cost without usage or prices is not known', () => {
	expect(costOf(undefined, prices)).toBeUndefined();
	expect(costOf({raw: {}, promptTokens: 1, completionTokens: 1}, undefined)).toBeUndefined();
});

test.each([
	[0, '$0.00'],
	[0.000_000_123, '$0.00000012'],
	[0.099_9, '$0.100'],
	[0.123, '$0.12'],
	[12.3, '$12.30'],
])('%d is shown as %s', (usd, text) => {
	expect(formatCost(usd)).toBe(text);
});
