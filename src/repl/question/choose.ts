/**
 * Reduces choice keys: a letter takes one, or the arrows and Enter. A harmless choice is selected
 * first. Invariant: typing ahead answers nothing. After a key without a choice, or two different
 * letters before arming, letters do not count until an arrow is pressed.
 */
import {chordOf, type KeyInput} from '../../terminal/keys/key-input.ts';
import {type Update, update} from '../action.ts';
import {arrowBindings, commandIn, questionBindings} from '../keys/key-bindings.ts';
import {moveIn, selectedItem} from '../list/list.ts';
import {type Choice, type Question, selectedIn} from './question.ts';

/** The question after a key; undefined if closed. */
export type QuestionUpdate = Update<Question | undefined>;

/**
 * Ignores keys again until a pause. An open field keeps its keys: only the following choice ignores
 * them.
 */
export function restartArming(question: Question): QuestionUpdate {
	if (question.isArmed && question.open !== undefined) return update(question);
	return update({...question, isArmed: false}, {type: 'arm-question'});
}

type Take = (choice: Choice) => QuestionUpdate;

export function choose(question: Question, input: KeyInput, take: Take): QuestionUpdate {
	const {choices, isArmed, typed} = question;
	const word = wordOf(input);
	const command = input.type === 'key' ? commandIn(bindings, word) : undefined;
	const key = command === 'choose' ? selectedIn(question) : undefined;
	const direct = choices.find((choice) => choice.key === key || choice.chords?.includes(word));
	const isAnswer = command !== undefined || direct !== undefined;
	if (!isArmed) return restartArming(isAnswer ? question : withTyped(question, word));
	if (direct !== undefined) return take(direct);
	if (command !== undefined)
		return command === 'choose' ? update(question) : select(question, command);
	const isFirst = typed === undefined || typed === word;
	const named = isFirst ? choices.find(({key}) => key === word) : undefined;
	if (named !== undefined) return take(named);
	return restartArming({...withTyped(question, word), selected: undefined});
}

const bindings = [...arrowBindings, ...questionBindings];

function wordOf(input: KeyInput): string {
	if (input.type === 'key') return chordOf(input);
	return input.type === 'text' ? input.text.toLowerCase() : '';
}

function withTyped(question: Question, word: string): Question {
	// A letter pressed several times may arrive as one text.
	const [first = '', ...others] = new Set(word);
	const key = others.length === 0 ? first : word;
	const isSame = question.typed === undefined || question.typed === key;
	return {...question, typed: isSame ? key : ''};
}

function select(question: Question, command: 'above' | 'below'): QuestionUpdate {
	const items = question.choices;
	const from = selectedIn(question);
	const list = {items, selected: items.findIndex(({key}) => key === from)};
	const selected = selectedItem(moveIn(list, command))?.key;
	return update({...question, selected, typed: undefined});
}
