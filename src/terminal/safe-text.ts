/**
 * Text that may be written to a terminal. `SafeText` is made here and nowhere else, so whatever
 * asks for one cannot be given the text of a model, a tool or a server as it came.
 *
 * Sanitise last: after JSON, after Markdown and its entities, right before writing.
 */
import type {Redact} from '../redact.ts';
import {createControlFilter} from './control-sequences.ts';

declare const brand: unique symbol;

/** Holds no control but tab, LF and what our own literals put there. */
export type SafeText = string & {readonly [brand]: 'SafeText'};

function markSafe(text: string): SafeText {
	return text as SafeText;
}

/**
 * A tag for our own text, which may hold escape sequences of ours; what is put in must be safe
 * already.
 */
export function safe(
	literals: TemplateStringsArray,
	...values: ReadonlyArray<SafeText | number>
): SafeText {
	let text = literals[0] ?? '';
	for (const [index, value] of values.entries()) text += value + (literals[index + 1] ?? '');
	return markSafe(text);
}

/** Safe texts in a row are safe: no part ends inside a sequence. */
export function joinSafe(...parts: readonly SafeText[]): SafeText {
	return markSafe(parts.join(''));
}

/**
 * Untrusted text as it may be shown: without escape sequences, controls and invisible characters;
 * tab and LF stay, CRLF and CR become LF, lone surrogates U+FFFD.
 */
export function stripUnsafe(text: string): SafeText {
	const sanitizer = createStreamSanitizer();
	return joinSafe(sanitizer.push(text), sanitizer.end());
}

/**
 * The same as one line: each line end, with the blanks around it, becomes a space. Text of a server
 * cannot look like lines of ours then. Takes time linear in the text.
 */
export function stripToLine(text: string): SafeText {
	const lines = stripUnsafe(text).split('\n');
	const last = lines.length - 1;
	const pieces = lines.map((line, place) => {
		const start = place === 0 ? line : line.trimStart();
		return place === last ? start : start.trimEnd();
	});
	return stripUnsafe(
		pieces.filter((piece, place) => piece !== '' || place === 0 || place === last).join(' '),
	);
}

/** Without secrets, which may be whole only now that the text is safe. */
export function redactSafe(text: SafeText, redact: Redact): SafeText {
	return markSafe(redact(text));
}

export interface StreamSanitizer {
	push(text: string): SafeText;
	/** The rest, at the end of the stream; another one may follow. */
	end(): SafeText;
}

/** `stripUnsafe` for text in pieces: cut anywhere, the joined results are those of the whole. */
export function createStreamSanitizer(): StreamSanitizer {
	const filter = createControlFilter();
	return {
		push: (text) => markSafe(filter.push(text)),
		end: () => markSafe(filter.end()),
	};
}

/**
 * Everything that is not drawn as itself: controls, invisible, private and unassigned characters,
 * spaces other than the plain one, and the marks that `escapeInvisible` itself writes.
 */
const odd = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u2400-\u2421\u27e8]/gu;

/**
 * Untrusted text on which a decision hangs (a command, a path, a URL, a key): nothing is left out,
 * each odd character shows as `␛`, `␊` or `⟨U+202E⟩`, and two different texts never look the same
 * for one of them. Always a single line.
 */
export function escapeInvisible(text: string): SafeText {
	return markSafe(text.replace(odd, reveal));
}

function reveal(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20) return String.fromCodePoint(0x2400 + code);
	if (code === 0x7f) return '\u2421';
	return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

/** A CR at the end may be half of a CRLF whose LF is still to come. */
const control = /(?![\t\n\r])\p{Cc}|\r(?!\n|$)/u;

/**
 * Whether a terminal would do something other than show this text: it holds ESC, C1 or another
 * control. Tab, LF and CRLF do not count, nor does a CR at the very end.
 */
export function hasUnsafe(text: string): boolean {
	return control.test(text);
}
