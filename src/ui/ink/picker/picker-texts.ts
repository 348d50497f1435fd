/** The texts of the picker's rows: safe, and cut to their cells. */
import type {EditorBuffer} from '../../../repl/editor/buffer.ts';
import {layoutEditor} from '../../../repl/editor/editor-layout.ts';
import {promptMark} from '../../../repl/geometry.ts';
import type {PickerHit, PickerState, PreviewText} from '../../../repl/list/picker-state.ts';
import {
	joinSafe,
	type SafeText,
	safe,
	stripToLine,
	stripUnsafe,
} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import {textWidth} from '../../../terminal/width.ts';
import {describeTime, describeTurns, plural} from '../../../wording.ts';
import {fitCells, fitLine, joinFitting, trimRows, wrapText} from '../wrap-text.ts';

/** A line that is edited: a label, and the part of the text around the cursor. */
export type FieldText = {readonly text: SafeText; readonly cursor: number};

export function renderField(
	label: string,
	buffer: EditorBuffer,
	width: number,
	style: Styler,
): FieldText {
	const shown = fitLine(label, Math.max(1, width - 4));
	const start = textWidth(shown) + 1;
	const {rows, cursor} = layoutEditor(buffer, Math.max(1, width - start - 1), 1);
	const text = joinSafe(...(rows[0] ?? []).map((piece) => fitCells(piece.text)));
	return {text: safe`${style(shown, 'bold')} ${text}`, cursor: start + cursor.x};
}

const ageWidth = 12;

/** From this width on, a row has the age of its session. */
const agedColumns = 40;

/** The title comes last: a text that runs from right to left moves nothing beside it. */
export function renderHit(
	{session, excerpt}: PickerHit,
	{width, date, style}: {readonly width: number; readonly date: number; readonly style: Styler},
): SafeText {
	const hasAge = width >= agedColumns;
	const age = hasAge ? `${describeTime(session.updated, date).padStart(ageWidth)}  ` : '';
	const room = Math.max(1, width - textWidth(age));
	const title = fitLine(
		session.title || session.id,
		excerpt === undefined ? room : titleRoom(room),
	);
	const left = room - textWidth(title) - 2;
	const before = style(stripUnsafe(age), 'quiet');
	if (excerpt === undefined || left < 4) return joinSafe(before, title);
	return joinSafe(before, title, style(safe`  ${fitLine(excerpt, left)}`, 'hint'));
}

/** The cells of a title beside an excerpt. */
function titleRoom(room: number): number {
	return Math.ceil(room * 0.4);
}

export function renderDetails(
	{session: {id, turns, isAnswered, model, cwd}}: PickerHit,
	width: number,
): SafeText {
	const parts = [id, describeTurns(turns, !isAnswered), model, cwd].filter(
		(part) => part !== undefined,
	);
	return fitLine(parts.join(' · '), width);
}

/** Returns the last rows of the texts. */
export function renderPreview(
	texts: readonly PreviewText[],
	{rows, width, style}: {readonly rows: number; readonly width: number; readonly style: Styler},
): readonly SafeText[] {
	let shown: readonly SafeText[] = [];
	for (const {role, text} of texts.toReversed()) {
		const mark = role === 'user' ? promptMark : '';
		const wrapped = trimRows(wrapText(mark + text, width)).map((row) =>
			role === 'user' ? style(row, 'bold') : role === 'notice' ? style(row, 'hint') : row,
		);
		shown = [...wrapped, ...(shown.length === 0 ? [] : [safe``]), ...shown];
		if (shown.length >= rows) break;
	}
	return shown.slice(-rows);
}

/** Returns how many sessions are listed, and where. */
export function describeScope(state: PickerState): string {
	const {hits, scope, isListed, isSearching} = state;
	const place = scope === 'all' ? 'all folders' : 'this folder';
	const isBusy = isSearching || !isListed;
	return `${plural(hits.length, 'conversation')}, ${place}${isBusy ? ' …' : ''}`;
}

/** Why the list is empty. */
export function describeNothing(state: PickerState): string {
	const {isListed, isSearching, query, scope, cwd, sessions} = state;
	if (!isListed) return 'reading…';
	if (isSearching) return 'searching…';
	const place = scope === 'folder' ? ' in this folder' : '';
	if (query.lines.join('') !== '') return `nothing found${place}`;
	const hasPrompts = sessions.some((session) => scope === 'all' || session.cwd === cwd);
	return hasPrompts ? `nothing answered${place}; type to find a prompt` : `nothing saved${place}`;
}

/** Returns the first keys that fit. */
export function renderHints({scope, query}: PickerState, width: number): SafeText {
	const hints = [
		'Enter resume',
		query.lines.join('') === '' ? 'Esc exit' : 'Esc clear',
		scope === 'all' ? 'Tab this folder' : 'Tab all',
		'→ preview',
		'Ctrl-R rename',
		'Ctrl-D delete',
		'↑↓ move',
		'type to search',
	];
	return joinFitting(hints.map(stripToLine), width, safe` · `);
}

/** Returns the question with as much of the title as fits. */
export function renderDeleteQuestion(title: string, width: number): SafeText {
	const room = width - textWidth('Delete ""? y/n');
	return fitLine(`Delete "${fitLine(title, Math.max(1, room))}"? y/n`, width);
}
