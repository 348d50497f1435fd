/**
 * Finds one form of a secret in a text: as it is, with blanks or invisible characters inside of it,
 * which a person reads over, and its beginning where the text was shortened. Takes time linear in
 * the text, even for a secret that repeats itself.
 */

/** What is drawn as nothing or as a blank. */
const gap = /[\s\p{C}\p{Default_Ignorable_Code_Point}]/u;
const gaps = new RegExp(gap, 'gu');

/** Shorter ones are found in ordinary words that stand in a row. */
const minSpreadLength = 12;

/** Shorter beginnings are found in ordinary words. */
const minCutLength = 4;

/** Where a text was shortened. */
const ellipsis = '…';

/** @param joined the text as `dropGaps` leaves it */
export type FormMask = (text: string, joined: string) => string;

export function dropGaps(text: string): string {
	return text.replace(gaps, '');
}

/** Makes a function that puts the mask in the place of this form. What it needs, it makes when used. */
export function createFormMask(form: string, mask: string): FormMask {
	const isSpread = form.length >= minSpreadLength;
	let wanted: string | undefined;
	let extend: ExtendMatch | undefined;
	return (text, joined) => {
		wanted ??= isSpread ? dropGaps(form) : form;
		const plain = text.replaceAll(form, mask);
		const isHidden = isSpread && joined.includes(wanted);
		if (!isHidden && !plain.includes(ellipsis)) return plain;
		extend ??= createMatcher(wanted);
		return maskMatches(plain, {length: wanted.length, isSpread, extend, mask});
	};
}

type Search = {
	readonly length: number;
	/** Whether gaps do not count. */
	readonly isSpread: boolean;
	readonly extend: ExtendMatch;
	readonly mask: string;
};

function maskMatches(text: string, {length, isSpread, extend, mask}: Search): string {
	/** Of the characters that count. */
	const places: number[] = [];
	let result = '';
	let kept = 0;
	let matched = 0;
	for (let at = 0; at < text.length; at++) {
		const character = text.charAt(at);
		const start = places[places.length - matched] ?? at;
		const isCut = character === ellipsis && isLongEnough(matched, at - start);
		if (isCut || matched === length) {
			result += `${text.slice(kept, start)}${mask}`;
			kept = at;
			matched = 0;
		}
		if (isSpread && gap.test(character)) continue;
		matched = extend(matched, character);
		places.push(at);
	}
	if (matched < length) return result + text.slice(kept);
	return `${result}${text.slice(kept, places[places.length - matched])}${mask}`;
}

/** @param span the characters from the first to the last one, with the gaps between them */
function isLongEnough(matched: number, span: number): boolean {
	return matched >= (span === matched ? minCutLength : minSpreadLength);
}

/** From how much of a secret stood before a character to how much stands behind it. */
type ExtendMatch = (matched: number, character: string) => number;

/** The search of Knuth, Morris and Pratt. */
function createMatcher(form: string): ExtendMatch {
	/** For each length of a beginning of the form, that of the next shorter one that it ends in. */
	const shorter = new Uint32Array(form.length + 1);
	const extend: ExtendMatch = (before, character) => {
		let matched = before;
		while (matched > 0 && form[matched] !== character) matched = shorter[matched] ?? 0;
		return form[matched] === character ? matched + 1 : 0;
	};
	for (let length = 1; length < form.length; length++) {
		shorter[length + 1] = extend(shorter[length] ?? 0, form.charAt(length));
	}
	return extend;
}
