/** Random numbers from a seed, so that a failure can be repeated. */

/** Returns a function that draws a whole number from `least` to `most`, both included. */
export type DrawInteger = (least: number, most: number) => number;

/** A 32-bit xorshift generator; any seed works, even 0. */
export function createSeededRandom(seed: number): DrawInteger {
	let state = (seed ^ 0x9e3779b9) | 0 || 1;
	function next(): number {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return state >>> 0;
	}
	// Seeds that differ in one bit produce similar first numbers.
	for (let round = 0; round < 8; round += 1) next();
	return (least, most) => least + (next() % (most - least + 1));
}

/** Cuts bytes into non-empty pieces of at most `longest` bytes. */
export function cutBytes(bytes: Buffer, longest: number, draw: DrawInteger): Buffer[] {
	const pieces: Buffer[] = [];
	for (let start = 0; start < bytes.length; ) {
		const end = Math.min(bytes.length, start + draw(1, longest));
		pieces.push(bytes.subarray(start, end));
		start = end;
	}
	return pieces;
}
