/** Counts over all blocks of one answer, also if its text comes in parts. */

export interface Notes {
	/** Numbers the next fenced code block; `findCodeBlocks` has them in the same order. */
	numberCode(): number;
	/** Returns notes for text that is not final: they go on from here and leave these unchanged. */
	preview(): Notes;
}

export function createNotes(codeBlocks = 0): Notes {
	let count = codeBlocks;
	return {
		numberCode() {
			count += 1;
			return count;
		},
		preview: () => createNotes(count),
	};
}
