/**
 * What the image decoders share: a count of colours instead of a picture, and a budget that bounds
 * the work for all images of a request.
 */

export type Rgb = {readonly red: number; readonly green: number; readonly blue: number};

/** Thrown by a decoder for bytes it cannot or will not decode; caught in `main-colour.ts`. */
export class UndecodableImage extends Error {}

export interface DecodeBudget {
	/** @throws {UndecodableImage} when this many pixels or bytes are more than is left. */
	take(amount: number): void;
}

/** Four large photographs, or any number of small images. */
const budgetAmount = 96 * 1024 * 1024;

export function createDecodeBudget(amount = budgetAmount): DecodeBudget {
	let left = amount;
	return {
		take(wanted) {
			if (!(wanted >= 0 && wanted <= left)) throw new UndecodableImage('too large to decode');
			left -= wanted;
		},
	};
}

export interface ColourCounter {
	/** Counts a colour, each part 0 to 255; `weight` pixels of it. */
	add(red: number, green: number, blue: number, weight?: number): void;
	/** The mean of the most frequent group of like colours; undefined when nothing was counted. */
	main(): Rgb | undefined;
}

/** Colours are like when the four high bits of their parts are the same. */
const groups = 4096;

export function createColourCounter(): ColourCounter {
	const weights = new Float64Array(groups);
	const sums = new Float64Array(groups * 3);
	return {
		add(red, green, blue, weight = 1) {
			const group = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
			weights[group] = (weights[group] ?? 0) + weight;
			sums[group * 3] = (sums[group * 3] ?? 0) + red * weight;
			sums[group * 3 + 1] = (sums[group * 3 + 1] ?? 0) + green * weight;
			sums[group * 3 + 2] = (sums[group * 3 + 2] ?? 0) + blue * weight;
		},
		main() {
			const most = weights.reduce((best, weight) => Math.max(best, weight), 0);
			if (most === 0) return undefined;
			const group = weights.indexOf(most);
			const part = (index: number) => Math.round((sums[group * 3 + index] ?? 0) / most);
			return {red: part(0), green: part(1), blue: part(2)};
		},
	};
}
