/** Key hints of a question, from long to short. */
import type {Size} from '../../../repl/geometry.ts';
import type {Field} from '../../../repl/question/field.ts';
import {canAgree, layoutQuestion} from '../../../repl/question/layout.ts';
import {
	bufferOf,
	choicesOf,
	hasLetters,
	openField,
	type Question,
	selectedIn,
} from '../../../repl/question/question.ts';
import {choiceOfEscape} from '../../../repl/question/reduce-question.ts';

export function questionHints(question: Question, size: Size): readonly string[] {
	const field = openField(question);
	if (field !== undefined && bufferOf(question) !== undefined) {
		return field.hints ?? fieldHints(question, field);
	}
	const {asker, isArmed, choices} = question;
	const isOn = hasLetters(question);
	if (isOn && !isArmed) return [`${asker}; you can answer in a moment`, 'in a moment…'];
	const isShown = canAgree(question, size);
	const {isFramed} = layoutQuestion(question, size);
	if (!isFramed) return unframedHints(question, isShown);
	const refuses = `Esc ${choiceOfEscape(question)?.effect}`;
	const others = `${refuses} · ↑↓ Enter choose`;
	if (!isOn) return [`letters do not count · ${others}`, others];
	const agreement = choices.find(({isAgreement}) => isAgreement);
	if (agreement === undefined) return [others, refuses];
	const agrees = isShown ? `${agreement.key} ${agreement.effect}` : 'v shows all of it';
	return [`${agrees} · ${others}`, `${agrees} · ${refuses}`];
}

/** Names the choices where they have no rows. */
export function unframedHints(question: Question, isShown = true): readonly string[] {
	const isOn = hasLetters(question);
	const selected = selectedIn(question);
	const before = isOn ? '' : '↑↓ Enter: ';
	const marked = choicesOf(question).map(({key, brief}) => {
		const mark = `${key === selected ? '›' : ''}${key}`;
		return {mark, name: `${mark} ${brief}${key === 'v' && !isShown ? ' first' : ''}`};
	});
	const names = marked.map(({name}) => name).join(' · ');
	const keys = marked.map(({mark}) => mark).join(' ');
	return [before + names, before + keys, keys];
}

function fieldHints({open}: Question, {choices, isMultiple}: Field): readonly string[] {
	const choose = isMultiple ? ['↑↓ and Space choose'] : ['↑↓ choose'];
	const back = open === 0 ? [] : ['Shift-Tab back'];
	const next = ['Enter goes on', ...(choices.length === 0 ? [] : choose)];
	return [
		[...next, ...back, 'Tab shows all', 'Esc declines'].join(' · '),
		[...next, 'Esc declines'].join(' · '),
		'Enter · Esc declines',
		'Enter · Esc',
	];
}
