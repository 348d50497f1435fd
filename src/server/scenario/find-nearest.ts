/** What a mistyped word was probably meant to be. */

/** The word that takes the fewest changes, if they are few for its length. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
	let nearest: string | undefined;
	let fewest = Math.min(3, Math.ceil(word.length / 3)) + 1;
	for (const candidate of candidates) {
		const changes = countChanges(word.toLowerCase(), candidate);
		if (changes >= fewest) continue;
		nearest = candidate;
		fewest = changes;
	}
	return nearest;
}

/** Letters to add, drop or replace, one by one, row by row of the usual table. */
function countChanges(from: string, to: string): number {
	let row = Array.from({length: to.length + 1}, (_, index) => index);
	for (const [index, letter] of [...from.slice(0, 100)].entries()) {
		const next = [index + 1];
		for (const [place, wanted] of [...to].entries()) {
			const replaced = (row[place] ?? 0) + (letter === wanted ? 0 : 1);
			const added = (next[place] ?? 0) + 1;
			const dropped = (row[place + 1] ?? 0) + 1;
			next.push(Math.min(replaced, added, dropped));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
