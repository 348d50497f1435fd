/** The kinds of fields: each reads a typed text as a value, and shows a value as text. */
import type {ElicitedField} from '../../chat/elicitation.ts';
import type {JsonValue} from '../../json.ts';
import {formatCount} from '../../wording.ts';
import {readNumber} from '../list/list.ts';

export type FieldKind = {
	/** Say what fits, as parts of a line. */
	readonly rules: readonly string[];
	/** Listed with numbers; none where a text is written. */
	readonly choices: readonly string[];
	readonly isMultiple: boolean;
	/** Reads a text that is not empty. */
	readonly read: (text: string) => FieldReading;
	/** The value of an empty text, where the field must not be left out. */
	readonly empty: JsonValue | undefined;
	/** Returns a text that is read as the value, if the value fits. */
	readonly write: (value: JsonValue) => string;
	/** Returns the value as the user sees it before it is sent. */
	readonly show: (value: JsonValue) => string;
	/** Returns the choices that a text names, by their places. */
	readonly chosen: (text: string) => readonly number[];
	/** Returns a text that names choices by their places. */
	readonly choose: (places: readonly number[]) => string;
};

export type FieldReading<Value = JsonValue> = {readonly value: Value} | {readonly problem: string};

/** A text that means itself. */
export const writtenText: FieldKind = {
	rules: [],
	choices: [],
	isMultiple: false,
	read: (text) => ({value: text}),
	empty: undefined,
	write: (value) => (typeof value === 'object' ? '' : String(value)),
	show: String,
	chosen: () => [],
	choose: () => '',
};

export function createKind({kind, rules, check}: ElicitedField): FieldKind {
	const accept = (value: JsonValue): FieldReading => {
		const problem = check(value);
		return problem === undefined ? {value} : {problem};
	};
	switch (kind.type) {
		case 'text':
			return {...writtenText, rules, read: accept};
		case 'number':
			return {...writtenText, rules, read: (text) => accept(readAmount(text))};
		case 'boolean':
			return {...createChoice(truths, false, accept), rules};
		case 'choice': {
			const choices = kind.choices.map(({value, title}) => ({
				value,
				title,
				names: [title, value],
				shown: title === value ? value : `${title} (${value})`,
			}));
			return {...createChoice(choices, kind.isMultiple, accept), rules};
		}
		default:
			return kind satisfies never;
	}
}

/** Returns the text itself if it is not a number, which no check of numbers takes. */
function readAmount(text: string): JsonValue {
	const value = Number(text);
	return Number.isFinite(value) ? value : text;
}

type NamedValue = {
	readonly value: JsonValue;
	readonly title: string;
	/** The words that mean it. */
	readonly names: readonly string[];
	readonly shown: string;
	/** Written for it; the default is its number. */
	readonly word?: string;
};

const truths: readonly NamedValue[] = [
	{value: true, title: 'yes', names: ['yes', 'y', 'true'], shown: 'yes', word: 'yes'},
	{value: false, title: 'no', names: ['no', 'n', 'false'], shown: 'no', word: 'no'},
];

function createChoice(
	choices: readonly NamedValue[],
	isMultiple: boolean,
	accept: (value: JsonValue) => FieldReading,
): FieldKind {
	/** By its number in the list, or by its name. */
	const find = (word: string) =>
		readNumber(word, choices.length) ??
		choices.findIndex(({names}) => names.some((name) => name.toLowerCase() === word.toLowerCase()));
	const findAll = (text: string) => {
		const whole = isMultiple ? splitWords(text, ',').map(find) : [find(text)];
		const found = whole.includes(-1) && isMultiple ? splitWords(text, /[\s,]+/).map(find) : whole;
		return [...new Set(found)].sort((one, other) => one - other);
	};
	const choose = (places: readonly number[]) =>
		places.map((place) => choices[place]?.word ?? place + 1).join(', ');
	const words = choices.flatMap(({word = []}) => word).join(' or ');
	return {
		...writtenText,
		choices: choices.map(({title}) => title),
		isMultiple,
		read(text) {
			const places = findAll(text);
			if (places.includes(-1)) {
				const numbers = `${isMultiple ? 'numbers' : 'a number'} from 1 to ${formatCount(choices.length)}`;
				return {problem: `Expected ${words || numbers}.`};
			}
			const values = places.flatMap((place) => choices[place]?.value ?? []);
			return accept(isMultiple ? values : (values[0] ?? null));
		},
		empty: isMultiple && 'value' in accept([]) ? [] : undefined,
		write(value) {
			const wanted = Array.isArray(value) ? value : [value];
			const places = choices.flatMap((choice, place) =>
				wanted.includes(choice.value) ? [place] : [],
			);
			return choose(isMultiple ? places : places.slice(0, 1));
		},
		show(value) {
			const sent = Array.isArray(value) ? value : [value];
			const names = sent.map((one) => choices.find((choice) => choice.value === one)?.shown);
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
