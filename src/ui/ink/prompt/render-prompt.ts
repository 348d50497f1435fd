/** Renders the live region's lower part: the queue, the attachments and the editor. */
import {nameAttachment} from '../../../repl/commands/attachment-commands.ts';
import {describeSummary} from '../../../repl/compact/start-compaction.ts';
import {type EditorBuffer, isEmpty} from '../../../repl/editor/buffer.ts';
import {type EditorLayout, layoutEditor} from '../../../repl/editor/editor-layout.ts';
import {patternOf, previewOf} from '../../../repl/editor/search.ts';
import {editorRows, editorWidth, isRoomy, promptMark, queueRows} from '../../../repl/geometry.ts';
import {bufferOf} from '../../../repl/question/question.ts';
import type {AnswerState, QueuedPrompt, ReplState} from '../../../repl/state.ts';
import {isAttaching} from '../../../repl/task.ts';
import {placeOfEdit} from '../../../repl/turn/prompt-edit.ts';
import {displayPrompt, lineOfPrompt, promptOf} from '../../../repl/turn/prompts.ts';
import {isPreparing} from '../../../repl/turn/reduce-turn.ts';
import {joinSafe, type SafeText, safe, stripUnsafe} from '../../../terminal/safe-text.ts';
import type {Styler} from '../../../terminal/style.ts';
import {plural} from '../../../wording.ts';
import {type Cursor, noPrompt, type PromptFrame, type Rows} from '../live/frame-input.ts';
import {cutRows, firstFitting, fitCells, fitLine} from '../wrap-text.ts';
import {renderField} from './render-field.ts';

/** Returns at most `room` rows (at least 1); the editor gets its rows first. */
export function renderPromptArea(state: ReplState, style: Styler, room: number): PromptFrame {
	const {search, editor, columns} = state;
	if (search === undefined) return renderDraft(editor.buffer, state, style, room);
	const {query, index} = search;
	const hasFailed = index === undefined && !isEmpty(query);
	const label = hasFailed ? 'no match:' : 'search:';
	const look = hasFailed ? 'error' : 'bold';
	const {text, cursor} = renderField(label, query, columns - 1, style, look);
	if (room < 2) return {...noPrompt, rows: [text], cursor: {x: cursor, y: 0}};
	const hits = isEmpty(query) ? undefined : patternOf(query);
	const draft = renderDraft(previewOf(search, editor), state, style, room - 1, hits);
	return {...draft, rows: [...draft.rows, text], cursor: {x: cursor, y: draft.rows.length}};
}

/** Returns input waiting for a question's end, in one row. */
export function renderWaiting(
	{question, queue, editor, attachments, columns}: ReplState,
	style: Styler,
): Rows {
	if (question === undefined) return [];
	const draft = lineOfPrompt(promptOf(editor.buffer, attachments));
	const parts = [
		...(queue.length === 0 ? [] : [`${plural(queue.length, 'prompt')} queued`]),
		...(draft === '' ? [] : [`your draft waits: ${draft}`]),
	];
	return parts.length === 0 ? [] : [style(fitLine(parts.join(' · '), columns - 2), 'hint')];
}

/** @param hits the text ranges to mark */
function renderDraft(
	buffer: EditorBuffer,
	state: ReplState,
	style: Styler,
	room: number,
	hits?: RegExp,
): PromptFrame {
	const hasRules = isRoomy(state);
	const inside = hasRules ? room - 2 : room;
	const editor = renderEditor(buffer, state, style, inside, hits);
	const notes = [...renderEditing(state, style), ...renderAttachments(state, style)];
	const attachments = notes.slice(0, inside - editor.rows.length);
	const queue = renderQueue(state, style, inside - editor.rows.length - attachments.length);
	const rows = isEmpty(buffer) ? [placeholder(state, style)] : editor.rows;
	return {above: [...queue, ...attachments], rows, hasRules, cursor: editor.cursor};
}

type Field = {readonly rows: Rows; readonly cursor: Cursor};

/** Returns the text being written in an open question. */
export function questionBuffer({question}: AnswerState): EditorBuffer | undefined {
	return question && bufferOf(question);
}

/** Returns at most `room` rows. */
export function renderEditor(
	buffer: EditorBuffer,
	state: AnswerState,
	style: Styler,
	room: number,
	hits?: RegExp,
): Field {
	const layout = layoutEditor(buffer, editorWidth(state), Math.min(editorRows(state), room));
	const rows = layout.rows.map((pieces, index) => {
		const parts = pieces.map(({text, isLive}) =>
			isLive ? style(stripUnsafe(text), 'accent') : markHits(text, hits, style),
		);
		return joinSafe(styleMark(markOf(layout, index), state, style), ...parts);
	});
	return {rows, cursor: {x: layout.cursor.x + promptMark.length, y: layout.cursor.y}};
}

function markHits(text: string, hits: RegExp | undefined, style: Styler): SafeText {
	if (hits === undefined) return fitCells(text);
	// Every second piece is a hit.
	const pieces = text.split(new RegExp(`(${hits.source})`, hits.flags)).map(fitCells);
	return joinSafe(
		...pieces.map((piece, index) => (index % 2 === 1 ? style(piece, 'underline') : piece)),
	);
}

/** Returns a row's leading mark: the prompt's start, or an arrow to hidden rows. */
function markOf({rows, hasMoreAbove, hasMoreBelow}: EditorLayout, index: number): string {
	const isMoreAbove = hasMoreAbove && index === 0;
	const isMoreBelow = hasMoreBelow && index === rows.length - 1;
	if (isMoreAbove) return isMoreBelow ? '↕ ' : '↑ ';
	if (isMoreBelow) return '↓ ';
	return index === 0 ? promptMark : '  ';
}

/** Bold while Enter sends at once, dim while it queues or a question waits for its keys. */
function styleMark(mark: string, state: AnswerState, style: Styler): SafeText {
	const isWaiting = state.turn !== undefined && questionBuffer(state) === undefined;
	return isWaiting ? style(stripUnsafe(mark), 'quiet') : style(stripUnsafe(mark), 'bold');
}

function placeholder(state: ReplState, style: Styler): SafeText {
	const {isQueueHeld, columns, turn} = state;
	const idle = isQueueHeld ? 'Enter sends the held prompts; a new one goes first' : 'Ask something';
	const text = turn === undefined ? idle : 'Type the next prompt; Enter queues it';
	const mark = styleMark(promptMark, state, style);
	// Some terminals cannot draw dim text, which then looks typed.
	return safe`${mark}${style(fitLine(`(${text})`, columns - promptMark.length - 2), 'quiet')}`;
}

function renderQueue(state: ReplState, style: Styler, room: number): readonly SafeText[] {
	const {queue, columns} = state;
	const maxRows = Math.min(queueRows(state), room);
	if (maxRows < 1) return [];
	const paint = (row: string) => style(fitLine(row, columns - 2), 'hint');
	const title = paint(titleOfQueue(state));
	if (queue.length === 0) return [];
	const shown = cutRows<QueuedPrompt | number>(queue, maxRows - 1, (count) => count);
	const rows = shown.map((row) =>
		paint(typeof row === 'number' ? `and ${row} more` : `↳ ${displayPrompt(row)}`),
	);
	return [title, ...rows];
}

/** A held prompt follows a new one; Ctrl-C clears a draft first. */
function titleOfQueue(state: ReplState): string {
	const {queue, isQueueHeld, editor} = state;
	const count = plural(queue.length, 'prompt');
	if (isPreparing(state)) return `${count} being prepared · Alt-Up edits`;
	if (!isQueueHeld) return `${count} after this answer · Alt-Up edits`;
	return isEmpty(editor.buffer)
		? `${count} held · Alt-Up edits · Ctrl-C drops`
		: `${count} held until the next answer · Alt-Up edits`;
}

/** Says which earlier prompt is shown, as far as the window is wide enough. */
function renderEditing(state: ReplState, style: Styler): Rows {
	const {editing, editor, columns} = state;
	if (editing === undefined) return [];
	const {place, replaced} = placeOfEdit(editor);
	const key = editor.vi === undefined ? 'Esc' : 'Ctrl-C';
	if (editing.summary !== undefined) {
		const told = describeSummary(editing.summary, state);
		const lines = [`${told} · Enter applies · ${key} drops`, told, 'Enter applies it'];
		return [style(firstFitting(lines, columns - 2), 'accent')];
	}
	const texts = [
		`editing prompt ${place} · Enter sends it instead of ${replaced} · ${key} leaves`,
		`editing prompt ${place} · ${key} leaves`,
		`editing ${place}`,
	];
	return [style(firstFitting(texts, columns - 2), 'accent')];
}

function renderAttachments(state: ReplState, style: Styler): readonly SafeText[] {
	const {attachments, columns} = state;
	const names = attachments.map(nameAttachment);
	if (isAttaching(state)) names.push('[reading…]');
	if (names.length === 0) return [];
	return [style(fitLine(names.join(' '), columns - 2), 'accent')];
}
