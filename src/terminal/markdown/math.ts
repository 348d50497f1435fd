/**
 * Formulas in TeX, which are shown as typed: emphasis and escapes mean nothing inside them.
 * `$…$` is one only if it cannot be two prices.
 */
import type {Tokens} from 'marked';

/** Longer ones are ordinary text; this bounds how far the lexer looks ahead. */
export const maxFormulaLength = 300;

const formula =
	/^(?:\$\$[^$]{1,296}\$\$|\$(?![\s$])[^$\n]{0,297}(?<![\s\\$])\$(?![\d$])|\\\((?:[^\\]|\\(?!\))){1,296}\\\)|\\\[(?:[^\\]|\\(?!\])){1,296}\\\])/;

export function readMath(source: string): Tokens.Generic | undefined {
	const raw = formula.exec(source)?.[0];
	return raw === undefined ? undefined : {type: 'math', raw, text: raw};
}

/** Where a formula may begin: the lexer stops plain text there. */
export function findMathStart(source: string): number {
	return source.search(/\$|\\[([]/);
}
