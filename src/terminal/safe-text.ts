/**
 * Text safe to write to a terminal. `SafeText` is made only here, so a parameter of this type
 * cannot receive raw text from a model, a tool or a server. Sanitise last: after JSON, after
 * Markdown and its entities, right before writing.
 */
import type {Redact} from '../redact.ts';
import {filterControls, splitUnfinished} from './control-sequences.ts';

declare const brand: unique symbol;

/** Has no control characters except tab, LF and those in our own literals. */
export type SafeText = string & {readonly [brand]: 'SafeText'};

function markSafe(text: string): SafeText {
	return text as SafeText;
}

/** Tags a literal of ours, which may contain escape sequences; its values must be safe already. */
export function safe(
	literals: TemplateStringsArray,
	...values: ReadonlyArray<SafeText | number>
): SafeText {
	let text = literals[0] ?? '';
	for (const [index, value] of values.entries()) text += value + (literals[index + 1] ?? '');
	return markSafe(text);
}

/** Joins safe texts. The result is safe, because no part ends inside a sequence. */
export function joinSafe(...parts: readonly SafeText[]): SafeText {
	return markSafe(parts.join(''));
}

/**
 * Removes escape sequences, controls and invisible characters from untrusted text. Tab and LF stay,
 * CRLF and CR become LF, lone surrogates U+FFFD.
 */
export function stripUnsafe(text: string): SafeText {
	return markSafe(filterControls(text));
}

/** The same on one line, keeping server text from imitating lines of ours. */
export function stripToLine(text: string): SafeText {
	const lines = stripUnsafe(text).split('\n');
	const pieces = lines.map((line) => line.trim()).filter((line) => line !== '');
	return markSafe(pieces.join(' '));
}

/** Redacts secrets, which invisible characters may have hidden before the text was safe. */
export function redactSafe(text: SafeText, redact: Redact): SafeText {
	return markSafe(redact(text));
}

export interface StreamSanitizer {
	push(text: string): SafeText;
	/** Returns the rest and resets the sanitizer. */
	end(): SafeText;
}

/** `stripUnsafe` for text in pieces, with the same result wherever it is cut. */
export function createStreamSanitizer(): StreamSanitizer {
	let pending = '';
	return {
		push(text) {
			const [finished, rest] = splitUnfinished(pending + text);
			pending = rest;
			return stripUnsafe(finished);
		},
		end() {
			const rest = stripUnsafe(pending);
			pending = '';
			return rest;
		},
	};
}

/**
 * Characters with a deceptive look or none: controls, invisible, private and unassigned ones,
 * spaces other than the plain one, and the marks written by `escapeInvisible`.
 */
const odd = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u2400-\u2421\u27e8]/gu;

/**
 * Escapes untrusted text a decision depends on (a command, a path, a URL, a key): nothing is left
 * out, each odd character shows as `␛`, `␊` or `⟨U+202E⟩`, and no two texts look the same because
 * of one. Always a single line.
 */
export function escapeInvisible(text: string): SafeText {
	return markSafe(text.replace(odd, reveal));
}

/**
 * The same for a call needing a person's approval; spaces that could hide something, or go unseen,
 * are counted.
 */
export function revealText(text: string): SafeText {
	if (text === '') return markSafe('⟨empty⟩');
	return markSafe(
		escapeInvisible(text).replace(/ {3,}|^ | $/g, ({length}) => `⟨${length} spaces⟩`),
	);
}

function reveal(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20) return String.fromCodePoint(0x2400 + code);
	return code === 0x7f ? '\u2421' : nameCodePoint(character);
}

/** Returns the number of an unprintable character: `⟨U+202E⟩`. */
export function nameCodePoint(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}

const control = /(?![\t\n\r])\p{Cc}|\r(?!\n|$)/u;

/**
 * Whether a terminal would act on this text: it has a control other than tab, LF, CRLF, and a final
 * CR, possibly half a CRLF.
 */
export function hasUnsafe(text: string): boolean {
	return control.test(text);
}
