/** How the window of the picker is divided. */
import type {PickerState} from './picker-state.ts';

export type PickerLayout = {
	/** The rows in use; the last row of the window stays free, so that nothing scrolls. */
	readonly height: number;
	/** The cells of a row; one column stays free for the cursor. */
	readonly width: number;
	readonly listRows: number;
	readonly listWidth: number;
	readonly hasDetails: boolean;
	/** Undefined if the preview is closed, or has no room. */
	readonly preview:
		| {readonly rows: number; readonly width: number; readonly isBeside: boolean}
		| undefined;
};

/** From this width on, the preview is beside the list. */
const wideColumns = 100;

/** From this height on, there is a row about the selected session. */
const tallRows = 9;

export function layoutPicker({columns, rows, isPreviewOpen}: PickerState): PickerLayout {
	const height = Math.max(3, rows - 1);
	const width = Math.max(1, columns - 1);
	const hasDetails = height >= tallRows;
	// The query and the keys.
	const body = height - 2 - (hasDetails ? 1 : 0);
	const whole = {height, width, hasDetails};
	const listAlone = {...whole, listRows: body, listWidth: width, preview: undefined};
	if (!isPreviewOpen) return listAlone;
	if (columns >= wideColumns) {
		const listWidth = Math.floor(width * 0.45);
		const preview = {rows: body, width: width - listWidth - 2, isBeside: true};
		return {...whole, listRows: body, listWidth, preview};
	}
	const listRows = Math.max(1, Math.floor(body * 0.4));
	if (body - listRows < 2) return listAlone;
	const preview = {rows: body - listRows, width, isBeside: false};
	return {...whole, listRows, listWidth: width, preview};
}
