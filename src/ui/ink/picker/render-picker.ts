import {isEmpty} from '../../../repl/editor/buffer.ts';
import {promptMark} from '../../../repl/geometry.ts';
import {windowOf} from '../../../repl/list/list.ts';
import {
	type PickerHit,
	type PickerLayout,
	type PickerState,
	type PreviewText,
	selectedSession,
} from '../../../repl/list/picker-state.ts';
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
import type {Rows} from '../live/frame-input.ts';
import {unframedHints} from '../live/question-hints.ts';
import {renderField} from '../prompt/render-field.ts';
import {fitLine, joinFitting, trimRows, wrapText} from '../wrap-text.ts';

/** A row, and the cursor's column if it is in this row. */
type Line = {readonly text: SafeText; readonly cursor?: number};

/** Returns the query and, if there is room, how many sessions are listed, and where. */
export function renderQuery(state: PickerState, width: number, style: Styler) {
	const {list, scope, isListed, isSearching, query} = state;
	const place = scope === 'all' ? 'all folders' : 'this folder';
	const count = plural(list.items.length, 'conversation');
	const text = fitLine(`${count}, ${place}${isSearching || !isListed ? ' …' : ''}`, width);
	const room = width - textWidth(text) - 2;
	return room < 16
		? {...renderField('search:', query, width, style), count: []}
		: {...renderField('search:', query, room, style), count: [style(text, 'quiet')]};
}

/** Returns the sessions around the selected one. */
export function renderSessions(
	state: PickerState,
	{listRows, listWidth}: PickerLayout,
	style: Styler,
): Rows {
	const {list, date} = state;
	if (list.items.length === 0) return [style(fitLine(describeNothing(state), listWidth), 'hint')];
	return windowOf(list, listRows).map(({item, mark, isSelected}) => {
		const row = joinSafe(
			stripUnsafe(mark),
			renderHit(item, Math.max(1, listWidth - 2), date, style),
		);
		return isSelected ? style(row, 'reverse') : row;
	});
}

const ageWidth = 12;

/** The least width for a row showing its session's age. */
const agedColumns = 40;

/** The title comes last: right-to-left text then moves nothing beside it. */
function renderHit(
	{session, excerpt}: PickerHit,
	width: number,
	date: number,
	style: Styler,
): SafeText {
	const hasAge = width >= agedColumns;
	const age = hasAge ? `${describeTime(session.updated, date).padStart(ageWidth)}  ` : '';
	const room = Math.max(1, width - textWidth(age));
	const titleRoom = excerpt === undefined ? room : Math.ceil(room * 0.4);
	const title = fitLine(session.title || session.id, titleRoom);
	const left = room - textWidth(title) - 2;
	const note = excerpt === undefined || left < 4 ? safe`` : safe`  ${fitLine(excerpt, left)}`;
	return joinSafe(style(stripUnsafe(age), 'quiet'), title, style(note, 'hint'));
}

/** Says why the list is empty. */
function describeNothing({isListed, isSearching, query, scope, cwd, hits}: PickerState): string {
	if (!isListed) return 'reading…';
	if (isSearching) return 'searching…';
	const place = scope === 'all' ? '' : ' in this folder';
	if (!isEmpty(query)) return `nothing found${place}`;
	const hasPrompts = hits.some(({session}) => scope === 'all' || session.cwd === cwd);
	return hasPrompts ? `nothing answered${place}; type to find a prompt` : `nothing saved${place}`;
}

/** Describes the selected session. */
export function renderDetails(state: PickerState, width: number, style: Styler): SafeText {
	const session = selectedSession(state);
	if (session === undefined) return safe``;
	const {id, turns, isAnswered, model, cwd} = session;
	const parts = [id, describeTurns(turns, !isAnswered), model, cwd];
	const text = parts.filter((part) => part !== undefined).join(' · ');
	return style(fitLine(text, width), 'hint');
}

/** Returns a rule and the texts' last rows. */
export function renderPreview(
	texts: readonly PreviewText[],
	room: number,
	width: number,
	style: Styler,
): Rows {
	if (room < 1) return [];
	let shown: Rows = [];
	for (const {role, text} of texts.toReversed()) {
		const mark = role === 'user' ? promptMark : '';
		const wrapped = trimRows(wrapText(mark + text, width)).map((row) =>
			role === 'user' ? style(row, 'bold') : role === 'notice' ? style(row, 'hint') : row,
		);
		shown = [...wrapped, ...(shown.length === 0 ? [] : [safe``]), ...shown];
		if (shown.length >= room) break;
	}
	const rule = style(stripUnsafe('─'.repeat(width)), 'quiet');
	return [rule, ...(room === 1 ? [] : shown.slice(1 - room))];
}

/** Returns what is asked or has failed, or else the keys. */
export function renderFooter(state: PickerState, width: number, style: Styler): Line {
	const {renaming, question, notice} = state;
	if (renaming !== undefined) return renderField('title:', renaming.field.buffer, width, style);
	if (question !== undefined) {
		const hints = unframedHints(question);
		const keys = hints.find((hint) => textWidth(hint) < width / 2) ?? hints.at(-1) ?? '';
		const title = fitLine(question.title, Math.max(1, width - textWidth(keys) - 1));
		const text = fitLine(`${title} ${keys}`, width);
		const look = question.isArmed ? 'bold' : 'quiet';
		return {text: style(text, look), cursor: Math.min(width, textWidth(text) + 1)};
	}
	if (notice !== undefined) return {text: style(fitLine(notice, width), 'error')};
	return {text: style(renderHints(state, width), 'hint')};
}

/** Returns the first fitting keys. */
function renderHints({scope, query}: PickerState, width: number): SafeText {
	const hints = [
		'Enter resume',
		isEmpty(query) ? 'Esc exit' : 'Esc clear',
		scope === 'all' ? 'Tab this folder' : 'Tab all',
		'→ preview',
		'Ctrl-R rename',
		'Ctrl-D delete',
		'↑↓ move',
		'type to search',
	];
	return joinFitting(hints.map(stripToLine), width, safe` · `);
}
