/** The keys of vi, as another table over the same editor. */
import {nextBoundary} from '../../terminal/width.ts';
import {
	type BufferPosition,
	type EditorBuffer,
	emptyBuffer,
	isBefore,
	lineAt,
	moveTo,
	shownText,
} from './buffer.ts';
import {addKill} from './change-editor.ts';
import {deleteTo, insertBuffer, insertNewline, insertTyped, textUpTo} from './edit.ts';
import type {Editor} from './history.ts';
import {previousGrapheme} from './motion.ts';
import {changeText, redo, undo} from './undo.ts';
import {
	findMotion,
	firstNonBlank,
	inclusiveMotion,
	lineEnd,
	lineMotion,
	lineStart,
	motions,
} from './vi-motions.ts';
import type {ViState} from './vi-state.ts';

/** The editor with vi's keys. */
export type ViEditor = Editor & {readonly vi: ViState};

export function isVi(editor: Editor): editor is ViEditor {
	return editor.vi !== undefined;
}

/** Ends inserting, or drops an unfinished command. A command and what it inserts are undone together. */
export function leaveInsert(editor: ViEditor): ViEditor {
	const {vi, buffer} = editor;
	const left = {...vi, mode: 'normal', pending: ''} as const;
	if (vi.mode === 'normal') return {...editor, vi: left};
	const hasText = isBefore(vi.insertFrom, buffer.cursor);
	const inserted = hasText ? textUpTo(buffer, vi.insertFrom) : emptyBuffer;
	const position = buffer.cursor.column === 0 ? buffer.cursor : previousGrapheme(buffer);
	return {
		...editor,
		buffer: moveTo(buffer, position),
		past: editor.past.slice(0, vi.groupsBefore + 1),
		lastChange: undefined,
		vi: {...left, change: {...vi.change, inserted}},
	};
}

/** In normal mode, moves the cursor from the end of a line onto its last character. */
export function keepOnCharacter(editor: Editor): Editor {
	const {buffer, vi} = editor;
	const {line, column} = buffer.cursor;
	if (vi?.mode !== 'normal' || column === 0 || column < lineAt(buffer, line).length) return editor;
	return {...editor, buffer: {...buffer, cursor: previousGrapheme(buffer)}};
}

/** Keys that stand for a longer command. */
const aliases: Readonly<Record<string, string>> = {
	...{x: 'dl', X: 'dh', D: 'd$', C: 'c$', s: 'cl', S: 'cc', Y: 'yy', ' ': 'l'},
};

const unfinished = /^(?:[1-9]\d*)?(?:[dcy](?:[1-9]\d*)?)?[gfFtTr]?$/;
const complete = /^([1-9]\d*)?(?:([dcy])([1-9]\d*)?)?(gg|[fFtTr].|.)$/su;
const find = /^[fFtT]/;

/** A larger count is a slip of the hand, and a paste of it would hang. */
const maxTimes = 10_000;

/** Handles a key of normal mode. */
export function pressVi(editor: ViEditor, key: string): ViEditor {
	const keys = editor.vi.pending + key;
	if (unfinished.test(keys)) return {...editor, vi: {...editor.vi, pending: keys}};
	return runKeys({...editor, vi: {...editor.vi, pending: ''}}, keys);
}

/** Runs a whole command; one that does not exist does nothing. */
function runKeys(editor: ViEditor, keys: string): ViEditor {
	const [, count, operator, inner, name = ''] = complete.exec(keys) ?? [];
	const alias = operator === undefined ? aliases[name] : undefined;
	if (alias !== undefined) return runKeys(editor, `${count ?? ''}${alias}`);
	const times = Math.min(Number(count ?? 1) * Number(inner ?? 1), maxTimes);
	const before = find.test(name) ? {...editor, vi: {...editor.vi, find: name}} : editor;
	const command = operator === undefined ? (commands[name.charAt(0)] ?? move) : operate(operator);
	const from = {...before, vi: {...before.vi, groupsBefore: before.past.length}};
	const after = command(from, times, name);
	const isChange = operator === undefined ? /^[iaIAoOpPr]/.test(name) : operator !== 'y';
	if (!isChange || after === from) return after;
	return {...after, vi: {...after.vi, change: {keys, inserted: emptyBuffer}}};
}

type Command = (editor: ViEditor, times: number, name: string) => ViEditor;

/** Commands besides motions and operators, by their first key. */
const commands: Readonly<Record<string, Command>> = {
	u: (editor, times) => repeat(editor, times, undo),
	'\u0012': (editor, times) => repeat(editor, times, redo),
	i: (editor) => insertAt(editor, offsetOf(editor)),
	a: (editor) => insertAt(editor, offsetAfter(editor)),
	I: (editor) => insertAt(editor, inLine(editor, firstNonBlank)),
	A: (editor) => insertAt(editor, inLine(editor, lineEnd)),
	o: (editor) => openLine(editor, inLine(editor, lineEnd), 1),
	O: (editor) => openLine(editor, inLine(editor, lineStart), 0),
	p: (editor, times) => put(editor, times, true),
	P: (editor, times) => put(editor, times, false),
	r: replace,
	'.': (editor, times) => repeat(editor, times, repeatChange),
};

function move(editor: ViEditor, times: number, name: string): ViEditor {
	const target = follow(editor, name, times);
	return target === undefined ? editor : goTo(editor, target);
}

/** Returns where a motion leads to; undefined if it leads nowhere. */
function follow(editor: ViEditor, name: string, times: number): number | undefined {
	const motion = motionOf(editor, name);
	let offset = motion && offsetOf(editor);
	for (let step = 0; step < times && offset !== undefined; step += 1) {
		offset = motion?.(textOf(editor), offset);
	}
	return offset;
}

function motionOf({vi}: ViEditor, name: string) {
	if (name === ';') return vi.find === '' ? undefined : findMotion(vi.find, true);
	return find.test(name) ? findMotion(name, false) : motions[name];
}

function operate(operator: string): Command {
	return (editor, times, name) => {
		const text = textOf(editor);
		const from = offsetOf(editor);
		const isOnWord = operator === 'c' && /\S/.test(text.charAt(from));
		const wordEnd = isOnWord ? {w: 'e', W: 'E'}[name] : undefined;
		const isLine = name === operator;
		const motion = isLine ? 'j' : (wordEnd ?? name);
		const target = follow(editor, motion, isLine ? times - 1 : times);
		if (target === undefined) return editor;
		const [start, end] = target < from ? [target, from] : [from, target];
		return lineMotion.test(motion)
			? takeLines(editor, operator, lineStart(text, start), lineEnd(text, end))
			: takeText(editor, operator, start, Math.max(start, endOf(editor, motion, end)));
	};
}

/** Returns where the text of a motion ends: after its last character, or before a line that `w` enters. */
function endOf(editor: ViEditor, motion: string, end: number): number {
	const text = textOf(editor);
	if (inclusiveMotion.test(motion === ';' ? editor.vi.find : motion))
		return nextBoundary(text, end);
	if (!/^[wW]$/.test(motion)) return end;
	return end - (/\n\s*$/.exec(text.slice(0, end))?.[0].length ?? 0);
}

function takeText(editor: ViEditor, operator: string, start: number, end: number): ViEditor {
	const kept = addKill(editor, textBetween(editor, start, end));
	if (operator === 'y') return goTo(kept, start);
	const deleted = deleteBetween(kept, start, end);
	return operator === 'c' ? insertAt(deleted, offsetOf(deleted)) : deleted;
}

/** A kill of whole lines ends with a line end. */
function takeLines(editor: ViEditor, operator: string, start: number, end: number): ViEditor {
	const cut = textBetween(editor, start, end);
	const kept = addKill(editor, {...cut, lines: [...cut.lines, '']});
	if (operator === 'y') return kept;
	if (operator === 'c') return insertAt(deleteBetween(kept, start, end), start);
	const isLast = end === textOf(editor).length;
	const deleted = isLast
		? deleteBetween(kept, Math.max(0, start - 1), end)
		: deleteBetween(kept, start, end + 1);
	return goTo(deleted, inLine(deleted, firstNonBlank));
}

function insertAt(editor: ViEditor, offset: number): ViEditor {
	const moved = goTo(editor, offset);
	return {...moved, vi: {...moved.vi, mode: 'insert', insertFrom: moved.buffer.cursor}};
}

function openLine(editor: ViEditor, offset: number, step: 0 | 1): ViEditor {
	return insertAt(changeText(goTo(editor, offset), insertNewline), offset + step);
}

function put(editor: ViEditor, times: number, isAfter: boolean): ViEditor {
	const [kill] = editor.kills;
	if (kill === undefined) return editor;
	const hasLines = kill.lines.length > 1 && kill.lines.at(-1) === '';
	const lines = hasLines && isAfter ? ['', ...kill.lines.slice(0, -1)] : kill.lines;
	const beside = isAfter ? offsetAfter(editor) : offsetOf(editor);
	const place = hasLines ? inLine(editor, isAfter ? lineEnd : lineStart) : beside;
	const insert = (buffer: EditorBuffer) => insertBuffer(buffer, {...kill, lines});
	const added = changeText(editor, (buffer) => repeat(moveToOffset(buffer, place), times, insert));
	if (!hasLines) return goBack(added);
	return goTo(added, firstNonBlank(textOf(added), isAfter ? place + 1 : place));
}

function replace(editor: ViEditor, times: number, name: string): ViEditor {
	const end = follow(editor, 'l', times);
	if (end === undefined) return editor;
	const text = name.slice(1).repeat(times);
	const position = positionOf(editor.buffer, end);
	return goBack(changeText(editor, (buffer) => insertTyped(deleteTo(buffer, position), text)));
}

function repeatChange(editor: ViEditor): ViEditor {
	const {keys, inserted} = editor.vi.change;
	const again = runKeys(editor, keys);
	if (again.vi.mode === 'normal') return again;
	return leaveInsert(changeText(again, (buffer) => insertBuffer(buffer, inserted)));
}

function repeat<Value>(value: Value, times: number, step: (value: Value) => Value): Value {
	let current = value;
	for (let index = 0; index < times; index += 1) current = step(current);
	return current;
}

function textBetween({buffer}: ViEditor, start: number, end: number): EditorBuffer {
	return textUpTo(moveToOffset(buffer, start), positionOf(buffer, end));
}

function deleteBetween(editor: ViEditor, start: number, end: number): ViEditor {
	return changeText(editor, (buffer) =>
		deleteTo(moveToOffset(buffer, start), positionOf(buffer, end)),
	);
}

function goTo(editor: ViEditor, offset: number): ViEditor {
	return changeText(editor, (buffer) => moveToOffset(buffer, offset));
}

function goBack(editor: ViEditor): ViEditor {
	return changeText(editor, (buffer) => moveTo(buffer, previousGrapheme(buffer)));
}

/** Applies a motion of the cursor's line. */
function inLine(editor: ViEditor, motion: (text: string, at: number) => number): number {
	return motion(textOf(editor), offsetOf(editor));
}

/** The offset after the character under the cursor. */
function offsetAfter(editor: ViEditor): number {
	return follow(editor, 'l', 1) ?? offsetOf(editor);
}

function textOf({buffer}: Pick<ViEditor, 'buffer'>): string {
	return shownText(buffer);
}

function offsetOf({buffer: {lines, cursor}}: ViEditor): number {
	const above = lines.slice(0, cursor.line);
	return above.reduce((sum, line) => sum + line.length + 1, cursor.column);
}

function moveToOffset(buffer: EditorBuffer, offset: number): EditorBuffer {
	return moveTo(buffer, positionOf(buffer, offset));
}

function positionOf({lines}: EditorBuffer, offset: number): BufferPosition {
	const above = lines.join('\n').slice(0, offset).split('\n');
	return {line: above.length - 1, column: above.at(-1)?.length ?? 0};
}
