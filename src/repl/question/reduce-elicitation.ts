/** Reduces the keys of a question of a server. */
import type {ElicitAnswer} from '../../chat/elicitation.ts';
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {plural} from '../../wording.ts';
import {print, update} from '../action.ts';
import {textField} from '../editor/change-editor.ts';
import {createBuffer} from '../editor/edit.ts';
import type {Size} from '../geometry.ts';
import {choose} from './choose.ts';
import {canAgree} from './dialog.ts';
import {
	acceptAll,
	changeField,
	type ElicitationDialog,
	elicitationChoices,
	enterField,
	leaveField,
	linesOf,
	type OpenField,
	openField,
	type QuestionType,
	questionTypeOf,
	textOf,
} from './elicitation.ts';
import {type DialogUpdate, restartArming, writeKey} from './update-dialog.ts';

export function answerElicitation(
	dialog: ElicitationDialog,
	key: KeyInput,
	size: Size,
): DialogUpdate {
	if (dialog.isOpening) return update(dialog);
	const open = openField(dialog);
	if (open !== undefined) return dialog.isBegun ? write(dialog, open, key) : restartArming(dialog);
	const take = (letter: string) =>
		isAnswer(letter) ? answers[letter](dialog, size) : update(dialog);
	return choose(dialog, elicitationChoices[questionTypeOf(dialog)], key, take);
}

type AnswerKey = (typeof elicitationChoices)[QuestionType][number]['key'];

type Answer = (dialog: ElicitationDialog, size: Size) => DialogUpdate;

function decline(dialog: ElicitationDialog): DialogUpdate {
	return giveAnswer(dialog, {type: 'decline'});
}

const agree: Answer = (dialog, size) =>
	canAgree(dialog, size)
		? giveAnswer(dialog, acceptAll(dialog))
		: update({...dialog, problem: 'Press v first, to see all of it.'});

function view(dialog: ElicitationDialog): DialogUpdate {
	return update(
		{...dialog, isViewed: true, problem: undefined},
		print({type: 'dialog', title: `server ${dialog.request.server} asks:`, lines: linesOf(dialog)}),
	);
}

function goBack(dialog: ElicitationDialog): DialogUpdate {
	return update(leaveField(dialog));
}

const answers: Readonly<Record<AnswerKey, Answer>> = {
	y: agree,
	o: agree,
	b: goBack,
	n: decline,
	v: view,
};

function isAnswer(letter: string): letter is AnswerKey {
	return Object.hasOwn(answers, letter);
}

/** Gives an answer of the user. A page is opened before it is accepted. */
export function giveAnswer(dialog: ElicitationDialog, answer: ElicitAnswer): DialogUpdate {
	const {request} = dialog;
	const {server} = request;
	if (answer.type !== 'accept') return settle(answer, `declined what ${server} asked for`);
	if (request.type === 'url') {
		return update(
			{...dialog, isOpening: true, isArmed: false},
			{type: 'open-page', url: request.url},
		);
	}
	if (questionTypeOf(dialog) === 'confirmation') {
		return settle(answer, `confirmed what ${server} asked`);
	}
	const count = Object.keys(answer.values).length;
	return settle(answer, `answered ${server}: ${plural(count, 'field')}`);
}

function settle(answer: ElicitAnswer, text: string): DialogUpdate {
	return update(undefined, print({type: 'answered', text}), {type: 'answer-elicitation', answer});
}

/** Shows the address of a page that is open now, or that the user has to open. */
export function showPage({request}: ElicitationDialog, isOpen: boolean): DialogUpdate {
	if (request.type !== 'url') return update(undefined);
	const title = isOpen ? 'opened in your browser:' : 'open this address in a browser:';
	return update(undefined, print({type: 'dialog', title, lines: [], address: request.url.href}), {
		type: 'answer-elicitation',
		answer: {type: 'accept', values: {}},
	});
}

/** Writes the open field. */
function write(dialog: ElicitationDialog, open: OpenField, key: KeyInput): DialogUpdate {
	const chord = key.type === 'key' ? chordOf(key) : '';
	if (Object.hasOwn(fieldKeys, chord)) return fieldKeys[chord]?.(dialog, open) ?? update(dialog);
	const isToggle = key.type === 'text' && key.text === ' ' && open.kind.isMultiple;
	if (isToggle && open.place !== undefined) return toggle(dialog, open, open.place);
	const text = writeKey(open.text, key);
	return update(changeField(dialog, {text, place: undefined}));
}

type FieldKey = (dialog: ElicitationDialog, open: OpenField) => DialogUpdate;

const fieldKeys: Readonly<Record<string, FieldKey>> = {
	escape: decline,
	enter(dialog) {
		const next = enterField(dialog);
		// All that is sent has to be seen first.
		return openField(next) === undefined ? restartArming(next) : update(next);
	},
	'shift+tab': goBack,
	tab: view,
	up: (dialog, open) => point(dialog, open, -1),
	down: (dialog, open) => point(dialog, open, 1),
};

/** Moves to another choice, which it takes if there can be only one. */
function point(dialog: ElicitationDialog, open: OpenField, step: -1 | 1): DialogUpdate {
	const {kind} = open;
	const count = kind.choices.length;
	if (count === 0) return update(dialog);
	const from = open.place ?? kind.chosen(textOf(open))[0] ?? (step === 1 ? -1 : count);
	const place = Math.max(0, Math.min(count - 1, from + step));
	if (kind.isMultiple) return update(changeField(dialog, {place}));
	return update(changeField(dialog, {place, text: textField(createBuffer(kind.choose([place])))}));
}

function toggle(dialog: ElicitationDialog, open: OpenField, place: number): DialogUpdate {
	const chosen = open.kind.chosen(textOf(open));
	const places = chosen.includes(place)
		? chosen.filter((other) => other !== place)
		: [...chosen, place].sort((one, other) => one - other);
	const text = textField(createBuffer(open.kind.choose(places)));
	return update(changeField(dialog, {text, place}));
}
