/** The choices of a question, as values. */

export type Choice<Key extends string = string> = {
	/** The letter that takes it. */
	readonly key: Key;
	readonly meaning: string;
	/** The meaning where there is no row for it. */
	readonly brief: string;
	/** Other keys that take it. */
	readonly chords?: readonly string[];
	/** Whether all of the question has to be shown before. */
	readonly isAgreement?: true;
	/** Whether it is selected first: one of them, which agrees to nothing and loses nothing. */
	readonly isFirst?: true;
};

/** The keys pressed in a question so far. */
export type Choosing = {
	/** Whether keys count as answers: no key was pressed for a while. */
	readonly isArmed: boolean;
	/** The key of the choice that the arrows are at. */
	readonly selected: string | undefined;
	/** The key that was pressed and took nothing; empty after several different ones. */
	readonly typed: string | undefined;
};

export const notChosen: Choosing = {isArmed: false, selected: undefined, typed: undefined};

/** Returns the key of the choice that Enter takes. */
export function selectedIn({selected}: Choosing, choices: readonly Choice[]): string | undefined {
	return selected ?? choices.find(({isFirst}) => isFirst)?.key;
}

/** Whether letters answer once the question is armed. */
export function hasLetters({typed}: Choosing, choices: readonly Choice[]): boolean {
	return typed === undefined || choices.some(({key}) => key === typed);
}
