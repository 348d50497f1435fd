/**
 * Renders the open dialog: exactly what the user agrees to, with nothing hidden. What does not fit shows
 * its start and its end, and cannot be agreed to until it has been printed.
 */

import {canAgree, contentOf, type Dialog} from '../../repl/dialog/dialog.ts';
import {openField} from '../../repl/dialog/elicitation.ts';
import {isWhole, layoutDialog} from '../../repl/dialog/layout.ts';
import {dialogRows} from '../../repl/geometry.ts';
import type {AnswerState} from '../../repl/state.ts';
import {safe, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import {
	type DialogPlace,
	type DialogTexts,
	noQuestion,
	type QuestionFrame,
	type Rows,
} from './frame-input.ts';
import {approvalHints, approvalTexts} from './render-approval.ts';
import {elicitationHints, elicitationTexts} from './render-elicitation.ts';
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
	const texts =
		dialog.type === 'approval' ? approvalTexts(dialog, place) : elicitationTexts(dialog, place);
	const body = isWhole(content, state)
		? renderLines(content.lines, width, style)
		: cutMiddle(content.lines, bodyRows, width, style);
	const rows = isFramed ? renderChoices(dialog, texts, place, state) : [];
	const choices = rows.length > 0 && body.length < bodyRows ? [stripUnsafe(''), ...rows] : rows;
	// A problem is shown in the smallest window, in place of the keys.
	const most = dialogRows(state) + (dialog.problem === undefined ? 0 : 1);
	return {isFramed, head: texts.head.slice(0, most), body, choices};
}

/** Shown dim until they count. */
function renderChoices(
	dialog: Dialog,
	{choices, view}: DialogTexts,
	{width, style}: DialogPlace,
	state: AnswerState,
): Rows {
	if (choices.length === 0) return [];
	const all = canAgree(dialog, state)
		? [...choices, ['v', 'show all of it'] as const]
		: [['v', view] as const, ...choices];
	return all.map(([key, meaning]) => {
		const text = fitLine(meaning, Math.max(1, width - 3));
		const mark = stripUnsafe(key);
		return dialog.isArmed
			? safe`${style(mark, 'cyan', 'bold')}  ${text}`
			: style(safe`${mark}  ${text}`, 'dim');
	});
}

/** Returns hints about the keys, from long to short. */
export function dialogHints(dialog: Dialog, state: AnswerState): readonly string[] {
	const isShown = canAgree(dialog, state);
	const {isFramed} = layoutDialog(contentOf(dialog), state);
	return dialog.type === 'approval'
		? approvalHints(dialog, isShown, isFramed)
		: elicitationHints(dialog, isShown, isFramed);
}
