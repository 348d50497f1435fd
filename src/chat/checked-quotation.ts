/** Quotations of an answer, looked up in the texts it was given. */

/**
 * `verbatim`: in the named file, or in any if none is named; `elsewhere`: in another one, or in the
 * prompt; `stitched`: all its words are there, but not together; `changed`: most of them are; `absent`.
 */
export type Found = 'verbatim' | 'elsewhere' | 'stitched' | 'changed' | 'absent';

export type CheckedQuotation = {
	/** As quoted, without its marks. */
	readonly text: string;
	readonly found: Found;
	/** Where it is, the named file first; empty unless it passes. */
	readonly places: readonly QuotationPlace[];
	/** The file that the answer names as its origin. */
	readonly named?: string | undefined;
};

export type QuotationPlace = {
	/** The name of the text, such as a path or `stdin`. */
	readonly name: string;
	/** From 1; undefined in a PDF. */
	readonly line?: number | undefined;
};

export function passes({found}: CheckedQuotation): boolean {
	return found === 'verbatim' || found === 'elsewhere';
}
