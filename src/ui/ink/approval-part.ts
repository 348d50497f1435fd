/**
 * The question whether a call may run, as rows: exactly what will run, with nothing hidden. What does
 * not fit is shown by its beginning and its end, and cannot be approved before it was printed.
 */
import type {ApprovalRequest} from '../../chat/tool.ts';
import {type ApprovalDialog, approvalLines, canApprove, isWhole} from '../../repl/approval.ts';
import {approvalLabelWidth, approvalRows, approvalTextWidth} from '../../repl/geometry.ts';
import type {ReplState} from '../../repl/state.ts';
import {revealUnsafe, type SafeText, safe, stripUnsafe} from '../../terminal/safe-text.ts';
import type {Styler} from '../../terminal/style.ts';
import {wrapToWidth} from '../../terminal/width.ts';
import {fitLine} from './plain-rows.ts';

/** At most `approvalRows`. */
export function approvalPart(state: ReplState, style: Styler): readonly SafeText[] {
	const {approval, columns} = state;
	if (approval === undefined) return [];
	const {request, problem} = approval;
	const title = style(fitLine(`Run ${request.tool.name}?`, columns - 1), 'yellow', 'bold');
	const head =
		problem === undefined ? [title] : [title, style(fitLine(problem, columns - 1), 'red')];
	const room = approvalRows(state);
	const rows = renderApproval(request, columns);
	if (isWhole(approval, state)) return [...head, ...rows];
	return [...head.slice(0, room), ...cutMiddle(rows, room - head.length, columns, style)];
}

/** All rows of what is approved, for the question and for the scrollback. */
export function renderApproval(request: ApprovalRequest, columns: number): readonly SafeText[] {
	const width = approvalTextWidth({columns});
	return approvalLines(request).flatMap(({label, text}) => {
		const shown = revealText(text);
		return wrapToWidth(shown, width).map(({start, end}, index) => {
			const name = stripUnsafe((index === 0 ? label : '').padEnd(approvalLabelWidth));
			return safe`${name}${stripUnsafe(shown.slice(start, end))}`;
		});
	});
}

/** Spaces that could push something out of sight, or not be seen, are counted instead. */
function revealText(text: string): string {
	if (text === '') return '⟨empty⟩';
	return revealUnsafe(text).replace(/ {3,}|^ | $/g, ({length}) => `⟨${length} spaces⟩`);
}

function cutMiddle(
	rows: readonly SafeText[],
	room: number,
	columns: number,
	style: Styler,
): readonly SafeText[] {
	if (room < 1) return [];
	const above = Math.ceil((room - 1) / 2);
	const below = room - 1 - above;
	const hidden = Math.max(0, rows.length - above - below);
	const border = style(fitLine(`… ${hidden} more rows, v shows all …`, columns - 1), 'yellow');
	return [...rows.slice(0, above), border, ...(below === 0 ? [] : rows.slice(-below))];
}

/** What the keys do now. */
export function approvalStatus(dialog: ApprovalDialog, state: ReplState): string {
	switch (dialog.mode) {
		case 'edit':
			return 'Enter takes these arguments · Esc goes back';
		case 'reason':
			return 'Enter denies, with this reason for the model · Esc goes back';
		case 'ask': {
			if (!dialog.isArmed) return 'a tool wants to run; in a moment you can answer';
			const denials = 'n no · d no, with a reason · e edit';
			return canApprove(dialog, state)
				? `y once · s this session · ${denials} · v view all`
				: `v view all, then y or s · ${denials}`;
		}
		default:
			return dialog.mode satisfies never;
	}
}
