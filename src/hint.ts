/** The next step after a failure, or after a notice. */
export type Hint = string | ReplHint;

/** The REPL has slash commands where the command line has flags. */
export type ReplHint = {readonly line: string; readonly repl: string};

export function lineHint(hint: Hint): string {
	return typeof hint === 'string' ? hint : hint.line;
}

export function replHint(hint: Hint): string {
	return typeof hint === 'string' ? hint : hint.repl;
}

/** Joins hints to one. */
export function joinHints(...hints: readonly Hint[]): Hint {
	const line = joinSentences(hints.map(lineHint));
	const repl = joinSentences(hints.map(replHint));
	return line === repl ? line : {line, repl};
}

/** A sentence that ends in a command has no full stop. */
function joinSentences(sentences: readonly string[]): string {
	return sentences.reduce((all, text) => `${all}${/[.?!]$/.test(all) ? '' : '.'} ${text}`);
}

type WithHint = {readonly message: string; readonly hint?: Hint | undefined};

/** Returns a message that ends with its hint. */
export function withHint({message, hint}: WithHint, textOf: (hint: Hint) => string): string {
	return hint === undefined ? message : `${message}; ${textOf(hint)}`;
}
