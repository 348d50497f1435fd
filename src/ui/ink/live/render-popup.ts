/** Renders the popup, shown below the prompt until the next key other than scrolling. */
import {answerWidth} from '../../../repl/geometry.ts';
import {windowFrom} from '../../../repl/list/list.ts';
import {isHelp} from '../../../repl/popup.ts';
import type {PlainEntry, ReplState, TableGroup} from '../../../repl/state.ts';
import {joinSafe, safe, stripUnsafe} from '../../../terminal/safe-text.ts';
import {textWidth} from '../../../terminal/width.ts';
import {plural} from '../../../wording.ts';
import {type EntryOptions, renderPlainEntry} from '../transcript/render-entry.ts';
import {cutRows, fitLine} from '../wrap-text.ts';
import type {FrameInput, Rows} from './frame-input.ts';

type Look = Pick<FrameInput, 'style' | 'redact'>;

/**
 * Returns at most `room` rows. The last one tells what is left out, unless it stands alone.
 *
 * @param top the first help row shown
 */
export function renderPopup(state: ReplState, {style, redact}: Look, room: number, top = 0): Rows {
	if (state.popup === undefined || room < 1) return [];
	const rows = rowsOfPopup(state, {style, redact});
	if (rows.length <= room) return rows;
	const width = answerWidth(state);
	const paint = (text: string) => safe`  ${style(fitLine(text, width - 2), 'hint')}`;
	const {start, end} = windowFrom(top, rows.length, Math.max(1, room - 1));
	if (room === 1) return [paint(`${rows[start]?.trimStart()} …`)];
	if (!isHelp(state.popup)) {
		return cutRows(rows, room, (count) => paint(`… ${plural(count, 'more row')}`));
	}
	const place = `${start + 1}–${end} of ${rows.length} · ↑ ↓ PgUp PgDn`;
	return [...rows.slice(start, end), paint(place)];
}

/** Returns all popup rows. A table gets two columns wherever these save height. */
export function rowsOfPopup(state: ReplState, {style, redact}: Look): Rows {
	if (state.popup === undefined) return [];
	const {entry} = state.popup;
	const options = {style, redact, width: answerWidth(state)};
	const rows = renderPlainEntry(entry, options);
	if (entry.type !== 'table' || options.width < 2 * leastColumn) return rows;
	const columns = renderColumns(entry, options);
	return columns.length < rows.length ? columns : rows;
}

/** The fewest cells per column: a name, its meaning, and the space between them. */
const leastColumn = 48;

function renderColumns(table: Extract<PlainEntry, {type: 'table'}>, options: EntryOptions): Rows {
	const width = Math.floor(options.width / 2);
	const [left, right] = halve(table.groups).map((groups) =>
		renderPlainEntry({...table, groups}, {...options, width}),
	);
	if (left === undefined || right === undefined) return [];
	return Array.from({length: Math.max(left.length, right.length)}, (_, index) => {
		const row = left[index] ?? stripUnsafe('');
		const used = textWidth(stripUnsafe(row));
		const gap = stripUnsafe(' '.repeat(Math.max(0, width - used)));
		const beside = right[index];
		return beside === undefined ? row : joinSafe(row, gap, beside);
	});
}

/** Splits a table's rows; a title stays with its group's first row. */
function halve(groups: readonly TableGroup[]): ReadonlyArray<readonly TableGroup[]> {
	const count = groups.reduce((sum, {rows}) => sum + rows.length, 0);
	const left: TableGroup[] = [];
	const right: TableGroup[] = [];
	let room = Math.ceil(count / 2);
	for (const {title, rows} of groups) {
		const above = rows.slice(0, room);
		const below = rows.slice(room);
		room -= above.length;
		const heading = title === undefined ? {} : {title};
		if (above.length > 0) left.push({...heading, rows: above});
		if (below.length > 0) right.push({...(above.length === 0 && heading), rows: below});
	}
	return [left, right];
}
