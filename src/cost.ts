/** The cost of an answer at list prices. */
import type {Usage} from './usage.ts';

export type Prices = {
	/** US dollars for a million tokens, as are those below. */
	readonly input: number;
	readonly output: number;
	/** The price for cached input. */
	readonly cached?: number | undefined;
	/** Prompts with more tokens have other prices. */
	readonly maxInput?: number | undefined;
	/** The day of the prices: `2026-11-22`. */
	readonly date: string;
};

export type Cost = {
	/** US dollars. */
	readonly usd: number;
	/** The day of the prices. */
	readonly pricesOf: string;
};

/** Returns undefined if a count or a price is missing. */
export function costOf(usage: Usage | undefined, prices: Prices | undefined): Cost | undefined {
	const {promptTokens: input, completionTokens, cachedTokens = 0, totalTokens = 0} = usage ?? {};
	if (prices === undefined || input === undefined || completionTokens === undefined)
		return undefined;
	if (prices.maxInput !== undefined && input > prices.maxInput) return undefined;
	const cached = Math.min(cachedTokens, input);
	// Some services count reasoning in the total alone, and charge for it.
	const output = Math.max(completionTokens, totalTokens - input);
	const {cached: cachedPrice = prices.input} = prices;
	const sum = (input - cached) * prices.input + cached * cachedPrice + output * prices.output;
	return {usd: Number((sum / 1_000_000).toPrecision(12)), pricesOf: prices.date};
}

/** Returns `$12.30`, `$0.0042`. */
export function formatCost(usd: number): string {
	const digits = usd > 0 && usd < 0.1 ? 1 - Math.floor(Math.log10(usd)) : 2;
	return `$${usd.toFixed(Math.min(digits, 20))}`;
}
