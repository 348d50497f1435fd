/** How the window of the picker is divided. */
import type {PickerState} from './picker-state.ts';

export type PickerLayout = ReturnType<typeof layoutPicker>;

/** From this width on, the preview is beside the list. */
const wideColumns = 100;

/** From this height on, there is a row about the selected session. */
const tallRows = 9;

/** The last row of the window stays free, so that nothing scrolls, and a column for the cursor. */
export function layoutPicker({columns, rows, isPreviewOpen}: PickerState) {
	const height = Math.max(3, rows - 1);
	const width = Math.max(1, columns - 1);
	const hasDetails = height >= tallRows;
	// Besides the query and the keys.
	const body = height - (hasDetails ? 3 : 2);
	const isBeside = isPreviewOpen && columns >= wideColumns;
	const rowsAbove = Math.max(1, Math.floor(body * 0.4));
	const isBelow = isPreviewOpen && !isBeside && body - rowsAbove >= 2;
	const listWidth = isBeside ? Math.floor(width * 0.45) : width;
	return {
		height,
		width,
		hasDetails,
		isBeside,
		listRows: isBelow ? rowsAbove : body,
		listWidth,
		/** None if the preview is closed, or has no room. */
		previewRows: isBeside ? body : isBelow ? body - rowsAbove : 0,
		previewWidth: isBeside ? width - listWidth - 2 : width,
	};
}
