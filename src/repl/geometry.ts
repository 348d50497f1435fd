/** How the window is divided. The live region stays below the height of the window at any size. */

/** The mark before a prompt and the selected row of a list; its length is the indent of the others. */
export const promptMark = '› ';

/** The size of the window. */
export type Size = {readonly columns: number; readonly rows: number};

/** The cells of an editor row; one column is left for the cursor after a full row. */
export function editorWidth({columns}: Pick<Size, 'columns'>): number {
	return Math.max(8, columns - promptMark.length - 2);
}

/** The maximum rows of the live region. */
export function liveRows({rows}: Size): number {
	return Math.max(3, rows - 4);
}

/** Whether the window has room for empty rows and rules in the live region. */
export function isRoomy(size: Size): boolean {
	return liveRows(size) >= 10;
}

export function editorRows({rows}: Size): number {
	return Math.max(1, Math.floor(rows * 0.4));
}

/** The maximum rows of the menu; the prompt above it and the status below it get theirs first. */
export function menuRows(size: Size): number {
	const others = isRoomy(size) ? 4 : 2;
	return Math.max(1, Math.min(Math.max(8, Math.floor(size.rows / 2)), liveRows(size) - others));
}

/** The maximum rows of the queued prompts. */
export function queueRows({rows}: Size): number {
	return Math.max(1, Math.min(4, Math.floor(rows * 0.2)));
}

/** The maximum rows of a question; below it fit what waits or is written, and two rows of status. */
export function questionRows(size: Size): number {
	return Math.max(1, liveRows(size) - 3);
}

/** The maximum rows of the tree. */
export function treeWindowRows(size: Size): number {
	return Math.max(1, Math.min(liveRows(size) - 1, Math.floor(size.rows * 0.6)));
}

/**
 * Maximum reasoning rows on request. Rows that leave the window cannot be erased, so the live region
 * fits even if a narrower window has wrapped each of its rows.
 */
export function reasoningRows({rows}: Size): number {
	return Math.max(2, Math.floor(rows / 2) - 4);
}

/** Maximum reasoning rows in a running turn: more cannot be read at the speed of a model. */
export function paneRows(size: Size): number {
	return Math.min(6, reasoningRows(size));
}

/** Width of rules, and of rows with keys at the right end, so that a narrower window wraps none. */
export function ruleWidth({columns}: Pick<Size, 'columns'>): number {
	return Math.max(1, Math.min(72, columns - 1));
}

/** From this width on, the reasoning pane is beside the answer. */
const wideColumns = 100;

export function isWide(columns: number): boolean {
	return columns >= wideColumns;
}

/** The cells of a row of the scrollback; a full row would leave traces when the window gets narrower. */
export function answerWidth({columns}: Pick<Size, 'columns'>): number {
	return Math.max(10, columns - 1);
}

/** The cells of a row of the unfinished answer beside the reasoning. */
export function widthBesidePane({columns}: Pick<Size, 'columns'>): number {
	return Math.floor(columns * 0.6) - 1;
}
