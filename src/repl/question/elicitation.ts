/**
 * The question of a server during a call, as a value: its fields one by one, then all that is about to
 * be sent. A question to open a page has no fields.
 */
import type {ElicitAnswer, Elicitation, ElicitedField} from '../../chat/elicitation.ts';
import type {ApprovalLine} from '../../chat/tool.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {plural} from '../../wording.ts';
import {expand} from '../editor/buffer.ts';
import {type TextField, textField} from '../editor/change-editor.ts';
import {createBuffer} from '../editor/edit.ts';
import {type Choice, type Choosing, notChosen} from './choices.ts';
import {createKind, type FieldKind} from './field-kinds.ts';
import type {DialogContent} from './layout.ts';

export type ElicitationDialog = Choosing & {
	readonly type: 'elicitation';
	readonly request: Elicitation;
	/** Whether keys belong to the fields: it was armed once. */
	readonly isBegun: boolean;
	/** Whether all of it was printed. */
	readonly isViewed: boolean;
	/** Whether the page is being opened. */
	readonly isOpening: boolean;
	readonly fields: readonly OpenField[];
	/** The place of the field that is being written; after the last one, all of it is shown. */
	readonly index: number;
	/** Why the last answer was not accepted. */
	readonly problem: string | undefined;
};

/** `confirmation`: a form without fields. */
export type QuestionType = Elicitation['type'] | 'confirmation';

export function questionTypeOf({request, fields}: ElicitationDialog): QuestionType {
	return request.type === 'form' && fields.length === 0 ? 'confirmation' : request.type;
}

const show: Choice<'v'> = {key: 'v', brief: 'all', meaning: 'show all of it', chords: ['tab']};
const refuse: Choice<'n'> = {key: 'n', brief: 'decline', meaning: 'decline', chords: ['escape']};

/** The choices once all fields are written. Enter loses no field: it goes back. */
export const elicitationChoices = {
	form: [
		{key: 'y', brief: 'send', meaning: 'send it', isAgreement: true},
		show,
		{
			key: 'b',
			brief: 'back',
			meaning: 'go back and change it',
			chords: ['shift+tab'],
			isFirst: true,
		},
		refuse,
	],
	confirmation: [
		{key: 'y', brief: 'confirm', meaning: 'confirm it', isAgreement: true},
		show,
		{...refuse, isFirst: true},
	],
	url: [
		{key: 'o', brief: 'open', meaning: 'open it in your browser', isAgreement: true},
		show,
		{...refuse, isFirst: true},
	],
} as const satisfies Readonly<Record<QuestionType, readonly Choice[]>>;

export type OpenField = {
	readonly field: ElicitedField;
	readonly kind: FieldKind;
	readonly text: TextField;
	/** The choice that the arrows are at. */
	readonly place: number | undefined;
};

export function createElicitation(request: Elicitation): ElicitationDialog {
	const fields = request.type === 'form' ? request.fields.map(openFieldOf) : [];
	return {
		type: 'elicitation',
		request,
		...notChosen,
		isBegun: false,
		isViewed: false,
		isOpening: false,
		fields,
		index: 0,
		problem: undefined,
	};
}

function openFieldOf(field: ElicitedField): OpenField {
	const kind = createKind(field.kind);
	return {field, kind, text: textField(createBuffer(suggestionOf(field, kind))), place: undefined};
}

/** Returns a default that fits as a text; empty without one. */
function suggestionOf({defaultValue}: ElicitedField, kind: FieldKind): string {
	if (defaultValue === undefined || defaultValue === null) return '';
	const text = kind.write(defaultValue);
	return text !== '' && 'value' in kind.read(text) ? text : '';
}

export function armElicitation(dialog: ElicitationDialog): ElicitationDialog {
	return {...dialog, isArmed: true, isBegun: dialog.isBegun || dialog.fields.length > 0};
}

export function openField({fields, index}: ElicitationDialog): OpenField | undefined {
	return fields[index];
}

export function textOf({text}: OpenField): string {
	return expand(text.buffer).trim();
}

/** Returns the dialog with a change of the open field. */
export function changeField(
	dialog: ElicitationDialog,
	change: Partial<OpenField>,
): ElicitationDialog {
	const {fields, index} = dialog;
	const field = fields[index];
	if (field === undefined) return dialog;
	return {...dialog, fields: fields.with(index, {...field, ...change}), problem: undefined};
}

/** Goes on to the next field, unless the text of this one does not fit. */
export function enterField(dialog: ElicitationDialog): ElicitationDialog {
	const field = openField(dialog);
	const reading = field && readField(field);
	if (reading !== undefined && 'problem' in reading) return {...dialog, problem: reading.problem};
	return {
		...dialog,
		...notChosen,
		isArmed: dialog.isArmed,
		index: dialog.index + 1,
		problem: undefined,
		isViewed: false,
	};
}

export function leaveField(dialog: ElicitationDialog): ElicitationDialog {
	return {...dialog, index: Math.max(0, dialog.index - 1), problem: undefined, isViewed: false};
}

/** Returns undefined for a field that is left out. */
function readField(
	open: OpenField,
): {readonly value: JsonValue} | {readonly problem: string} | undefined {
	const {field, kind} = open;
	const text = textOf(open);
	if (text !== '') return kind.read(text);
	if (!field.isRequired) return undefined;
	return kind.empty === undefined
		? {problem: 'This field must not be left out.'}
		: {value: kind.empty};
}

/** Returns the answer with all fields, which fit. */
export function acceptAll({fields}: ElicitationDialog): ElicitAnswer {
	const entries = fields.flatMap((open): Array<[string, JsonValue]> => {
		const reading = readField(open);
		return reading !== undefined && 'value' in reading ? [[open.field.name, reading.value]] : [];
	});
	// A field may be named `__proto__`.
	const values: JsonObject = Object.fromEntries(entries);
	return {type: 'accept', values};
}

/** Returns everything that the user agrees to or, before that, the question in full. */
export function linesOf(dialog: ElicitationDialog): readonly ApprovalLine[] {
	const {request} = dialog;
	const says = linesOfText('says', request.message);
	if (request.type === 'url') return [{label: 'address', text: request.url.href}, ...says];
	const open = openField(dialog);
	if (open !== undefined) return [...says, ...linesOfField(open)];
	return [...says, ...linesOfAnswer(dialog)];
}

/** Returns the values of all fields, as they are sent. */
export function linesOfAnswer({fields}: ElicitationDialog): readonly ApprovalLine[] {
	return fields.flatMap((field, index) => linesOfValue(field, index === 0));
}

/** Returns the lines that are not blank. */
export function linesOfText(label: string, text: string): readonly ApprovalLine[] {
	return text
		.split(/\r?\n|\r/)
		.map((line) => line.trim())
		.filter((line) => line !== '')
		.map((line, index) => ({label: index === 0 ? label : '', text: line}));
}

function linesOfField({field, kind}: OpenField): readonly ApprovalLine[] {
	return [
		...linesOfText('field', field.title),
		...linesOfText('', field.description ?? ''),
		...kind.choices.map((text, index) => ({
			label: index === 0 ? 'choices' : '',
			text,
			number: index + 1,
		})),
	];
}

function linesOfValue(open: OpenField, isFirst: boolean): readonly ApprovalLine[] {
	const {field, kind} = open;
	const label = isFirst ? 'sends' : '';
	const reading = readField(open);
	if (reading === undefined || 'problem' in reading) {
		return [{label, text: `${field.title}: (left out)`}];
	}
	const lines = kind.show(reading.value).split('\n');
	if (lines.length === 1) return [{label, text: `${field.title}: ${lines[0]}`}];
	return [
		{label, text: `${field.title}: ${plural(lines.length, 'line')}`},
		...lines.map((text, index) => ({label: '', text, number: index + 1})),
	];
}

/** The host of a page has the rows to itself, whole. */
export function contentOfElicitation(dialog: ElicitationDialog): DialogContent {
	const {request, problem} = dialog;
	const head = 1 + (problem === undefined ? 0 : 1);
	return {
		lines: linesOf(dialog),
		headRows: (isFramed, width) =>
			request.type === 'form'
				? head
				: head + Math.ceil(request.url.host.length / width) + (isFramed ? 2 : 0),
		choiceRows: elicitationChoices[questionTypeOf(dialog)].length,
	};
}
