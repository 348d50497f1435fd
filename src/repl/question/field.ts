/** A field of a question: its text, and the value that the text means. */
import type {ApprovalLine} from '../../chat/tool.ts';
import type {JsonValue} from '../../json.ts';
import {plural} from '../../wording.ts';
import {expand} from '../editor/buffer.ts';
import {type TextField, textField} from '../editor/change-editor.ts';
import {createBuffer} from '../editor/edit.ts';
import type {ListCommand} from '../keys/key-bindings.ts';
import {moveIn} from '../list/list.ts';
import type {FieldKind, FieldReading} from './field-kinds.ts';

export type Settled<Answer = unknown> = {
	readonly answer: Answer;
	/** Printed instead of the question. */
	readonly said?: string;
};

export type Field<Answer = unknown> = {
	/** The key of its value. */
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly isRequired: boolean;
	readonly kind: FieldKind;
	readonly text: TextField;
	/** The choice that the arrows are at. */
	readonly place: number | undefined;
	/** The value that was entered; undefined for a field that is left out. */
	readonly value: JsonValue | undefined;
	/** Answers the question with the text alone; undefined for a field that is sent with others. */
	readonly settle?: (text: string) => Settled<Answer>;
	/** Hints about its keys, from long to short; the default names those of a form. */
	readonly hints?: readonly string[];
};

/** Returns a field that answers the question alone. */
export function createAnswerField<Answer>(
	field: Pick<Field<Answer>, 'name' | 'title' | 'isRequired' | 'kind' | 'hints'> &
		Required<Pick<Field<Answer>, 'settle'>>,
	text: string,
): Field<Answer> {
	return {
		...field,
		description: '',
		text: textField(createBuffer(text)),
		place: undefined,
		value: undefined,
	};
}

export function textOfField({text}: Field): string {
	return expand(text.buffer).trim();
}

export function withText<Answer>(field: Field<Answer>, text: string): Field<Answer> {
	return {...field, text: textField(createBuffer(text))};
}

/** Reads the text; a value of undefined means that the field is left out. */
export function readField(field: Field): FieldReading<JsonValue | undefined> {
	const {kind, isRequired} = field;
	const text = textOfField(field);
	if (text !== '') return kind.read(text);
	if (!isRequired) return {value: undefined};
	return kind.empty === undefined
		? {problem: 'This field must not be left out.'}
		: {value: kind.empty};
}

/** Moves to another choice, which it takes if there can be only one. */
export function moveChoice(field: Field, command: ListCommand): Field {
	const {kind, place} = field;
	const list = {items: kind.choices, selected: place ?? kind.chosen(textOfField(field))[0]};
	const {selected} = moveIn(list, command);
	if (selected === undefined) return field;
	const moved = kind.isMultiple ? field : withText(field, kind.choose([selected]));
	return {...moved, place: selected};
}

export function toggleChoice(field: Field, place: number): Field {
	const chosen = field.kind.chosen(textOfField(field));
	const places = chosen.includes(place)
		? chosen.filter((other) => other !== place)
		: [...chosen, place].sort((one, other) => one - other);
	return {...withText(field, field.kind.choose(places)), place};
}

/** Returns the lines that are not blank. */
export function linesOfText(label: string, text: string): readonly ApprovalLine[] {
	return text
		.split(/\r?\n|\r/)
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((line, index) => ({label: index === 0 ? label : '', text: line}));
}

export function linesOfField({title, description, kind}: Field): readonly ApprovalLine[] {
	return [
		...linesOfText('field', title),
		...linesOfText('', description),
		...kind.choices.map((text, index) => ({
			label: index === 0 ? 'choices' : '',
			text,
			number: index + 1,
		})),
	];
}

export function linesOfValue(
	{title, kind, value}: Field,
	isFirst: boolean,
): readonly ApprovalLine[] {
	const label = isFirst ? 'sends' : '';
	if (value === undefined) return [{label, text: `${title}: (left out)`}];
	const lines = kind.show(value).split('\n');
	if (lines.length === 1) return [{label, text: `${title}: ${lines[0]}`}];
	return [
		{label, text: `${title}: ${plural(lines.length, 'line')}`},
		...lines.map((text, index) => ({label: '', text, number: index + 1})),
	];
}
