/**
 * The tokenizer of this service, for usage, `max_tokens` and pacing alike.
 *
 * A token is up to eight Latin letters or digits, with the one space before them; anything else is
 * a token by the character, its combining marks and joined emoji included. Tokens joined are the
 * text, and none of them splits a code point.
 */

const maxWordLength = 8;
const joiner = 0x200d;
const extenderPattern = /^[\p{M}\p{Emoji_Modifier}\u200d]$/u;
const regionalPattern = /^\p{Regional_Indicator}$/u;

/** The tokens of a text, in order, made as they are asked for. */
export function* splitTokens(text: string): Generator<string, void, undefined> {
	for (let start = 0; start < text.length; ) {
		const end = endOfToken(text, start);
		yield text.slice(start, end);
		start = end;
	}
}

/** How many tokens a text has. Linear, and holds none of them. */
export function countTokens(text: string): number {
	let count = 0;
	for (let at = 0; at < text.length; at = endOfToken(text, at)) count += 1;
	return count;
}

/** The text of the first tokens, at most `count` of them. */
export function takeTokens(text: string, count: number): string {
	let end = 0;
	for (let taken = 0; taken < count && end < text.length; taken += 1) end = endOfToken(text, end);
	return text.slice(0, end);
}

function endOfToken(text: string, start: number): number {
	const wordStart = text.charCodeAt(start) === 0x20 ? start + 1 : start;
	let end = wordStart;
	while (end - wordStart < maxWordLength && isWordUnit(text.charCodeAt(end))) end += 1;
	if (end === wordStart) end = endOfCharacter(text, start);
	return endOfExtenders(text, end);
}

/** Latin letters, digits, underscore. */
function isWordUnit(unit: number): boolean {
	if (unit >= 0x61 && unit <= 0x7a) return true;
	if (unit >= 0x41 && unit <= 0x5a) return true;
	if (unit >= 0x30 && unit <= 0x39) return true;
	return unit === 0x5f || (unit >= 0xc0 && unit <= 0x24f);
}

function endOfCharacter(text: string, start: number): number {
	const code = text.codePointAt(start) ?? 0;
	const end = start + widthOf(code);
	if (code === 0x0d && text.charCodeAt(end) === 0x0a) return end + 1;
	if (code > 0xffff && matchesAt(regionalPattern, text, start)) {
		return matchesAt(regionalPattern, text, end) ? end + 2 : end;
	}
	return end;
}

function endOfExtenders(text: string, start: number): number {
	let end = start;
	while (end < text.length) {
		const code = text.codePointAt(end) ?? 0;
		if (code < 0x300 || !extenderPattern.test(String.fromCodePoint(code))) return end;
		end += widthOf(code);
		if (code === joiner && end < text.length) end += widthOf(text.codePointAt(end) ?? 0);
	}
	return end;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
	const code = text.codePointAt(at);
	return code !== undefined && pattern.test(String.fromCodePoint(code));
}

function widthOf(code: number): number {
	return code > 0xffff ? 2 : 1;
}
