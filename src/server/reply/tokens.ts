/**
 * The service's tokenizer, for usage, `max_tokens` and pacing alike. A token is up to eight Latin
 * letters or digits, with one space before them; anything else is a token per character, with its
 * combining marks and joined emoji. Joined tokens are the text, and no token splits a code point.
 */

const tokenPattern =
	/ ?[A-Za-z0-9_\u00c0-\u024f]{1,8}\p{M}*|\r\n|\p{Regional_Indicator}{2}|.(?:[\p{M}\p{Emoji_Modifier}]|\u200d.?)*/gsu;

/** A text's tokens, in order, made on demand. */
export function* splitTokens(text: string): Generator<string, void, undefined> {
	for (const [token] of text.matchAll(tokenPattern)) yield token;
}

/** Token count, in linear time, without storing tokens. */
export function countTokens(text: string): number {
	return walk(text, Number.POSITIVE_INFINITY).count;
}

/** The text up to the first `count` tokens. */
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
