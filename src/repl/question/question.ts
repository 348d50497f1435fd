/**
 * A question to the user, as a value: its fields one by one, then its choices. Call approvals,
 * server forms and pages, and deletions are questions; nothing else knows their subject.
 */
import type {ApprovalLine} from '../../chat/tool.ts';
import type {JsonObject} from '../../json.ts';
import type {EditorBuffer} from '../editor/buffer.ts';
import {type Field, linesOfField, linesOfValue, type Settled} from './field.ts';

export type Question<Answer = unknown> = Choosing & {
	/** The source value, telling two questions apart. */
	readonly request: object;
	/** A hint's beginning, such as `a tool wants to run`. */
	readonly asker: string;
	readonly title: string;
	/** The title above the printed lines. */
	readonly printedTitle: string;
	/** A line below the title, which may be cut; empty without one. */
	readonly about: string;
	/** A text in its own rows, never cut: a page's host. Empty without one. */
	readonly host: string;
	/** Everything an agreement covers, besides the fields. */
	readonly lines: readonly ApprovalLine[];
	readonly choices: ReadonlyArray<Choice<Answer>>;
	readonly fields: ReadonlyArray<Field<Answer>>;
	/** The open field's index; undefined while the choices are open. */
	readonly open: number | undefined;
	/** Whether all of it was printed. */
	readonly isViewed: boolean;
	/** Why the last answer was not accepted. */
	readonly problem: string | undefined;
};

/** `back` opens the last field; `write`, the field in a place. */
type Outcome<Answer> =
	| 'view'
	| 'back'
	| {readonly write: number}
	| {readonly settle: (values: JsonObject) => Settled<Answer>};

export type Choice<Answer = unknown> = {
	/** The letter to press. */
	readonly key: string;
	readonly meaning: string;
	/** The meaning where it has no row. */
	readonly brief: string;
	/** The meaning in a list read aloud; the default is `meaning`. */
	readonly spoken?: string;
	/** A hint's ending, such as `runs it once` after the key. */
	readonly effect?: string;
	/** Alternative keys. */
	readonly chords?: readonly string[];
	/** Whether the whole question has to be shown before. */
	readonly isAgreement?: true;
	/** Whether it is selected first: one choice, which agrees to nothing and loses nothing. */
	readonly isFirst?: true;
	readonly does: Outcome<Answer>;
};

/** The keys pressed in a question so far. */
export type Choosing = {
	/** Whether keys count as answers: no key was pressed for a while. */
	readonly isArmed: boolean;
	/** The key of the choice at the cursor. */
	readonly selected: string | undefined;
	/** The pressed key without a choice; empty after several different ones. */
	readonly typed: string | undefined;
};

export const notChosen: Choosing = {isArmed: false, selected: undefined, typed: undefined};

type Parts<Answer> = Pick<
	Question<Answer>,
	'request' | 'asker' | 'title' | 'printedTitle' | 'lines' | 'choices'
> &
	Partial<Question<Answer>>;

/** Returns an unarmed question. A form opens its first field by `open`. */
export function createQuestion<Answer>(parts: Parts<Answer>): Question<Answer> {
	return {
		...notChosen,
		about: '',
		host: '',
		fields: [],
		open: undefined,
		isViewed: false,
		problem: undefined,
		...parts,
	};
}

/** Shows everything, in the scrollback. */
export const viewChoice = {
	key: 'v',
	brief: 'all',
	meaning: 'show all of it',
	does: 'view',
} as const satisfies Choice;

/** Returns the choices; none while a text is being written. */
export function choicesOf({choices, open}: Question): readonly Choice[] {
	return open === undefined ? choices : [];
}

export function openField({fields, open}: Question): Field | undefined {
	return open === undefined ? undefined : fields[open];
}

/** Returns the open text. A form takes keys once armed. */
export function bufferOf(question: Question): EditorBuffer | undefined {
	return question.isArmed ? openField(question)?.text.buffer : undefined;
}

/** Returns the key of the choice Enter takes. */
export function selectedIn({selected, choices}: Question): string | undefined {
	return selected ?? choices.find(({isFirst}) => isFirst)?.key;
}

/** Whether letters answer once the question is armed. */
export function hasLetters({typed, choices}: Question): boolean {
	return typed === undefined || choices.some(({key}) => key === typed);
}

/** Returns everything the user agrees to or, in a form, the open field in full. */
export function linesOfQuestion(question: Question): readonly ApprovalLine[] {
	const {lines, fields} = question;
	const field = openField(question);
	if (field !== undefined && field.settle === undefined) return [...lines, ...linesOfField(field)];
	return [...lines, ...linesOfValues(fields)];
}

/** Returns all field values, as they are sent. */
export function linesOfValues(fields: readonly Field[]): readonly ApprovalLine[] {
	return fields
		.filter(({settle}) => settle === undefined)
		.flatMap((field, index) => linesOfValue(field, index === 0));
}

export function valuesOf({fields}: Question): JsonObject {
	const entries = fields.flatMap(({name, value}) =>
		value === undefined ? [] : [[name, value] as const],
	);
	// A field may be named `__proto__`.
	return Object.fromEntries(entries);
}
