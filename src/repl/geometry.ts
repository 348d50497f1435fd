/** How the window is shared out. The live region stays below the window's height at any size. */

/** The mark before the prompt, and the columns it takes. */
export const promptMark = '> ';

type Size = {readonly columns: number; readonly rows: number};

/** The cells of an editor row; one column stays free for the cursor behind a full row. */
export function editorWidth({columns}: Pick<Size, 'columns'>): number {
	return Math.max(8, columns - promptMark.length - 2);
}

/** The rows the whole live region may take. */
export function liveRows({rows}: Size): number {
	return Math.max(3, rows - 4);
}

export function editorRows({rows}: Size): number {
	return Math.max(1, Math.floor(rows * 0.4));
}

/** The rows of the prompts that wait. */
export function queueRows({rows}: Size): number {
	return Math.max(1, Math.min(4, Math.floor(rows * 0.2)));
}

/** The rows of an open question; the prompt and a status of three rows fit below it. */
export function approvalRows(size: Size): number {
	const room = liveRows(size);
	return Math.max(1, Math.min(Math.floor(room * 0.7), room - 4));
}

/** The columns of the labels before what is approved. */
export const approvalLabelWidth = 8;

/** The cells of a row of what is approved. */
export function approvalTextWidth({columns}: Pick<Size, 'columns'>): number {
	return Math.max(2, columns - approvalLabelWidth - 1);
}

/** The rows of the reasoning pane. */
export function paneRows({rows}: Size): number {
	return Math.max(2, Math.min(12, Math.floor(rows * 0.4)));
}

/** The cells of an answer row; a full row would leave ghosts when the window narrows. */
export function answerWidth({columns}: Pick<Size, 'columns'>, hasPaneBeside: boolean): number {
	const width = hasPaneBeside ? Math.floor(columns * 0.6) : columns;
	return Math.max(10, width - 1);
}
