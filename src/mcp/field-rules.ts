/** The rules of the fields of a form: in words for the user, and for the validator. */
import type {ElicitedField} from '../chat/elicitation.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import type {CheckValue, Formats} from '../tools/json-schema.ts';
import {plural} from '../wording.ts';

export const formats = {
	email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
	uri: (text) => URL.canParse(text),
	date: isDate,
	'date-time': isTime,
} as const satisfies Formats;

const formatNames: Readonly<Record<keyof typeof formats, string>> = {
	email: 'an email address',
	uri: 'an address such as https://example.com',
	date: 'a date such as 2026-11-23',
	'date-time': 'a time such as 2026-11-23T09:30:00Z',
};

function isDate(text: string): boolean {
	const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
	return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

function isTime(text: string): boolean {
	const [, date = ''] =
		/^(\d{4}-\d\d-\d\d)[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
	return isDate(date) && Number.isFinite(Date.parse(text));
}

const typeNames: Readonly<Record<string, string>> = {number: 'a number', integer: 'a whole number'};

/** Returns the rules in words: those of the keywords in `wordedKeywords`. */
export function readRules(schema: JsonObject): readonly string[] {
	const {minLength, maxLength, minimum, maximum, minItems, maxItems} = schema;
	return [
		...lookUp(typeNames, schema['type']),
		...lookUp(formatNames, schema['format']),
		...describeLimits(minLength, maxLength, (count) => plural(count, 'character')),
		...describeLimits(minimum, maximum, String),
		...describeLimits(minItems, maxItems, (count) => plural(count, 'choice')),
	];
}

const wordedKeywords: ReadonlySet<string | undefined> = new Set([
	'type',
	'format',
	'minLength',
	'maxLength',
	'minimum',
	'maximum',
	'minItems',
	'maxItems',
]);

function lookUp(
	names: Readonly<Record<string, string>>,
	word: JsonValue | undefined,
): readonly string[] {
	const name = typeof word === 'string' && Object.hasOwn(names, word) ? names[word] : undefined;
	return name === undefined ? [] : [name];
}

function describeLimits(
	least: JsonValue | undefined,
	most: JsonValue | undefined,
	name: (limit: number) => string,
): readonly string[] {
	if (typeof least === 'number' && least === most) return [`exactly ${name(least)}`];
	return [
		...(typeof least === 'number' ? [`at least ${name(least)}`] : []),
		...(typeof most === 'number' ? [`at most ${name(most)}`] : []),
	];
}

/** @param check of the whole form */
export function createFieldCheck(
	{name, rules}: Pick<ElicitedField, 'name' | 'rules'>,
	check: CheckValue,
): ElicitedField['check'] {
	return (value) => {
		const failure = check({[name]: value});
		if (failure === undefined) return undefined;
		return wordedKeywords.has(failure.keyword) && rules.length > 0
			? `Expected ${rules.join(', ')}.`
			: `That does not fit: ${failure.problem}.`;
	};
}
