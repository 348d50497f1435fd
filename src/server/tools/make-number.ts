/** Makes a number that fits a JSON Schema: one of the prompt's, else the default, else near 1. */
import type {JsonObject} from '../../json.ts';
import type {Hints} from './hints.ts';
import {numberOf} from './read-schema.ts';

type Range = {
	readonly least: number;
	readonly most: number;
	readonly isAcceptable: (value: number) => boolean;
};

export function makeNumber(
	schema: JsonObject,
	name: string,
	type: 'number' | 'integer',
	hints: Hints,
	variant: number,
): number {
	const range = readRange(schema, type);
	const offered = hints.numberFor(name, range.isAcceptable);
	if (offered !== undefined) return offered;
	const fallback = numberOf(schema, 'default');
	if (variant === 0 && fallback !== undefined && range.isAcceptable(fallback)) return fallback;
	return invent(schema, range, variant);
}

function readRange(schema: JsonObject, type: 'number' | 'integer'): Range {
	const above = numberOf(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY;
	const below = numberOf(schema, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY;
	const least = Math.max(numberOf(schema, 'minimum') ?? Number.NEGATIVE_INFINITY, above);
	const most = Math.min(numberOf(schema, 'maximum') ?? Number.POSITIVE_INFINITY, below);
	const step = numberOf(schema, 'multipleOf') ?? 0;
	return {
		least,
		most,
		isAcceptable: (value) =>
			value >= least &&
			value <= most &&
			value !== above &&
			value !== below &&
			(type === 'number' || Number.isInteger(value)) &&
			(step <= 0 || Number.isInteger(value / step)),
	};
}

/** The first acceptable of a few likely numbers; the lower end when none is. */
function invent(schema: JsonObject, {least, most, isAcceptable}: Range, variant: number): number {
	const multiple = numberOf(schema, 'multipleOf') ?? 0;
	const step = multiple > 0 ? multiple : 1;
	const low = Number.isFinite(least) ? least : Math.min(1, most);
	const start = Math.ceil(low / step) * step;
	const candidates = [
		multiple > 0 ? step * (1 + variant) : 1 + variant,
		start + variant * step,
		start + (variant + 1) * step,
		least + ((most - least) * (variant + 1)) / (variant + 2),
		Math.floor(most / step) * step,
		0,
	];
	return candidates.find(isAcceptable) ?? (Number.isFinite(low) ? low : 0);
}
