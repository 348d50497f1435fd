/** Checked quotations as lines for people. */
import {type CheckedQuotation, type Found, passes} from '../chat/checked-quotation.ts';
import {plural, shorten} from '../wording.ts';

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
export function summarize(quotations: readonly CheckedQuotation[]): string {
	const count = (wanted: Found) => quotations.filter(({found}) => found === wanted).length;
	const counts = [
		[count('verbatim'), 'verbatim'],
		...Object.entries(problems).map(([found, word]) => [count(found as Found), word]),
	];
	const parts = counts.filter(([number]) => number !== 0).map((part) => part.join(' '));
	return `${plural(quotations.length, 'quotation')}: ${parts.join(', ')}`;
}

/** Returns a quotation as JSON output has it. */
export function quotationToJson({text, found, places, named}: CheckedQuotation) {
	const [place] = places;
	return {
		text,
		found,
		file: place?.name ?? null,
		line: place?.line ?? null,
		named: named ?? null,
	};
}
