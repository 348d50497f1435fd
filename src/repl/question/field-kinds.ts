/** The kinds of fields that a server may ask for: each reads a typed text, and says what fits. */
import type {ElicitedKind} from '../../chat/elicitation.ts';
import type {JsonValue} from '../../json.ts';
import {formatCount, plural} from '../../wording.ts';
import {readNumber} from '../list/list.ts';

export type FieldKind = {
	/** Say what fits, as parts of a line. */
	readonly rules: readonly string[];
	/** Listed with numbers; none where a text is written. */
	readonly choices: readonly string[];
	readonly isMultiple: boolean;
	/** Reads a text that is not empty. */
	readonly read: (text: string) => Reading;
	/** The value of an empty text, where the field must not be left out. */
	readonly empty: JsonValue | undefined;
	/** Returns a text that is read as the value, if the value fits. */
	write(value: JsonValue): string;
	/** Returns the value as the user sees it before it is sent. */
	show(value: JsonValue): string;
	/** Returns the choices that a text names, by their places. */
	chosen(text: string): readonly number[];
	/** Returns a text that names choices by their places. */
	choose(places: readonly number[]): string;
};

export type Reading<Value = JsonValue> = {readonly value: Value} | {readonly problem: string};

export function createKind(kind: ElicitedKind): FieldKind {
	switch (kind.type) {
		case 'text':
			return createText(kind);
		case 'number':
			return createNumber(kind);
		case 'boolean':
			return yesOrNo;
		case 'choice':
			return createChoice(kind);
		default:
			return kind satisfies never;
	}
}

type KindOf<Type extends ElicitedKind['type']> = Extract<ElicitedKind, {readonly type: Type}>;

/** A text that means itself. */
export const writtenText: FieldKind = {
	rules: [],
	choices: [],
	isMultiple: false,
	empty: undefined,
	write: (value: JsonValue) => (typeof value === 'object' ? '' : String(value)),
	show: String,
	chosen: () => [],
	choose: () => '',
	read: (text) => ({value: text}),
};

type Format = {readonly name: string; readonly fits: (text: string) => boolean};

const formats: Readonly<Record<NonNullable<KindOf<'text'>['format']>, Format>> = {
	email: {name: 'an email address', fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text)},
	uri: {name: 'an address such as https://example.com', fits: (text) => URL.canParse(text)},
	date: {name: 'a date such as 2026-11-22', fits: isDate},
	'date-time': {name: 'a time such as 2026-11-22T09:30:00Z', fits: isTime},
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

function createText({format, minLength, maxLength}: KindOf<'text'>): FieldKind {
	const form = format && formats[format];
	const count = (characters: number) => plural(characters, 'character');
	const limits = describeLimits(minLength, maxLength, count);
	return {
		...writtenText,
		rules: [...(form === undefined ? [] : [form.name]), ...limits],
		read(text) {
			const length = [...text].length;
			if (form !== undefined && !form.fits(text)) return {problem: `This is not ${form.name}.`};
			const isFit = isWithin(length, minLength, maxLength);
			return isFit ? {value: text} : {problem: `It has ${count(length)}: ${limits.join(', ')}.`};
		},
	};
}

function createNumber({isInteger, minimum, maximum}: KindOf<'number'>): FieldKind {
	const name = isInteger ? 'a whole number' : 'a number';
	const rules = [name, ...describeLimits(minimum, maximum, String)];
	return {
		...writtenText,
		rules,
		read(text) {
			const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
				? Number(text)
				: Number.NaN;
			const isNumber = isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);
			const isFit = isNumber && isWithin(value, minimum, maximum);
			return isFit ? {value} : {problem: `This is not ${rules.join(', ')}.`};
		},
	};
}

const truths: Readonly<Record<string, boolean>> = {
	...{yes: true, y: true, true: true, 1: true},
	...{no: false, n: false, false: false, 2: false},
};

const yesOrNo: FieldKind = {
	rules: [],
	choices: ['yes', 'no'],
	isMultiple: false,
	empty: undefined,
	read(text) {
		const value = truthOf(text);
		return value === undefined ? {problem: 'The answer is yes or no.'} : {value};
	},
	write: (value) => (typeof value === 'boolean' ? nameTruth(value) : ''),
	show: nameTruth,
	chosen(text) {
		const value = truthOf(text.trim());
		return value === undefined ? [] : [value ? 0 : 1];
	},
	choose: ([place]) => nameTruth(place === 0),
};

function truthOf(text: string): boolean | undefined {
	const word = text.toLowerCase();
	return Object.hasOwn(truths, word) ? truths[word] : undefined;
}

function nameTruth(value: JsonValue): string {
	return value === true ? 'yes' : 'no';
}

function createChoice({choices, isMultiple, minItems, maxItems}: KindOf<'choice'>): FieldKind {
	const count = (items: number) => plural(items, 'choice');
	const limits = isMultiple ? describeLimits(minItems, maxItems, count) : [];
	/** By its number in the list, or by its name. */
	const find = (word: string) => {
		const isName = (name: string) => name.toLowerCase() === word.toLowerCase();
		return (
			readNumber(word, choices.length) ??
			choices.findIndex(({title, value}) => isName(title) || isName(value))
		);
	};
	const findAll = (text: string) => {
		const whole = isMultiple ? splitWords(text, ',').map(find) : [find(text)];
		const found = whole.includes(-1) && isMultiple ? splitWords(text, /[\s,]+/).map(find) : whole;
		return [...new Set(found)].sort((one, other) => one - other);
	};
	const choose = (places: readonly number[]) => places.map((place) => place + 1).join(', ');
	return {
		rules: limits,
		choices: choices.map(({title}) => title),
		isMultiple,
		empty: isMultiple && (minItems ?? 0) === 0 ? [] : undefined,
		read(text) {
			const places = findAll(text);
			const values = places.flatMap((place) => choices[place]?.value ?? []);
			if (places.includes(-1)) {
				const numbers = isMultiple ? 'numbers' : 'a number';
				return {problem: `The answer is ${numbers} from 1 to ${formatCount(choices.length)}.`};
			}
			if (!isMultiple) return {value: values[0] ?? null};
			const isFit = isWithin(values.length, minItems, maxItems);
			return isFit
				? {value: values}
				: {problem: `${count(values.length)} chosen: ${limits.join(', ')}.`};
		},
		write(value) {
			const wanted = Array.isArray(value) ? value : [value];
			const places = choices.flatMap((choice, place) =>
				wanted.includes(choice.value) ? [place] : [],
			);
			return choose(isMultiple ? places : places.slice(0, 1));
		},
		show(value) {
			const sent = Array.isArray(value) ? value : [value];
			const names = sent.map((one) => {
				const title = choices.find((choice) => choice.value === one)?.title;
				return title === undefined || title === one ? String(one) : `${title} (${one})`;
			});
			return names.length === 0 ? 'none' : names.join(', ');
		},
		chosen: (text) =>
			text.trim() === '' ? [] : findAll(text.trim()).filter((place) => place >= 0),
		choose,
	};
}

function splitWords(text: string, separator: string | RegExp): readonly string[] {
	return text
		.split(separator)
		.map((word) => word.trim())
		.filter((word) => word !== '');
}

function isWithin(value: number, least = -Infinity, most = Infinity): boolean {
	return value >= least && value <= most;
}

function describeLimits(
	least: number | undefined,
	most: number | undefined,
	name: (limit: number) => string,
): readonly string[] {
	if (least !== undefined && least === most) return [`exactly ${name(least)}`];
	return [
		...(least === undefined ? [] : [`at least ${name(least)}`]),
		...(most === undefined ? [] : [`at most ${name(most)}`]),
	];
}
