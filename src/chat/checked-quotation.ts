/** Quotations of an answer, looked up in the texts it was given. */
import {plural, shorten} from '../wording.ts';

/**
 * `verbatim`: in the named file, or in any if none is named; `elsewhere`: in another one, or in the
 * prompt; `stitched`: all its words are there, but not together; `changed`: most of them are; `absent`.
 */
export type Found = 'verbatim' | 'elsewhere' | 'stitched' | 'changed' | 'absent';

export type CheckedQuotation = {
	/** The quoted words, without their marks. */
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
	/** Counted from 1; undefined in a PDF. */
	readonly line?: number | undefined;
};

export function passes({found}: CheckedQuotation): boolean {
	return found === 'verbatim' || found === 'elsewhere';
}

const problems: Readonly<Record<Exclude<Found, 'verbatim'>, string>> = {
	elsewhere: 'elsewhere',
	stitched: 'stitched together from several places',
	changed: 'changed',
	absent: 'not in the files',
};

const maxShown = 60;

/** Returns a line: `✓ contract.txt:112 “the supplier shall …”`. */
export function lineOfQuotation(quotation: CheckedQuotation): string {
	const text = `“${shorten(quotation.text.replace(/\s+/g, ' '), maxShown)}”`;
	return `${passes(quotation) ? '✓' : '✗'} ${describe(quotation)} ${text}`;
}

function describe({found, places, named}: CheckedQuotation): string {
	const where = places
		.map(({name, line}) => (line === undefined ? name : `${name}:${line}`))
		.join(', ');
	if (found === 'verbatim') return where;
	if (found !== 'elsewhere') return problems[found];
	return named === undefined ? where : `${where}, not ${named}`;
}

/** Returns the sum: `9 quotations: 8 verbatim, 1 not in the files`. */
export function sumOfQuotations(quotations: readonly CheckedQuotation[]): string {
	if (quotations.length === 0) return 'no quotations of 12 or more characters';
	const count = (wanted: Found) => quotations.filter(({found}) => found === wanted).length;
	const counts = [
		[count('verbatim'), 'verbatim'],
		...Object.entries(problems).map(([found, word]) => [count(found as Found), word]),
	];
	const parts = counts.filter(([number]) => number !== 0).map((part) => part.join(' '));
	return `${plural(quotations.length, 'quotation')}: ${parts.join(', ')}`;
}
