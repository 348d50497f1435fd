/** A question that is open: may this call run? As a value, and as the lines that it is made of. */

import {parseArguments} from '../chat/parse-arguments.ts';
import type {ApprovalRequest} from '../chat/tool.ts';
import {encodeStdin, fillCommand} from '../chat/tool-arguments.ts';
import {type EditorBuffer, emptyBuffer} from './editor/buffer.ts';
import {approvalRows, approvalTextWidth} from './geometry.ts';

export type ApprovalDialog = {
	readonly request: ApprovalRequest;
	/** All that is approved; may be millions of characters, so it is made once. */
	readonly lines: readonly ApprovalLine[];
	/** Whether keys count: it has stood for a while, and no key was pressed meanwhile. */
	readonly isArmed: boolean;
	/** Everything was printed. */
	readonly isViewed: boolean;
	/** `edit`: the arguments are being changed; `reason`: a reason for the denial is being written. */
	readonly mode: 'ask' | 'edit' | 'reason';
	/** What is written in those modes. */
	readonly buffer: EditorBuffer;
	/** Why what was written was not taken. */
	readonly problem: string | undefined;
};

export function createDialog(request: ApprovalRequest): ApprovalDialog {
	return {
		request,
		lines: approvalLines(request),
		isArmed: false,
		isViewed: false,
		mode: 'ask',
		buffer: emptyBuffer,
		problem: request.problem,
	};
}

/** One thing that is approved. The label of a continued list is empty. */
export type ApprovalLine = {readonly label: string; readonly text: string};

/** Exactly what will run: each element of the command, where, with what. */
export function approvalLines({call, tool}: ApprovalRequest): readonly ApprovalLine[] {
	const values = parseArguments(call.arguments) ?? {};
	const filled = fillCommand(tool.command, values);
	const argv = 'argv' in filled ? filled.argv : tool.command;
	const stdin = encodeStdin(values);
	return [
		...argv.map((text, index) => ({label: index === 0 ? 'runs' : '', text})),
		{label: 'in', text: tool.cwd},
		...tool.environment.map((text, index) => ({label: index === 0 ? 'with' : '', text})),
		{label: 'stdin', text: `${new TextEncoder().encode(stdin).length} bytes`},
		{label: '', text: stdin},
	];
}

/** The size of the window. */
export type Size = {readonly columns: number; readonly rows: number};

/** Whether all of it can be shown at once; when in doubt, it cannot. */
export function isWhole({lines, problem}: ApprovalDialog, size: Size): boolean {
	const room = approvalRows(size) - (problem === undefined ? 1 : 2);
	const width = approvalTextWidth(size);
	let rows = 0;
	for (const {text} of lines) {
		// A wide character may leave a cell free at the end of each row.
		rows += Math.max(1, Math.ceil(mostCells(text, room * width) / Math.max(1, width - 1)));
		if (rows > room) return false;
	}
	return true;
}

/** Whether it may be approved: whoever approves has been shown everything. */
export function canApprove(dialog: ApprovalDialog, size: Size): boolean {
	return dialog.isViewed || isWhole(dialog, size);
}

/** As wide as the longest mark for an odd character. */
const oddCells = 10;
const letter = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]$/u;
const hiddenSpaces = / {3,}|^ | $/g;

/** No text takes more cells than this, however it is shown; counts no further than `limit`. */
function mostCells(text: string, limit: number): number {
	if (text.length > limit) return limit + 1;
	let cells = 2 * oddCells * (text.match(hiddenSpaces)?.length ?? 0);
	for (const character of text) {
		if (character >= ' ' && character <= '~') cells += 1;
		else cells += letter.test(character) ? 2 : oddCells;
	}
	return cells;
}
