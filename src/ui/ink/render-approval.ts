/**
 * Renders the question whether a call may run: exactly what will run, with nothing hidden. A call that
 * does not fit shows its start and its end, and cannot be approved until it has been printed.
 *
 * Invariant: a frame reads only as much of a long text as fits the window.
 */
import type {ApprovalLine, ApprovalRequest} from '../../chat/tool.ts';
import {type ApprovalDialog, canApprove, isWhole} from '../../repl/approval.ts';
import {approvalLabelWidth, approvalRows, approvalTextWidth} from '../../repl/geometry.ts';
import type {AnswerState} from '../../repl/state.ts';
import {escapeInvisible, type SafeText, safe, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import {wrapCells} from '../../terminal/wrap-line.ts';
import {fitLine} from './wrap-text.ts';

/** Returns at most `approvalRows`. */
export function renderQuestion(state: AnswerState, style: Styler): readonly SafeText[] {
	const {approval, columns} = state;
	if (approval === undefined) return [];
	const {problem} = approval;
	const {tool, lines} = approval.request;
	const title = style(fitLine(`Run ${tool.definition.name}?`, columns - 1), 'yellow', 'bold');
	const head =
		problem === undefined ? [title] : [title, style(fitLine(problem, columns - 1), 'red')];
	if (isWhole(approval, state)) return [...head, ...renderLines(lines, columns)];
	const room = approvalRows(state);
	return [...head.slice(-room), ...cutMiddle(lines, room - head.length, columns, style)];
}

/** Returns all rows of the call, for the scrollback. */
export function renderApproval({lines}: ApprovalRequest, columns: number): readonly SafeText[] {
	return renderLines(lines, columns);
}

function renderLines(lines: readonly ApprovalLine[], columns: number): readonly SafeText[] {
	const width = approvalTextWidth({columns});
	return lines.flatMap(({label, text}) => {
		const shown = revealText(text);
		return wrapCells(shown, width).map(({start, end}, index) => {
			const name = stripUnsafe((index === 0 ? label : '').padEnd(approvalLabelWidth));
			return safe`${name}${stripUnsafe(shown.slice(start, end))}`;
		});
	});
}

/** Replaces spaces that could hide something, or not be seen, by their number. */
function revealText(text: string): string {
	if (text === '') return '⟨empty⟩';
	return escapeInvisible(text).replace(/ {3,}|^ | $/g, ({length}) => `⟨${length} spaces⟩`);
}

function cutMiddle(
	lines: readonly ApprovalLine[],
	room: number,
	columns: number,
	style: Styler,
): readonly SafeText[] {
	if (room < 1) return [];
	// Every line takes a row, and every character a cell, except marks.
	const length = room * columns;
	if (lines.length <= room && lines.every(({text}) => text.length <= length)) {
		const rows = renderLines(lines, columns);
		if (rows.length <= room) return rows;
	}
	const above = Math.ceil((room - 1) / 2);
	const below = room - 1 - above;
	const cutMark = style(fitLine('… cut here · v shows all …', columns - 1), 'yellow');
	const first = lines.slice(0, room).map(({label, text}) => ({label, text: cutEnd(text, length)}));
	const last = lines.slice(-room).map(({label, text}) => ({
		label: text.length > length ? '' : label,
		text: cutStart(text, length),
	}));
	return [
		...renderLines(first, columns).slice(0, above),
		cutMark,
		...(below === 0 ? [] : renderLines(last, columns).slice(-below)),
	];
}

/** Cuts the end of a text, but not inside a run of spaces, which is shown as a number. */
function cutEnd(text: string, length: number): string {
	if (text.length <= length) return text;
	let end = length;
	while (text[end] === ' ') end += 1;
	return text.slice(0, end).replace(/[\ud800-\udbff]$/, '');
}

/** Cuts the start of a text, likewise. */
function cutStart(text: string, length: number): string {
	if (text.length <= length) return text;
	let start = text.length - length;
	while (text[start - 1] === ' ') start -= 1;
	return text.slice(start).replace(/^[\udc00-\udfff]/, '');
}

/** Returns hints about the keys, from long to short. */
export function approvalHints(dialog: ApprovalDialog, state: AnswerState): readonly string[] {
	switch (dialog.mode) {
		case 'edit':
			return ['Enter uses these arguments · Esc goes back', 'Enter uses them · Esc'];
		case 'reason':
			return ['Enter denies, with this reason for the model · Esc goes back', 'Enter denies · Esc'];
		case 'ask':
			if (!dialog.isArmed)
				return ['a tool wants to run; you can answer in a moment', 'in a moment…'];
			return canApprove(dialog, state)
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
