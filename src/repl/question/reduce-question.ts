/**
 * Reduces the open question and its keys. Invariant: a key meant for something else never answers.
 * Keys do not count before arming; a paste, and a letter arriving among others, never agree to
 * anything. No key reaches the draft.
 */
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {print, type QuestionAction, type Update, update} from '../action.ts';
import type {Size} from '../geometry.ts';
import {writeKey} from '../keys/edit-line.ts';
import {arrowBindings, commandIn, findCommand} from '../keys/key-bindings.ts';
import {choose, type QuestionUpdate, restartArming} from './choose.ts';
import {
	type Field,
	moveChoice,
	readField,
	type Settled,
	textOfField,
	toggleChoice,
	withText,
} from './field.ts';
import {canAgree} from './layout.ts';
import {
	type Choice,
	linesOfQuestion,
	notChosen,
	openField,
	type Question,
	valuesOf,
} from './question.ts';

export function reduceQuestion(
	question: Question | undefined,
	action: QuestionAction,
): QuestionUpdate {
	switch (action.type) {
		case 'question-asked':
			return restartArming(action.question);
		case 'question-armed':
			return update(question && {...question, isArmed: true});
		case 'line-answered':
			return question?.isArmed ? answerLine(question, action.line) : update(question);
		case 'question-withdrawn':
			return update(undefined);
		case 'page-opened': {
			const title = action.isOpen ? 'opened in your browser:' : 'open this address in a browser:';
			return update(
				question,
				print({type: 'question', title, lines: [], address: action.url.href}),
			);
		}
		default:
			return action satisfies never;
	}
}

const outside = ['interrupt', 'suspend', 'redraw', 'open-fold'] as const;

/** Returns the command for a key acting as if without a question. */
export function commandOutside(key: KeyInput): (typeof outside)[number] | undefined {
	const command = key.type === 'key' ? findCommand(chordOf(key)) : undefined;
	return outside.find((known) => known === command);
}

export function answerQuestion(question: Question, key: KeyInput, size: Size): QuestionUpdate {
	const field = openField(question);
	if (field !== undefined) {
		return question.isArmed ? write(question, field, key) : restartArming(question);
	}
	return choose(question, key, (choice) =>
		choice.isAgreement && !canAgree(question, size)
			? update({...question, problem: viewFirst})
			: take(question, choice),
	);
}

/**
 * Answers with a line, on a screen with the whole question printed: a number, a value, or a word.
 * An empty line keeps a field's suggestion, and refuses where that is the first choice.
 */
function answerLine(question: Question, line: string): QuestionUpdate {
	const {state, effects} = readLine(question, line.trim());
	// Lines typed before the question never get here.
	return state === undefined ? {state, effects} : update({...state, isArmed: true});
}

function readLine(question: Question, text: string): QuestionUpdate {
	const field = openField(question);
	const refusal = choiceOfEscape(question);
	if (text === '/decline' && refusal !== undefined) return take(question, refusal);
	if (field !== undefined) return readFieldLine(question, field, text);
	const choices = spokenChoices(question);
	if (text === '/back' && choices.some(({does}) => does === 'back')) return goBack(question);
	const chosen = text === '' && refusal?.isFirst ? refusal : choices[Number(text) - 1];
	if (chosen !== undefined) return take(question, chosen);
	return update({...question, problem: `The answer is a number from 1 to ${choices.length}.`});
}

function readFieldLine(question: Question, field: Field, text: string): QuestionUpdate {
	const isAlone = field.settle !== undefined && field.isRequired;
	if (text === '/back' || (text === '' && isAlone)) return goBack(question);
	if (text === '/skip') return enter(question, withText(field, ''));
	return enter(question, text === '' ? field : withText(field, text));
}

/** Returns the choices for a fully shown question; last those asking for a text. */
export function spokenChoices({choices}: Question): readonly Choice[] {
	const fieldOf = ({does}: Choice) =>
		typeof does === 'object' && 'write' in does ? does.write : -1;
	return choices
		.filter(({does}) => does !== 'view')
		.sort((one, other) => fieldOf(one) - fieldOf(other));
}

/** Returns Escape's choice. */
export function choiceOfEscape({choices}: Question): Choice | undefined {
	return choices.find(({chords}) => chords?.includes('escape'));
}

/** Answers as Escape does. */
export function answerAsEscape(question: Question): QuestionUpdate {
	const choice = choiceOfEscape(question);
	return choice === undefined ? update(question) : take(question, choice);
}

const viewFirst = 'Press v first, to see all of it.';

function take(question: Question, {does}: Choice): QuestionUpdate {
	if (does === 'view') return view(question);
	if (does === 'back') return goBack(question);
	if ('settle' in does) return settle(does.settle(valuesOf(question)));
	const isMissed = question.problem === viewFirst;
	return update({...question, open: does.write, problem: isMissed ? undefined : question.problem});
}

function settle({answer, said}: Settled): QuestionUpdate {
	const entries = said === undefined ? [] : [print({type: 'answered', text: said})];
	return update(undefined, ...entries, {type: 'answer-question', answer});
}

function view(question: Question): QuestionUpdate {
	const {printedTitle, problem} = question;
	return update(
		{...question, isViewed: true, problem: problem === viewFirst ? undefined : problem},
		print({type: 'question', title: printedTitle, lines: linesOfQuestion(question)}),
	);
}

/** Goes to the previous field, or from a field answering alone to the choices. */
function goBack(question: Question): QuestionUpdate {
	const {fields, open = fields.length} = question;
	const last = {...question, problem: undefined, isViewed: false};
	if (fields[open]?.settle !== undefined) {
		return restartArming({...last, ...notChosen, open: undefined});
	}
	return update({...last, open: Math.max(0, open - 1)});
}

/** Writes the open field. */
function write(question: Question, field: Field, key: KeyInput): QuestionUpdate {
	const chord = key.type === 'key' ? chordOf(key) : '';
	const command = Object.hasOwn(fieldKeys, chord) ? fieldKeys[chord] : undefined;
	if (command !== undefined) return command(question, field);
	return update(withField(question, changeField(field, key, chord)));
}

function changeField(field: Field, key: KeyInput, chord: string): Field {
	const {choices, isMultiple, place, text} = field;
	const move = choices.length > 0 ? commandIn(arrowBindings, chord) : undefined;
	if (move !== undefined) return moveChoice(field, move);
	const isToggle = key.type === 'text' && key.text === ' ' && isMultiple;
	if (isToggle && place !== undefined) return toggleChoice(field, place);
	return {...field, text: writeKey(text, key), place: undefined};
}

const fieldKeys: Readonly<Record<string, (question: Question, field: Field) => QuestionUpdate>> = {
	escape(question, field) {
		const refusal = choiceOfEscape(question);
		if (field.settle !== undefined || refusal === undefined) return goBack(question);
		return take(question, refusal);
	},
	enter,
	'shift+tab': goBack,
	tab: view,
};

/** Returns the question with a changed open field. */
function withField(question: Question, field: Field): Question {
	const {fields, open = 0} = question;
	return {...question, fields: fields.with(open, field), problem: undefined};
}

/** Goes on to the next field, unless this text is invalid. */
function enter(question: Question, field: Field): QuestionUpdate {
	const read = readField(field);
	if ('problem' in read) {
		return update({...withField(question, field), problem: read.problem});
	}
	if (field.settle !== undefined) return settle(field.settle(textOfField(field)));
	const next = withField(question, {...field, value: read.value});
	const {fields, open = 0, isArmed} = next;
	const isLast = open === fields.length - 1;
	const entered = {
		...next,
		...notChosen,
		isArmed,
		open: isLast ? undefined : open + 1,
		isViewed: false,
	};
	// Everything has to be seen before sending.
	return isLast ? restartArming(entered) : update(entered);
}

type WithQuestion = {readonly question: Question | undefined};

export function withQuestion<State extends WithQuestion>(
	state: State,
	{state: question, effects}: QuestionUpdate,
): Update<State> {
	return update({...state, question}, ...effects);
}

export function restartArmingIn<State extends WithQuestion>(state: State): Update<State> {
	return state.question === undefined
		? update(state)
		: withQuestion(state, restartArming(state.question));
}
