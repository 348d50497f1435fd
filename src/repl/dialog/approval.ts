/** The dialog that asks whether a call may run, as a value. */
import type {ApprovalLine, ApprovalRequest} from '../../chat/tool.ts';
import {emptyBuffer} from '../editor/buffer.ts';
import {type TextField, textField} from '../editor/change-editor.ts';
import {approvalRows, type Size} from '../geometry.ts';

export type ApprovalDialog = {
	readonly request: ApprovalRequest;
	/** A line about the tool; empty without one, or if the lines of the call say it. */
	readonly about: string;
	/** Whether keys count as answers: no key was pressed for a while. */
	readonly isArmed: boolean;
	/** Whether all of it was printed. */
	readonly isViewed: boolean;
	/** `edit`: the user changes the arguments; `reason`: the user writes a reason for the denial. */
	readonly mode: 'ask' | 'edit' | 'reason';
	/** The text of those modes. */
	readonly field: TextField;
	/** Why the last answer was not accepted. */
	readonly problem: string | undefined;
};

export function createDialog(request: ApprovalRequest): ApprovalDialog {
	return {
		request,
		about: describeTool(request),
		isArmed: false,
		isViewed: false,
		mode: 'ask',
		field: textField(emptyBuffer),
		problem: request.problem,
	};
}

function describeTool({tool, lines}: ApprovalRequest): string {
	if (lines.some(({label}) => label === 'says')) return '';
	return tool.definition.description?.trim().split('\n')[0] ?? '';
}

/** How the window is divided. */
export type DialogLayout = {
	/** Whether there is room for a frame that names the choices. */
	readonly isFramed: boolean;
	/** The cells of a row, without the frame. */
	readonly width: number;
	/** The rows of the call. */
	readonly callRows: number;
};

/** The cells that a frame and its padding take. */
const frameCells = 4;
const frameRows = 2;
/** The rows of the choices. */
const choiceRows = 5;
/** A smaller dialog has no frame. */
const leastFramed = {width: 40, callRows: 3};

export function layoutDialog({about, problem}: ApprovalDialog, size: Size): DialogLayout {
	const room = approvalRows(size) - 1 - (problem === undefined ? 0 : 1);
	const framed = {
		width: size.columns - 1 - frameCells,
		callRows: room - frameRows - choiceRows - (about === '' ? 0 : 1),
	};
	const isFramed = framed.width >= leastFramed.width && framed.callRows >= leastFramed.callRows;
	return isFramed
		? {isFramed, ...framed}
		: {isFramed, width: size.columns - 1, callRows: Math.max(0, room)};
}

/** The columns of the labels. */
export const labelWidth = 8;

/** Returns the columns before the text of a line. */
function indentOf({number}: ApprovalLine): number {
	return labelWidth + (number === undefined ? 0 : numberOf(number).length);
}

export function numberOf(number: number): string {
	return `${String(number).padStart(4)} `;
}

/** Returns the cells of a line's text. */
export function textWidthOf(line: ApprovalLine, width: number): number {
	return Math.max(2, width - indentOf(line));
}

/** Whether all of it fits into the window; false when in doubt. */
export function isWhole(dialog: ApprovalDialog, size: Size): boolean {
	const {width, callRows} = layoutDialog(dialog, size);
	let rows = 0;
	for (const line of dialog.request.lines) {
		const cells = textWidthOf(line, width);
		// A wide character may leave a cell free at the end of each row.
		rows += Math.max(1, Math.ceil(mostCells(line.text, callRows * cells) / Math.max(1, cells - 1)));
		if (rows > callRows) return false;
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
