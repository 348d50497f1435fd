/** Renders the question whether a call may run, besides its lines and choices. */
import type {ApprovalDialog} from '../../repl/question/approval.ts';
import {escapeInvisible} from '../../terminal/safe-text.ts';
import type {DialogPlace, Rows} from './frame-input.ts';
import {fitLine} from './wrap-text.ts';

export function renderApprovalHead(
	{request, about, problem}: ApprovalDialog,
	{width, isFramed, style}: DialogPlace,
): Rows {
	const {tool, place} = request;
	const {name} = tool.definition;
	const count = place.of === 1 ? '' : ` (${place.number} of ${place.of})`;
	const title = style(fitLine(`Run ${name}?${count}`, width), 'bold');
	const shown = isFramed && about !== '' ? [fitLine(escapeInvisible(about), width)] : [];
	const refusal = problem === undefined ? [] : [style(fitLine(problem, width), 'error')];
	return [title, ...shown.map((row) => style(row, 'hint')), ...refusal];
}

/** Hints about the keys while a text is written, from long to short. */
export const writingHints: Readonly<Record<'edit' | 'reason', readonly string[]>> = {
	edit: ['Enter uses these arguments · Esc goes back', 'Enter uses them · Esc'],
	reason: ['Enter denies, with this reason for the model · Esc goes back', 'Enter denies · Esc'],
};
