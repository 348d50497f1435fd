/** The next step after a failure, or after a notice. */
export type Hint = string | SessionHint;

/** A session has commands where a command line has flags. */
export type SessionHint = {readonly line: string; readonly session: string};

export function lineHint(hint: Hint): string {
	return typeof hint === 'string' ? hint : hint.line;
}

export function sessionHint(hint: Hint): string {
	return typeof hint === 'string' ? hint : hint.session;
}

/** Joins hints to one. */
export function joinHints(...hints: readonly Hint[]): Hint {
	const line = joinSentences(hints.map(lineHint));
	const session = joinSentences(hints.map(sessionHint));
	return line === session ? line : {line, session};
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
