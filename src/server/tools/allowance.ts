/**
 * The work that may be done for one value of a schema. A schema can ask for endless work in few
 * bytes, by references to itself and by repetition, so all parts of the work draw on one allowance.
 */

export interface Allowance {
	/**
	 * Takes so many steps; a step is about as much as a look at one keyword, or a copy of it. False
	 * when fewer are left, and from then on.
	 */
	take(steps: number): boolean;
}

/** Two thousand values of a hundred steps each; a fraction of a second. */
const ordinarySteps = 200_000;

export function createAllowance(steps = ordinarySteps): Allowance {
	let left = steps;
	return {
		take(wanted) {
			left = wanted <= left ? left - wanted : -1;
			return left >= 0;
		},
	};
}
