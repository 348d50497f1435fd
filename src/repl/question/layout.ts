/**
 * Question layout: does everything the user agrees to fit? Computed without Ink: the reducer needs
 * it for each key, and a long text is cut before it is drawn.
 */
import type {ApprovalLine} from '../../chat/tool.ts';
import {questionRows, ruleWidth, type Size} from '../geometry.ts';
import {linesOfQuestion, type Question} from './question.ts';

/** How the window is divided. */
export type QuestionLayout = {
	/** Whether there is room for a frame naming the choices. */
	readonly isFramed: boolean;
	/** Cells per row, without the frame. */
	readonly width: number;
	/** The lines' height. */
	readonly bodyRows: number;
};

/** The cells and rows taken by a frame and its padding. */
export const frameCells = 4;
export const frameRows = 2;
/** A smaller question has no frame. */
export const leastFramed = {width: 40, bodyRows: 3};

export function layoutQuestion(question: Question, size: Size): QuestionLayout {
	const rows = questionRows(size);
	const inside = ruleWidth(size) - frameCells;
	const left = rows - frameRows - question.choices.length - headRows(question, inside, true);
	if (inside >= leastFramed.width && left >= leastFramed.bodyRows) {
		return {isFramed: true, width: inside, bodyRows: left};
	}
	const width = size.columns - 1;
	return {isFramed: false, width, bodyRows: Math.max(0, rows - headRows(question, width, false))};
}

/** Returns the height above the lines. A page's host has its own rows, uncut. */
function headRows({problem, about, host}: Question, width: number, isFramed: boolean): number {
	const others = (problem === undefined ? 0 : 1) + (isFramed && about !== '' ? 1 : 0);
	return 1 + others + Math.ceil(host.length / width) + (isFramed && host !== '' ? 2 : 0);
}

/** The label columns. */
export const labelWidth = 8;

/** Returns the columns before a line's text. */
function indentOf({number}: ApprovalLine): number {
	return labelWidth + (number === undefined ? 0 : numberOf(number).length);
}

export function numberOf(number: number): string {
	return `${String(number).padStart(4)} `;
}

/** Returns the cells available to a line's text. */
export function cellsOfText(line: ApprovalLine, width: number): number {
	return Math.max(2, width - indentOf(line));
}

/** Whether the user may agree: only after seeing all of it. */
export function canAgree(question: Question, size: Size): boolean {
	return question.isViewed || isWhole(question, linesOfQuestion(question), size);
}

/** Whether everything fits into the window; false when in doubt. */
export function isWhole(question: Question, lines: readonly ApprovalLine[], size: Size): boolean {
	const {width, bodyRows} = layoutQuestion(question, size);
	let rows = 0;
	for (const line of lines) {
		const cells = cellsOfText(line, width);
		// A wide character may leave a cell free at the end of each row.
		rows += Math.max(1, Math.ceil(mostCells(line.text, bodyRows * cells) / Math.max(1, cells - 1)));
		if (rows > bodyRows) return false;
	}
	return true;
}

/** The widest escape for an unusual character. */
const escapeCells = 10;
const letter = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]$/u;
const hiddenSpaces = / {3,}|^ | $/g;

/** Returns an upper bound for a text's width; stops counting at `limit`. */
function mostCells(text: string, limit: number): number {
	if (text.length > limit) return limit + 1;
	let cells = 2 * escapeCells * (text.match(hiddenSpaces)?.length ?? 0);
	for (const character of text) {
		if (character >= ' ' && character <= '~') cells += 1;
		else cells += letter.test(character) ? 2 : escapeCells;
	}
	return cells;
}
