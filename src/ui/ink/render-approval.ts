/**
 * Renders the question whether a call may run: exactly what will run, with nothing hidden. A call that
 * does not fit shows its start and its end, and cannot be approved until it has been printed.
 *
 * Invariant: a frame reads only as much of a long text as fits the window.
 */
import type {ApprovalLine, ApprovalRequest} from '../../chat/tool.ts';
import {
	type ApprovalDialog,
	canApprove,
	isWhole,
	labelWidth,
	layoutDialog,
	numberOf,
	textWidthOf,
} from '../../repl/dialog/approval.ts';
import type {AnswerState} from '../../repl/state.ts';
import {escapeInvisible, revealText, safe, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import {wrapCells} from '../../terminal/wrap-line.ts';
import {noQuestion, type QuestionFrame, type Rows} from './frame-input.ts';
import {fitLine} from './wrap-text.ts';

/** Takes at most `approvalRows`. */
export function renderQuestion(state: AnswerState, style: Styler): QuestionFrame {
	const {approval} = state;
	if (approval === undefined) return noQuestion;
	const {isFramed, width, callRows} = layoutDialog(approval, state);
	const head = renderHead(approval, width, isFramed, style);
	const call = isWhole(approval, state)
		? renderLines(approval.request.lines, width, style)
		: cutMiddle(approval.request.lines, callRows, width, style);
	const rows = isFramed ? renderChoices(approval, width, state, style) : [];
	const choices = rows.length > 0 && call.length < callRows ? [stripUnsafe(''), ...rows] : rows;
	return {isFramed, head, call, choices};
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

type Choice = readonly [key: string, meaning: string];

/** Shown dim until they count. */
function renderChoices(
	dialog: ApprovalDialog,
	width: number,
	state: AnswerState,
	style: Styler,
): Rows {
	if (dialog.mode !== 'ask') return [];
	const {name} = dialog.request.tool.definition;
	const isFirst = !canApprove(dialog, state);
	const view: Choice = ['v', isFirst ? 'show all of it, before y or s' : 'show all of it'];
	const rest: readonly Choice[] = [
		['y', 'run it once'],
		['s', `run it, and do not ask about ${name} again in this session`],
		['e', 'edit the arguments first'],
		['n', 'no · d no, with a reason for the model'],
	];
	return (isFirst ? [view, ...rest] : [...rest, view]).map(([key, meaning]) => {
		const text = fitLine(meaning, Math.max(1, width - 3));
		const mark = stripUnsafe(key);
		return dialog.isArmed
			? safe`${style(mark, 'cyan', 'bold')}  ${text}`
			: style(safe`${mark}  ${text}`, 'dim');
	});
}

/** Returns all rows of the call, for the scrollback. */
export function renderApproval({lines}: ApprovalRequest, width: number, style: Styler): Rows {
	return renderLines(lines, width, style);
}

function renderLines(lines: readonly ApprovalLine[], width: number, style: Styler): Rows {
	return lines.flatMap((line) => {
		const {label, number} = line;
		const indent = number === undefined ? '' : indentation(line.text);
		const shown = indent + revealText(line.text.slice(indent.length));
		const before = number === undefined ? '' : numberOf(number);
		return wrapCells(shown, textWidthOf(line, width)).map(({start, end}, index) => {
			const isFirst = index === 0;
			const name = (isFirst ? label : '').padEnd(labelWidth);
			const margin = stripUnsafe(name + (isFirst ? before : ' '.repeat(before.length)));
			return safe`${style(margin, 'dim')}${stripUnsafe(shown.slice(start, end))}`;
		});
	});
}

/** Returns the spaces before a line of a text, which its number shows, unless there are many. */
function indentation(text: string): string {
	return /^ {1,24}(?! )(?=.)/.exec(text)?.[0] ?? '';
}

function cutMiddle(
	lines: readonly ApprovalLine[],
	room: number,
	width: number,
	style: Styler,
): Rows {
	if (room < 1) return [];
	// Every line takes a row, and every character a cell, except marks.
	const length = room * (width + 1);
	if (lines.length <= room && lines.every(({text}) => text.length <= length)) {
		const rows = renderLines(lines, width, style);
		if (rows.length <= room) return rows;
	}
	const above = Math.ceil((room - 1) / 2);
	const below = room - 1 - above;
	const cutMark = style(fitLine('… cut here · v shows all …', width), 'yellow');
	const first = lines.slice(0, room).map((line) => ({...line, text: cutEnd(line.text, length)}));
	const last = lines
		.slice(-room)
		.map((line) =>
			line.text.length > length ? {label: '', text: cutStart(line.text, length)} : line,
		);
	return [
		...renderLines(first, width, style).slice(0, above),
		cutMark,
		...(below === 0 ? [] : renderLines(last, width, style).slice(-below)),
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
			if (layoutDialog(dialog, state).isFramed) {
				return [
					`${canApprove(dialog, state) ? 'y runs it once' : 'v shows all of it'} · Esc says no`,
				];
			}
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
