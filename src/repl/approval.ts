/** The dialog that asks whether a call may run, as a value. */
import type {ApprovalRequest} from '../chat/tool.ts';
import {type EditorBuffer, emptyBuffer} from './editor/buffer.ts';
import {approvalRows, approvalTextWidth, type Size} from './geometry.ts';

export type ApprovalDialog = {
	readonly request: ApprovalRequest;
	/** Whether keys count as answers: no key was pressed for a while. */
	readonly isArmed: boolean;
	/** Whether all of it was printed. */
	readonly isViewed: boolean;
	/** `edit`: the user changes the arguments; `reason`: the user writes a reason for the denial. */
	readonly mode: 'ask' | 'edit' | 'reason';
	/** The text of those modes. */
	readonly buffer: EditorBuffer;
	/** Why the last answer was not accepted. */
	readonly problem: string | undefined;
};

export function createDialog(request: ApprovalRequest): ApprovalDialog {
	return {
		request,
		isArmed: false,
		isViewed: false,
		mode: 'ask',
		buffer: emptyBuffer,
		problem: request.problem,
	};
}

/** Whether all of it fits into the window; false when in doubt. */
export function isWhole({request, problem}: ApprovalDialog, size: Size): boolean {
	const room = approvalRows(size) - (problem === undefined ? 1 : 2);
	const width = approvalTextWidth(size);
	let rows = 0;
	for (const {text} of request.lines) {
		// A wide character may leave a cell free at the end of each row.
		rows += Math.max(1, Math.ceil(mostCells(text, room * width) / Math.max(1, width - 1)));
		if (rows > room) return false;
	}
	return true;
}

/** Whether the call may be approved: only after all of it was shown. */
export function canApprove(dialog: ApprovalDialog, size: Size): boolean {
	return dialog.isViewed || isWhole(dialog, size);
}

/** The width of the longest escape of an unusual character. */
const escapeCells = 10;
const letter = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]$/u;
const hiddenSpaces = / {3,}|^ | $/g;

/** Returns an upper bound of the cells that a text takes; stops counting at `limit`. */
function mostCells(text: string, limit: number): number {
	if (text.length > limit) return limit + 1;
	let cells = 2 * escapeCells * (text.match(hiddenSpaces)?.length ?? 0);
	for (const character of text) {
		if (character >= ' ' && character <= '~') cells += 1;
		else cells += letter.test(character) ? 2 : escapeCells;
	}
	return cells;
}
