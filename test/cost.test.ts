import {describe, expect, test} from 'vitest';
import {costOf, formatCost, type Prices} from '../src/cost.ts';
import type {Usage} from '../src/usage.ts';

const prices: Prices = {input: 2.5, output: 10, cached: 1.25, date: '2026-07-01'};

function costOfTokens(counts: Omit<Usage, 'raw'>, changes: Partial<Prices> = {}) {
	return costOf({...counts, raw: {}}, {...prices, ...changes})?.usd;
}

describe('the cost', () => {
	test('counts the tokens of both directions', () => {
		expect(costOfTokens({promptTokens: 1000, completionTokens: 170})).toBe(0.0042);
		expect(costOf({raw: {}, promptTokens: 0, completionTokens: 0}, prices)).toEqual({
			usd: 0,
			pricesOf: '2026-07-01',
		});
	});

	test('has an own price for cached input, if it is known', () => {
		const counts = {promptTokens: 1000, cachedTokens: 800, completionTokens: 0};
		expect(costOfTokens(counts)).toBe(0.0015);
		expect(costOfTokens(counts, {cached: undefined})).toBe(0.0025);
	});

	test('includes reasoning that only the total counts', () => {
		const counts = {promptTokens: 100, completionTokens: 10, totalTokens: 1110};
		expect(costOfTokens(counts)).toBe(0.01035);
	});

	test('is not known without a count or a price, or for a prompt that has another price', () => {
		expect(costOfTokens({promptTokens: 1000})).toBeUndefined();
		expect(costOfTokens({completionTokens: 1000})).toBeUndefined();
		expect(costOf(undefined, prices)).toBeUndefined();
		expect(costOf({raw: {}, promptTokens: 1, completionTokens: 1}, undefined)).toBeUndefined();
		const long = {promptTokens: 200_001, completionTokens: 1};
		expect(costOfTokens(long, {maxInput: 200_000})).toBeUndefined();
		expect(costOfTokens(long)).toBeGreaterThan(0.5);
	});
});

test.each([
	[0, '$0.00'],
	[0.000_000_123, '$0.00000012'],
	[0.0042, '$0.0042'],
	[0.099_9, '$0.100'],
	[0.123, '$0.12'],
	[12.3, '$12.30'],
])('%d is shown as %s', (usd, text) => {
	expect(formatCost(usd)).toBe(text);
});
