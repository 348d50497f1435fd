/** Patterns for the words with which services refuse fields. */

const refusal = [
	String.raw`forbidden|\b(?:unsupported|unrecogni[sz]ed|deprecated|no longer)`,
	String.raw`\bunknown (?:name|field|param|arg|key|option|propert|variant|request)|\bis unknown`,
	String.raw`\bextra (?:input|field)|\badditional propert|\bwas unexpected`,
	String.raw`\bunexpected (?:name|field|param|arg|key|option|propert|input)|\bonly the default`,
	String.raw`(?:\bnot|n't|\bcannot) (?:currently |yet |be )*(?:support|permit|allow|accept|recogni[sz]|know|implement|compatible|a valid)`,
].join('|');

/** Returns a pattern for texts with all of these in one sentence. */
export function sentenceWith(...parts: readonly string[]): RegExp {
	const start = String.raw`(?:^|[.!?;]\s+|\n)`;
	const sentence = String.raw`(?:(?![.!?;]\s|\n)[\s\S])*?`;
	return new RegExp(start + parts.map((part) => `(?=${sentence}(?:${part}))`).join(''), 'i');
}

/**
 * Returns a pattern for texts that refuse fields, as opposed to mentioning them.
 *
 * @param more further words that refuse these fields
 */
export function refusalOf(fields: readonly string[], more = '(?!)'): RegExp {
	return sentenceWith(...fields, `${refusal}|${more}`);
}

/** Refuses this field value, not the field. */
export const valueRefusal =
	/(?:unsupported|invalid) value|supported values|unknown variant|only the default|one of/i;

/** Refuses a number where another number may work. */
export const rangeRefusal =
	/\btoo (?:large|small|big|high|low|many|long)\b|\bat (?:most|least)\b|\bmaximum\b(?! number)|\bexceed|\b(?:greater|less|more|higher|lower) than\b|[<>]=?\s*-?\d|\b(?:between|range|above|below)\b/i;
