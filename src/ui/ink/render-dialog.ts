/**
 * Renders the open dialog: exactly what the user agrees to, with nothing hidden. What does not fit shows
 * its start and its end, and cannot be agreed to until it has been printed.
 */

import {dialogRows, promptMark} from '../../repl/geometry.ts';
import {type Choice, hasLetters, selectedIn} from '../../repl/question/choices.ts';
import {canAgree, choicesOf, contentOf, type Dialog} from '../../repl/question/dialog.ts';
import {openField, questionTypeOf} from '../../repl/question/elicitation.ts';
import {isWhole, layoutDialog} from '../../repl/question/layout.ts';
import type {AnswerState} from '../../repl/state.ts';
import {safe, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import type {Style} from '../../terminal/theme.ts';
import {type DialogPlace, noQuestion, type QuestionFrame, type Rows} from './frame-input.ts';
import {renderApprovalHead, writingHints} from './render-approval.ts';
import {fieldHints, renderElicitationHead} from './render-elicitation.ts';
import {renderField} from './render-field.ts';
import {cutMiddle, renderLines} from './render-lines.ts';
import {fitLine} from './wrap-text.ts';

/** Takes at most `dialogRows`. */
export function renderDialog(state: AnswerState, style: Styler): QuestionFrame {
	const {dialog} = state;
	if (dialog === undefined) return noQuestion;
	const open = dialog.type === 'elicitation' ? openField(dialog) : undefined;
	if (dialog.type === 'elicitation' && open !== undefined) {
		return renderField(dialog, open, state, style);
	}
	const content = contentOf(dialog);
	const {isFramed, width, bodyRows} = layoutDialog(content, state);
	const place = {isFramed, width, style};
	const head =
		dialog.type === 'approval'
			? renderApprovalHead(dialog, place)
			: renderElicitationHead(dialog, place);
	const body = isWhole(content, state)
		? renderLines(content.lines, width, style)
		: cutMiddle(content.lines, bodyRows, width, style);
	const rows = isFramed ? renderChoices(dialog, place, state) : [];
	const choices = rows.length > 0 && body.length < bodyRows ? [stripUnsafe(''), ...rows] : rows;
	// A problem is shown in the smallest window, in place of the keys.
	const most = dialogRows(state) + (dialog.problem === undefined ? 0 : 1);
	return {isFramed, head: head.slice(0, most), body, choices};
}

/** A row is dim while it does not count. After another key, the keys that would count are marked. */
function renderChoices(dialog: Dialog, {width, style}: DialogPlace, state: AnswerState): Rows {
	const {isArmed, typed} = dialog;
	const all = choicesOf(dialog);
	const selected = selectedIn(dialog, all);
	const isShown = canAgree(dialog, state);
	const isMissed = typed !== undefined && !isArmed;
	const keyLook: readonly Style[] = hasLetters(dialog, all) ? [] : ['quiet'];
	return all.map((choice) => {
		const {key, meaning, isAgreement} = choice;
		const isWaiting = (isAgreement && !isShown) || !(isArmed || isMissed);
		const isSelected = key === selected;
		const look: readonly Style[] = isWaiting ? ['quiet'] : isSelected ? ['bold'] : [];
		const mark = stripUnsafe(isSelected ? promptMark : ' '.repeat(promptMark.length));
		const letter = style(stripUnsafe(key), ...(isMissed ? missedLook : [...look, ...keyLook]));
		const text = fitLine(key === 'v' && !isShown ? showFirst(all) : meaning, width - 5);
		return safe`${style(mark, ...look)}${letter}${style(safe`  ${text}`, ...look)}`;
	});
}

const missedLook: readonly Style[] = ['reverse'];

function showFirst(choices: readonly Choice[]): string {
	const keys = choices.filter(({isAgreement}) => isAgreement).map(({key}) => key);
	return `show all of it, before ${keys.join(' or ')}`;
}

/** Returns hints about the keys, from long to short. */
export function dialogHints(dialog: Dialog, state: AnswerState): readonly string[] {
	if (dialog.type === 'elicitation') {
		const open = openField(dialog);
		if (dialog.isOpening) return ['opening the page…'];
		if (open !== undefined && dialog.isBegun) return fieldHints(dialog, open);
	} else if (dialog.mode !== 'ask') return writingHints[dialog.mode];
	const choices = choicesOf(dialog);
	const {who, refuses} = words[dialog.type];
	const isOn = hasLetters(dialog, choices);
	if (isOn && !dialog.isArmed) return [`${who}; you can answer in a moment`, 'in a moment…'];
	const isShown = canAgree(dialog, state);
	const {isFramed} = layoutDialog(contentOf(dialog), state);
	if (!isFramed) return unframedHints(dialog, choices, isShown, isOn);
	const others = `${refuses} · ↑↓ Enter choose`;
	if (!isOn) return [`letters do not count · ${others}`, others];
	const agrees = isShown ? agreements[questionOf(dialog)] : 'v shows all of it';
	return [`${agrees} · ${others}`, `${agrees} · ${refuses}`];
}

const words = {
	approval: {who: 'a tool wants to run', refuses: 'Esc says no'},
	elicitation: {who: 'a server asks', refuses: 'Esc declines'},
} as const satisfies Record<Dialog['type'], unknown>;

const agreements = {
	approval: 'y runs it once',
	form: 'y sends it',
	confirmation: 'y confirms it',
	url: 'o opens it',
} as const;

function questionOf(dialog: Dialog): keyof typeof agreements {
	return dialog.type === 'approval' ? dialog.type : questionTypeOf(dialog);
}

/** Names the choices where they have no rows. */
function unframedHints(
	dialog: Dialog,
	choices: readonly Choice[],
	isShown: boolean,
	isOn: boolean,
): readonly string[] {
	const selected = selectedIn(dialog, choices);
	const before = isOn ? '' : '↑↓ Enter: ';
	const marked = choices.map(({key, brief}) => {
		const mark = `${key === selected ? '›' : ''}${key}`;
		return {mark, name: `${mark} ${brief}${key === 'v' && !isShown ? ' first' : ''}`};
	});
	const names = marked.map(({name}) => name).join(' · ');
	const keys = marked.map(({mark}) => mark).join(' ');
	return [before + names, before + keys, keys];
}
