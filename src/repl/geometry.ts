/** Divides the window. The live region stays lower than the window at any size. */

/** The mark before a prompt and a list's selected row; its length is the other rows' indent. */
export const promptMark = '› ';

/** The window size. */
export type Size = {readonly columns: number; readonly rows: number};

/** Cells per editor row; one column is left for the cursor after a full row. */
export function editorWidth({columns}: Pick<Size, 'columns'>): number {
	return Math.max(8, columns - promptMark.length - 2);
}

/** The live region's maximum height. */
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

/** The menu's maximum height; the prompt above and the status below get their rows first. */
export function menuRows(size: Size): number {
	const others = isRoomy(size) ? 4 : 2;
	return Math.max(1, Math.min(Math.max(8, Math.floor(size.rows / 2)), liveRows(size) - others));
}

/** The queued prompts' maximum height. */
export function queueRows({rows}: Size): number {
	return Math.max(1, Math.min(4, Math.floor(rows * 0.2)));
}

/**
 * A question's maximum height; it leaves room for waiting or unfinished text and two status rows.
 */
export function questionRows(size: Size): number {
	return Math.max(1, liveRows(size) - 3);
}

/** The tree's maximum height. */
export function treeWindowRows(size: Size): number {
	return Math.max(1, Math.min(liveRows(size) - 1, Math.floor(size.rows * 0.6)));
}

/**
 * Maximum reasoning rows on request. Rows leaving the window cannot be erased, so the live region
 * fits even if a narrower window has wrapped each of its rows.
 */
export function reasoningRows({rows}: Size): number {
	return Math.max(2, Math.floor(rows / 2) - 4);
}

/** Maximum reasoning rows in a running turn: nobody reads more at a model's speed. */
export function paneRows(size: Size): number {
	return Math.min(6, reasoningRows(size));
}

/** Width of rules, and of rows with keys at the right end: a narrower window wraps none. */
export function ruleWidth({columns}: Pick<Size, 'columns'>): number {
	return Math.max(1, Math.min(72, columns - 1));
}

/** The width from which on the reasoning pane is beside the answer. */
const wideColumns = 100;

export function isWide(columns: number): boolean {
	return columns >= wideColumns;
}

/** Cells per scrollback row; a full row would leave traces when the window gets narrower. */
export function answerWidth({columns}: Pick<Size, 'columns'>): number {
	return Math.max(10, columns - 1);
}

/** Cells per row of the unfinished answer beside the reasoning. */
export function widthBesidePane({columns}: Pick<Size, 'columns'>): number {
	return Math.floor(columns * 0.6) - 1;
}
