/** Small text functions shared by several rules, all in linear time. */
import {shorten} from '../../wording.ts';

/** A text on one line, in quotation marks. */
export function quote(text: string, limit = 200): string {
	const line = text
		.slice(0, limit * 4)
		.replace(/\s+/g, ' ')
		.trim();
	return `“${shorten(line, limit)}”`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[]): string {
	return new Intl.ListFormat('en-GB').format(words);
}

/** A text's lines; a final line break does not start another. */
export function countLines(text: string): number {
	const breaks = countMatches(text, /\r\n?|\n/g);
	return text === '' || /[\n\r]$/.test(text.slice(-1)) ? breaks : breaks + 1;
}

export function countWords(text: string): number {
	return countMatches(text, /\S+/g);
}

/** Counts without storing them. */
function countMatches(text: string, pattern: RegExp): number {
	let count = 0;
	while (pattern.test(text)) count += 1;
	return count;
}

/** Removes one surrounding pair of quotation marks. */
export function unquote(text: string): string {
	return /^(?:"([^"]*)"|'([^']*)'|“([^”]*)”|`([^`]*)`)[.!]?$/.exec(text)?.slice(1).join('') ?? text;
}

/** A count as written in prompts: `20,000` or `20k`. */
export const countPattern = '\\d[\\d,_]*k?';

/** The count in a matching text; undefined for any other text. */
export function readCount(text = ''): number | undefined {
	const [, digits, k] = /^(\d[\d,_]*)(k?)$/i.exec(text) ?? [];
	if (digits === undefined) return undefined;
	return Number(digits.replace(/[,_]/g, '')) * (k === '' ? 1 : 1000);
}

export function fingerprint(text: string): string {
	return hashText(text).toString(16).padStart(8, '0');
}

/** A number from 0 to 2^32 hashed from the whole text (FNV-1a). */
export function hashText(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	}
	return hash >>> 0;
}
