/** Renders a single-row editor: a label, and the text around the cursor. */
import type {EditorBuffer} from '../../../repl/editor/buffer.ts';
import {layoutEditor} from '../../../repl/editor/editor-layout.ts';
import {joinSafe, type SafeText, safe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import type {Style} from '../../../terminal/theme.ts';
import {textWidth} from '../../../terminal/width.ts';
import {fitCells, fitLine} from '../wrap-text.ts';

/** A row and its cursor column. */
type FieldRow = {readonly text: SafeText; readonly cursor: number};

export function renderField(
	label: string,
	buffer: EditorBuffer,
	width: number,
	style: Styler,
	look: Style = 'bold',
): FieldRow {
	const shown = fitLine(label, Math.max(1, width - 4));
	const start = textWidth(shown) + 1;
	const {rows, cursor} = layoutEditor(buffer, Math.max(1, width - start - 1), 1);
	const text = joinSafe(...(rows[0] ?? []).map((piece) => fitCells(piece.text)));
	return {text: safe`${style(shown, look)} ${text}`, cursor: start + cursor.x};
}
