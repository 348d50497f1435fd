/**
 * Up and Down by rows of the screen, aiming for the cell where the first of a series began.
 */
import type {EditorBuffer} from './buffer.ts';
import {cellOf, columnAt, rowIndexOf, rowsOfLine} from './visual-rows.ts';

/** The buffer with its cursor one row up (-1) or down (1); `undefined` at the first or last row. */
export function moveRow(
	buffer: EditorBuffer,
	step: -1 | 1,
	width: number,
): EditorBuffer | undefined {
	const {line, column} = buffer.cursor;
	const rows = rowsOfLine(buffer, line, width);
	const index = rowIndexOf(rows, column);
	const cell = buffer.goalColumn ?? cellOf(buffer, buffer.cursor, rows[index]?.start ?? 0, width);
	const isInLine = rows[index + step] !== undefined;
	const targetLine = isInLine ? line : line + step;
	if (targetLine < 0 || targetLine >= buffer.lines.length) return undefined;
	const targetRows = isInLine ? rows : rowsOfLine(buffer, targetLine, width);
	const target = isInLine ? index + step : step === 1 ? 0 : targetRows.length - 1;
	const row = targetRows[target];
	if (row === undefined) return undefined;
	const isLast = target === targetRows.length - 1;
	const targetColumn = columnAt(buffer, targetLine, row, {cell, width, isLast});
	return {...buffer, cursor: {line: targetLine, column: targetColumn}, goalColumn: cell};
}
