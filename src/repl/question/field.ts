/** A question's field: its text, and the text's value. */
import type {ElicitedField, ElicitedKind} from '../../chat/elicitation.ts';
import type {ApprovalLine} from '../../chat/tool.ts';
import type {JsonValue} from '../../json.ts';
import {formatCount, plural} from '../../wording.ts';
import {expand} from '../editor/buffer.ts';
import {type TextField, textField} from '../editor/change-editor.ts';
import {createBuffer} from '../editor/edit.ts';
import type {ListCommand} from '../keys/key-bindings.ts';
import {moveIn, readNumber} from '../list/list.ts';

export type Settled<Answer = unknown> = {
	readonly answer: Answer;
	/** Printed instead of the question. */
	readonly said?: string;
};

type FieldChoice = {
	readonly value: JsonValue;
	readonly title: string;
	/** The value as shown to the user before sending. */
	readonly shown: string;
	/** The words meaning it, besides its number. */
	readonly names: readonly string[];
	/** The written form; the default is the number. */
	readonly word?: string;
};

export type Field<Answer = unknown> = Omit<ElicitedField, 'kind' | 'defaultValue'> & {
	/** Listed with numbers; none where a text is written. */
	readonly choices: readonly FieldChoice[];
	readonly isMultiple: boolean;
	readonly isNumber: boolean;
	readonly text: TextField;
	/** The choice at the cursor. */
	readonly place: number | undefined;
	/** The entered value; undefined for an omitted field. */
	readonly value: JsonValue | undefined;
	/** Answers the question with the text alone; undefined for a field sent with others. */
	readonly settle?: (text: string) => Settled<Answer>;
	/** Key hints, from long to short; by default a form's. */
	readonly hints?: readonly string[];
};

const writtenText = {
	description: undefined,
	rules: [],
	check: () => undefined,
	choices: [],
	isMultiple: false,
	isNumber: false,
	place: undefined,
	value: undefined,
};

/** Returns a field for any text, with the given parts. */
export function createField<Answer>(
	parts: Pick<Field, 'name' | 'title' | 'isRequired'> & Partial<Field<Answer>>,
	text = '',
): Field<Answer> {
	return {...writtenText, ...parts, text: textField(createBuffer(text))};
}

/** Returns a form field, with a fitting suggestion as its text. */
export function createFormField({kind, defaultValue, ...parts}: ElicitedField): Field<never> {
	const field = createField<never>({
		...parts,
		choices: choicesOfKind(kind),
		isMultiple: kind.type === 'choice' && kind.isMultiple,
		isNumber: kind.type === 'number',
	});
	const suggested = withText(field, writeValue(field, defaultValue));
	return 'value' in readField(suggested) ? suggested : field;
}

const truths: readonly FieldChoice[] = [
	{value: true, title: 'yes', shown: 'yes', names: ['yes', 'y', 'true'], word: 'yes'},
	{value: false, title: 'no', shown: 'no', names: ['no', 'n', 'false'], word: 'no'},
];

function choicesOfKind(kind: ElicitedKind): readonly FieldChoice[] {
	if (kind.type === 'boolean') return truths;
	if (kind.type !== 'choice') return [];
	return kind.choices.map(({value, title}) => ({
		value,
		title,
		shown: title === value ? value : `${title} (${value})`,
		names: [title, value],
	}));
}

/** Returns a text parsing to the value, if the value is valid. */
function writeValue(field: Field, value: JsonValue | undefined): string {
	const {choices, isMultiple} = field;
	if (choices.length === 0) return typeof value === 'object' ? '' : String(value ?? '');
	const wanted = Array.isArray(value) ? value : [value];
	const places = choices.flatMap((choice, place) => (wanted.includes(choice.value) ? [place] : []));
	return writeChoices(field, isMultiple ? places : places.slice(0, 1));
}

function writeChoices({choices}: Field, places: readonly number[]): string {
	return places.map((place) => choices[place]?.word ?? place + 1).join(', ');
}

export function textOfField({text}: Field): string {
	return expand(text.buffer).trim();
}

export function withText<Answer>(field: Field<Answer>, text: string): Field<Answer> {
	return {...field, text: textField(createBuffer(text))};
}

type FieldReading = {readonly value: JsonValue | undefined} | {readonly problem: string};

/** Reads the text; the value undefined omits the field. */
export function readField(field: Field): FieldReading {
	const {isRequired, isMultiple, check} = field;
	const text = textOfField(field);
	if (text === '' && !isRequired) return {value: undefined};
	if (text === '' && !(isMultiple && check([]) === undefined)) {
		return {problem: 'This field must not be left out.'};
	}
	const value = readText(field, text);
	const problem = value === undefined ? describeChoices(field) : check(value);
	return problem === undefined ? {value} : {problem};
}

/** Returns undefined for a text naming anything but choices. */
function readText(field: Field, text: string): JsonValue | undefined {
	const {choices, isMultiple, isNumber} = field;
	// Keeps a non-numeric text, for the number check to refuse.
	if (isNumber) return Number.isFinite(Number(text)) ? Number(text) : text;
	if (choices.length === 0) return text;
	const places = findChoices(field, text);
	if (places.includes(-1)) return undefined;
	const values = places.flatMap((place) => choices[place]?.value ?? []);
	return isMultiple ? values : values[0];
}

function describeChoices({choices, isMultiple}: Field): string {
	const words = choices.flatMap(({word = []}) => word).join(' or ');
	const numbers = isMultiple ? 'numbers' : 'a number';
	return `Expected ${words || `${numbers} from 1 to ${formatCount(choices.length)}`}.`;
}

/** Returns the indexes of the choices named by a text; -1 for anything else. */
function findChoices({choices, isMultiple}: Field, text: string): readonly number[] {
	const find = (word: string) =>
		readNumber(word, choices.length) ??
		choices.findIndex(({names}) => names.some((name) => name.toLowerCase() === word.toLowerCase()));
	const whole = isMultiple ? splitWords(text, ',').map(find) : [find(text)];
	const found = whole.includes(-1) && isMultiple ? splitWords(text, /[\s,]+/).map(find) : whole;
	return [...new Set(found)].sort((one, other) => one - other);
}

function splitWords(text: string, separator: string | RegExp): readonly string[] {
	return text
		.split(separator)
		.map((word) => word.trim())
		.filter((word) => word !== '');
}

/** Returns the indexes of the chosen choices. */
export function chosenIn(field: Field): readonly number[] {
	const text = textOfField(field);
	return text === '' ? [] : findChoices(field, text).filter((place) => place >= 0);
}

/** Moves to another choice, taking it in a single-choice field. */
export function moveChoice(field: Field, command: ListCommand): Field {
	const {choices, isMultiple, place} = field;
	const {selected} = moveIn({items: choices, selected: place ?? chosenIn(field)[0]}, command);
	if (selected === undefined) return field;
	const moved = isMultiple ? field : withText(field, writeChoices(field, [selected]));
	return {...moved, place: selected};
}

export function toggleChoice(field: Field, place: number): Field {
	const chosen = chosenIn(field);
	const places = chosen.includes(place)
		? chosen.filter((other) => other !== place)
		: [...chosen, place].sort((one, other) => one - other);
	return {...withText(field, writeChoices(field, places)), place};
}

/** Returns the nonblank lines. */
export function linesOfText(label: string, text: string): readonly ApprovalLine[] {
	return text
		.split(/\r?\n|\r/)
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((line, index) => ({label: index === 0 ? label : '', text: line}));
}

export function linesOfField({title, description = '', choices}: Field): readonly ApprovalLine[] {
	return [
		...linesOfText('field', title),
		...linesOfText('', description),
		...choices.map(({title: text}, index) => ({
			label: index === 0 ? 'choices' : '',
			text,
			number: index + 1,
		})),
	];
}

export function linesOfValue(field: Field, isFirst: boolean): readonly ApprovalLine[] {
	const label = isFirst ? 'sends' : '';
	const {title, value} = field;
	const lines = value === undefined ? ['(left out)'] : showValue(field, value).split('\n');
	if (lines.length === 1) return [{label, text: `${title}: ${lines[0]}`}];
	return [
		{label, text: `${title}: ${plural(lines.length, 'line')}`},
		...lines.map((text, index) => ({label: '', text, number: index + 1})),
	];
}

function showValue({choices}: Field, value: JsonValue): string {
	const sent = Array.isArray(value) ? value : [value];
	const shown = sent.map(
		(one) => choices.find((choice) => choice.value === one)?.shown ?? String(one),
	);
	return shown.length === 0 ? 'none' : shown.join(', ');
}
