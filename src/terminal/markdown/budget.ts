/**
 * Keeps the cost of lexing unfinished source again and again linear: each character that comes in
 * earns the lexing of some.
 */

/** Characters that may be lexed for each one that comes in, on average. */
const lexingRate = 8;
/** Characters that may be lexed ahead of that. */
const advance = 4_000;

interface LexingBudget {
	earn(characters: number): void;
	/** Whether so many characters may be lexed. */
	covers(characters: number): boolean;
	/** May be called beyond what is covered. */
	spend(characters: number): void;
}

export function createLexingBudget(): LexingBudget {
	let balance = advance;
	return {
		earn(characters) {
			balance += characters * lexingRate;
		},
		covers: (characters) => balance >= characters,
		spend(characters) {
			balance -= characters;
		},
	};
}
