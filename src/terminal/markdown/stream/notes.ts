/** Numbers code blocks through a session, and addresses through one answer, even if its text comes in parts. */

export interface Notes {
	/** Numbers the next fenced code block. */
	numberCode(): number;
	/** Sets the number of code blocks above, in other answers too. */
	startCode(above: number): void;
	/** Numbers an address, from 1; the same one has the same number. */
	numberAddress(address: string): number;
	/** Returns the numbered addresses not taken before. */
	takeAddresses(): ReadonlyArray<readonly [address: string, number: number]>;
	/** Remembers bracketed words in text as shown: links still lacking their definition. */
	addBrackets(text: string): void;
	/** Whether a text above has a link definition's label in brackets. */
	hasBrackets(label: string): boolean;
	/** Returns notes for unfinished text: they go on from here and leave these unchanged. */
	preview(): Notes;
}

type Counts = {
	readonly codeBlocks: number;
	readonly addresses: ReadonlyMap<string, number>;
	readonly brackets: ReadonlySet<string>;
};

/** Labels differ neither by case nor by white space. */
function foldLabel(label: string): string {
	return label.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** @param above the counts to go on from */
export function createNotes(above?: Counts): Notes {
	let codeBlocks = above?.codeBlocks ?? 0;
	const known: Counts['addresses'] = above?.addresses ?? new Map();
	const addresses = new Map<string, number>();
	const brackets = new Set<string>();
	let taken = 0;
	return {
		numberCode() {
			codeBlocks += 1;
			return codeBlocks;
		},
		startCode(above) {
			codeBlocks = above;
		},
		numberAddress(address) {
			const next = known.size + addresses.size + 1;
			const number = known.get(address) ?? addresses.get(address) ?? next;
			if (number === next) addresses.set(address, number);
			return number;
		},
		takeAddresses() {
			const fresh = [...addresses].slice(taken);
			taken = addresses.size;
			return fresh;
		},
		addBrackets(text) {
			for (const [, label = ''] of text.matchAll(/\[([^[\]]{1,200})\]/g)) {
				brackets.add(foldLabel(label));
			}
		},
		hasBrackets(label) {
			const folded = foldLabel(label);
			return brackets.has(folded) || above?.brackets.has(folded) === true;
		},
		preview: () => createNotes({codeBlocks, addresses, brackets}),
	};
}
