/** Asks what a server wants to know, field by field: a line answers, and an empty one keeps the suggestion. */
import type {DialogAction} from '../../repl/action.ts';
import {textField} from '../../repl/editor/change-editor.ts';
import {createBuffer} from '../../repl/editor/edit.ts';
import {
	acceptAll,
	changeField,
	type ElicitationDialog,
	enterField,
	leaveField,
	linesOf,
	linesOfAnswer,
	linesOfText,
	type OpenField,
	openField,
	type QuestionType,
	questionTypeOf,
	textOf,
} from '../../repl/question/elicitation.ts';
import {escapeInvisible, type SafeText, safe} from '../../terminal/safe-text.ts';
import {plural} from '../../wording.ts';
import type {Again, Question} from './question.ts';
import {speakLine, speakLines} from './speak-entry.ts';

const words = '/decline refuses all of it, /back goes back, /skip leaves a field out.';

const closing: Readonly<Record<QuestionType, string>> = {
	form: '1 send it, 2 go back, 3 decline.',
	confirmation: '1 confirm it, 2 decline.',
	url: '1 open it in your browser, 2 decline. An empty line declines.',
};

const decline: DialogAction = {type: 'elicitation-given', answer: {type: 'decline'}};

const again = (...lines: readonly SafeText[]): Again => ({type: 'again', lines});

export function askForFields(dialog: ElicitationDialog): Question {
	const type = questionTypeOf(dialog);
	let form = dialog;
	/** Goes to another field, or says why not. */
	const go = (next: ElicitationDialog): Again => {
		if (next.problem !== undefined) return again(speakLine(`Error: ${next.problem}`));
		form = next;
		return again(...speakStep(next));
	};
	const writeLine = (text: string) =>
		enterField(changeField(form, {text: textField(createBuffer(text))}));
	/** Whatever is written. */
	const always: Readonly<Record<string, () => DialogAction | Again>> = {
		'/decline': () => decline,
		'/back': () => go(leaveField(form)),
	};
	const accept = (): DialogAction => ({type: 'elicitation-given', answer: acceptAll(form)});
	const answers: Readonly<Record<string, () => DialogAction | Again>> = {
		form: {...always, 1: accept, 2: () => go(leaveField(form)), 3: () => decline},
		confirmation: {...always, 1: accept, 2: () => decline},
		url: {...always, 1: accept, 2: () => decline, '': () => decline},
	}[type];
	const fieldWords: typeof answers = {
		...always,
		'': () => go(enterField(form)),
		'/skip': () => go(writeLine('')),
	};
	return {
		lines: [...speakQuestion(dialog), ...speakStep(dialog)],
		prompt() {
			const open = openField(form);
			return open === undefined || open.kind.choices.length > 0 ? safe`Number: ` : safe`Value: `;
		},
		answer(line) {
			const text = line.trim();
			const isField = openField(form) !== undefined;
			const table = isField ? fieldWords : answers;
			const given = Object.hasOwn(table, text) ? table[text]?.() : undefined;
			if (given !== undefined) return given;
			if (isField) return go(writeLine(text));
			const most = type === 'form' ? 3 : 2;
			return again(speakLine(`Error: the answer is a number from 1 to ${most}.`));
		},
	};
}

function speakQuestion({request}: ElicitationDialog): readonly SafeText[] {
	const {server, message} = request;
	if (request.type === 'url') {
		return [
			speakLine(`Question: server ${server} asks to open a page. Its host is:`),
			escapeInvisible(request.url.host),
		];
	}
	const {length} = request.fields;
	const asked = length === 0 ? 'a confirmation' : plural(length, 'field');
	return [
		speakLine(`Question: server ${server} asks for ${asked}.`),
		...speakLines(linesOfText('says', message)),
		...(request.fields.length === 0 ? [] : [speakLine(`Note: ${words}`)]),
	];
}

/** Says what comes next: a field, or all that is about to be sent. */
function speakStep(dialog: ElicitationDialog): readonly SafeText[] {
	const {fields, index} = dialog;
	const open = openField(dialog);
	if (open !== undefined) return speakField(open, `Field ${index + 1} of ${fields.length}`);
	return [...speakAll(dialog), speakLine(closing[questionTypeOf(dialog)])];
}

function speakAll(dialog: ElicitationDialog): readonly SafeText[] {
	const type = questionTypeOf(dialog);
	switch (type) {
		case 'form':
			return [safe`All that is sent:`, ...speakLines(linesOfAnswer(dialog))];
		case 'confirmation':
			return [];
		case 'url':
			return speakLines(linesOf(dialog));
		default:
			return type satisfies never;
	}
}

function speakField(open: OpenField, place: string): readonly SafeText[] {
	const {field, kind} = open;
	const rules = [field.isRequired ? 'required' : 'may be left empty', ...kind.rules];
	const kept = textOf(open);
	const empty = field.isRequired ? [] : ['leaves it out.'];
	const effect = kept === '' ? empty : [`keeps this: ${kept}`];
	return [
		speakLine(`${place}: ${escapeInvisible(field.title)}, ${rules.join(', ')}.`),
		...speakLines(linesOfText('about', field.description ?? '')),
		...kind.choices.map((title, row) => speakLine(`${row + 1}. ${escapeInvisible(title)}`)),
		...(kind.isMultiple ? [safe`Note: separate several numbers with spaces.`] : []),
		...effect.map((text) => speakLine(`Note: an empty line ${text}`)),
	];
}
