/**
 * The tokenizer of this service, for usage, `max_tokens` and pacing alike.
 *
 * A token is up to eight Latin letters or digits, with the one space before them; anything else is
 * a token by the character, with its combining marks and joined emoji. Tokens joined are the text,
 * and none of them splits a code point.
 */

const tokenPattern =
	/ ?[A-Za-z0-9_\u00c0-\u024f]{1,8}\p{M}*|\r\n|\p{Regional_Indicator}{2}|.(?:[\p{M}\p{Emoji_Modifier}]|\u200d.?)*/gsu;

/** The tokens of a text, in order, made as they are asked for. */
export function* splitTokens(text: string): Generator<string, void, undefined> {
	for (const [token] of text.matchAll(tokenPattern)) yield token;
}

/** How many tokens a text has. Linear, and holds none of them. */
export function countTokens(text: string): number {
	return walk(text, Number.POSITIVE_INFINITY).count;
}

/** The text of the first tokens, at most `count` of them. */
export function takeTokens(text: string, count: number): string {
	return text.slice(0, walk(text, count).end);
}

function walk(text: string, limit: number): {readonly count: number; readonly end: number} {
	const pattern = new RegExp(tokenPattern);
	let count = 0;
	let end = 0;
	while (count < limit && end < text.length && pattern.test(text)) {
		count += 1;
		end = pattern.lastIndex;
	}
	return {count, end};
}
