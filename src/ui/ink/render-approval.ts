/** Renders the question whether a call may run, besides its lines. */
import type {ApprovalDialog} from '../../repl/dialog/approval.ts';
import {escapeInvisible} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import type {DialogPlace, DialogTexts, Rows} from './frame-input.ts';
import {fitLine} from './wrap-text.ts';

export function approvalTexts(dialog: ApprovalDialog, place: DialogPlace): DialogTexts {
	const {name} = dialog.request.tool.definition;
	return {
		head: renderHead(dialog, place.width, place.isFramed, place.style),
		choices:
			dialog.mode !== 'ask'
				? []
				: [
						['y', 'run it once'],
						['s', `run it, and do not ask about ${name} again in this session`],
						['e', 'edit the arguments first'],
						['n', 'no · d no, with a reason for the model'],
					],
		view: 'show all of it, before y or s',
	};
}

function renderHead(
	{request, about, problem}: ApprovalDialog,
	width: number,
	isFramed: boolean,
	style: Styler,
): Rows {
	const {tool, place} = request;
	const {name} = tool.definition;
	const count = place.of === 1 ? '' : ` (${place.number} of ${place.of})`;
	const title = style(fitLine(`Run ${name}?${count}`, width), 'yellow', 'bold');
	const shown = isFramed && about !== '' ? [fitLine(escapeInvisible(about), width)] : [];
	const refusal = problem === undefined ? [] : [style(fitLine(problem, width), 'red')];
	return [title, ...shown.map((row) => style(row, 'hint')), ...refusal];
}

/**
 * Returns hints about the keys, from long to short.
 *
 * @param canAgree whether all of it was shown
 * @param isFramed whether a frame names the keys
 */
export function approvalHints(
	dialog: ApprovalDialog,
	canAgree: boolean,
	isFramed: boolean,
): readonly string[] {
	switch (dialog.mode) {
		case 'edit':
			return ['Enter uses these arguments · Esc goes back', 'Enter uses them · Esc'];
		case 'reason':
			return ['Enter denies, with this reason for the model · Esc goes back', 'Enter denies · Esc'];
		case 'ask':
			if (!dialog.isArmed)
				return ['a tool wants to run; you can answer in a moment', 'in a moment…'];
			if (isFramed) {
				return [`${canAgree ? 'y runs it once' : 'v shows all of it'} · Esc says no`];
			}
			return canAgree
				? [
						'y once · s this session · n no · d no, with a reason · e edit · v view all',
						'y once · s session · n no · d reason · e edit · v all',
						'y s n d e v',
					]
				: [
						'v view all, then y or s · n no · d no, with a reason · e edit',
						'v all, then y or s · n no · d reason · e edit',
						'v y s n d e',
					];
		default:
			return dialog.mode satisfies never;
	}
}
