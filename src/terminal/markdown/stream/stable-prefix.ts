/**
 * Finds an unfinished paragraph's stable part, which no following text can change: up to a space
 * (or between two wide characters), without a mark that may still open something.
 */
import {maxFormulaLength} from './lexer.ts';
import type {InlineToken} from './tokens.ts';

/** A mark without a partner within so many characters is text. */
const maxReach = 1_200;

// Marks in plain text that may still open emphasis, code, a link, HTML or a formula. A pair of
// brackets without `(` or `[` after it does not.
const openers =
	/\*+(?=[^\s*]|$)|~+(?=[^\s~]|$)|(?<![\p{L}\p{N}_])_+(?=[^\s_]|$)|`|\[(?![^[\]]*\][^([])|<(?=[a-z/!?]|$)|\\$|\\[([]|\$\$|\$(?=\S|$)/giu;

// White space, or a character before which a line may break.
const breaks =
	/(?<![\\ \n])[ \n]+(?=[^ \n])|(?<=[\u3001-\u30ff\u3400-\u9fff\uac00-\ud7a3])[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]/g;

/**
 * @param tokens the inline tokens of `source`
 * @returns the stable part's length, perhaps 0
 */
export function findStablePrefix(tokens: readonly InlineToken[], source: string): number {
	let stable = 0;
	let start = 0;
	for (const {type, raw} of tokens) {
		const open = type === 'text' ? findOpener(raw, source.length - start) : undefined;
		if (type === 'text') stable = lastBreak(raw.slice(0, open), start) ?? stable;
		// A hard break needs its line break and its spaces.
		if (type === 'br' && raw.startsWith(' ')) stable = start;
		if (open !== undefined) return stable;
		start += raw.length;
	}
	if (stable === 0 && source.length >= 2 * maxReach) return cutAnywhere(source);
	return stable;
}

/** Finds the first mark near enough to the end to matter. */
function findOpener(text: string, fromEnd: number): number | undefined {
	for (const match of text.matchAll(openers)) {
		const reach = match[0] === '$' ? maxFormulaLength : maxReach;
		if (fromEnd - match.index <= reach) return match.index;
	}
	return undefined;
}

function lastBreak(text: string, start: number): number | undefined {
	let end: number | undefined;
	for (const match of text.matchAll(breaks)) end = start + match.index;
	return end;
}

/** Cuts text without any break, between two plain letters if possible. */
function cutAnywhere(source: string): number {
	for (let end = source.length - 1; end > maxReach; end -= 1) {
		if (/^[a-z0-9]{2}$/i.test(source.slice(end - 1, end + 1))) return end;
	}
	const middle = source.length - maxReach;
	const isLowSurrogate = /^[\udc00-\udfff]/.test(source.slice(middle));
	return isLowSurrogate ? middle - 1 : middle;
}
