/** Finds the known word that a mistyped one probably means. */

/** A shorter beginning says little about a word. */
const minPrefixLength = 3;

/**
 * @returns the only word with this beginning, else the one with the fewest typing mistakes, or
 * undefined if none is close
 */
export function findClosest(text: string, words: readonly string[]): string | undefined {
	const written = normalize(text);
	const known = words.map((word) => ({word, normal: normalize(word)}));
	const longer = known.filter(({normal}) => normal.startsWith(written));
	if (written.length >= minPrefixLength && longer.length === 1) return longer[0]?.word;
	const [closest] = known
		.map(({word, normal}) => ({word, distance: editDistance(written, normal)}))
		.filter(({word, distance}) => distance <= Math.max(1, Math.floor(word.length / 3)))
		.sort((a, b) => a.distance - b.distance);
	return closest?.word;
}

/** `maxTokens`, `MAX_TOKENS`, `CHAT_MAX_TOKENS` and `--max-tokens` become one word. */
function normalize(text: string): string {
	return text
		.replace(/([a-z])([A-Z])/g, '$1-$2')
		.toLowerCase()
		.replaceAll('_', '-')
		.replace(/^-+|^chat-/g, '');
}

/** Returns the number of insertions, deletions, replacements and swaps of neighbours. */
function editDistance(from: string, to: string): number {
	let beforeLast: readonly number[] = [];
	let last: readonly number[] = Array.from({length: to.length + 1}, (_, index) => index);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const isSame = from[row - 1] === to[column - 1];
			const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
			current.push(
				Math.min(
					(last[column] ?? 0) + 1,
					(current[column - 1] ?? 0) + 1,
					(last[column - 1] ?? 0) + (isSame ? 0 : 1),
					isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
				),
			);
		}
		beforeLast = last;
		last = current;
	}
	return last.at(-1) ?? 0;
}
