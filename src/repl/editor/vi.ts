/** Vi keys, as another table over the same editor. */
import {
	type BufferPosition,
	type EditorBuffer,
	emptyBuffer,
	isBefore,
	lineAt,
	moveTo,
} from './buffer.ts';
import {addKill, changeText, redo, undo} from './change-editor.ts';
import {deleteTo, insertBuffer, insertNewline, insertTyped, textUpTo} from './edit.ts';
import type {Editor, ViState} from './history.ts';
import {
	firstNonBlank,
	lineEnd,
	lineStart,
	type Motion,
	nextGrapheme,
	previousGrapheme,
} from './motion.ts';
import {findMotion, inclusiveMotion, lineMotion, motions, type ViMotion} from './vi-motions.ts';

/** The editor with vi's keys. */
export type ViEditor = Editor & {readonly vi: ViState};

export function isVi(editor: Editor): editor is ViEditor {
	return editor.vi !== undefined;
}

/**
 * Ends inserting, or drops an unfinished command. A command and its inserted text are undone
 * together.
 */
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

/** Moves the normal-mode cursor from the end of a line onto its last character. */
export function keepOnCharacter(editor: Editor): Editor {
	const {buffer, vi} = editor;
	const {line, column} = buffer.cursor;
	if (vi?.mode !== 'normal' || column === 0 || column < lineAt(buffer, line).length) return editor;
	return {...editor, buffer: {...buffer, cursor: previousGrapheme(buffer)}};
}

/** Keys abbreviating a longer command. */
const aliases: Readonly<Record<string, string>> = {
	...{x: 'dl', X: 'dh', D: 'd$', C: 'c$', s: 'cl', S: 'cc', Y: 'yy', ' ': 'l'},
};

const unfinished = /^(?:[1-9]\d*)?(?:[dcy](?:[1-9]\d*)?)?[gfFtTr]?$/;
const complete = /^([1-9]\d*)?(?:([dcy])([1-9]\d*)?)?(gg|[fFtTr].|.)$/su;
const find = /^[fFtT]/;

/** A larger count is a slip, and pasting that often would hang. */
const maxTimes = 10_000;

/** Handles a normal-mode key. */
export function pressVi(editor: ViEditor, key: string): ViEditor {
	const keys = editor.vi.pending + key;
	if (unfinished.test(keys)) return {...editor, vi: {...editor.vi, pending: keys}};
	return runKeys({...editor, vi: {...editor.vi, pending: ''}}, keys);
}

/** Runs a whole command; an unknown one does nothing. */
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
	i: (editor) => insertAt(editor, editor.buffer.cursor),
	a: (editor) => insertAt(editor, afterCursor(editor)),
	I: (editor) => insertAt(editor, firstNonBlank(editor.buffer)),
	A: (editor) => insertAt(editor, lineEnd(editor.buffer)),
	o: (editor) => openLine(editor, lineEnd),
	O: (editor) => insertAt(openLine(editor, lineStart), editor.buffer.cursor),
	p: (editor, times) => put(editor, times, true),
	P: (editor, times) => put(editor, times, false),
	r: replace,
	'.': (editor, times) => repeat(editor, times, repeatChange),
};

function move(editor: ViEditor, times: number, name: string): ViEditor {
	const target = follow(editor, name, times);
	return target === undefined ? editor : goTo(editor, target);
}

/** Returns a motion's target; undefined if there is none. */
function follow(editor: ViEditor, name: string, times: number): BufferPosition | undefined {
	const {buffer} = editor;
	const motion = motionOf(editor, name);
	let position = motion && buffer.cursor;
	for (let step = 0; step < times && position !== undefined; step += 1) {
		position = motion?.(buffer, position);
	}
	return position;
}

function motionOf({vi}: ViEditor, name: string): ViMotion | undefined {
	if (name === ';') return vi.find === '' ? undefined : findMotion(vi.find, true);
	return find.test(name) ? findMotion(name, false) : motions[name];
}

function operate(operator: string): Command {
	return (editor, times, name) => {
		const {buffer} = editor;
		const from = buffer.cursor;
		const isOnWord = operator === 'c' && /\S/.test(lineAt(buffer, from.line).charAt(from.column));
		const wordEnd = isOnWord ? {w: 'e', W: 'E'}[name] : undefined;
		const isLine = name === operator;
		const motion = isLine ? 'j' : (wordEnd ?? name);
		const target = follow(editor, motion, isLine ? times - 1 : times);
		if (target === undefined) return editor;
		const [start, end] = isBefore(target, from) ? [target, from] : [from, target];
		return lineMotion.test(motion)
			? takeLines(editor, operator, lineStart(buffer, start), lineEnd(buffer, end))
			: takeText(editor, operator, start, endOf(editor, motion, start, end));
	};
}

/**
 * Returns where a motion's text ends: after its last character, or before a line entered by `w`.
 */
function endOf(
	{buffer, vi}: ViEditor,
	motion: string,
	start: BufferPosition,
	end: BufferPosition,
): BufferPosition {
	if (inclusiveMotion.test(motion === ';' ? vi.find : motion)) return nextGrapheme(buffer, end);
	if (!/^[wW]$/.test(motion)) return end;
	let {line, column} = end;
	while (line > start.line && !/\S/.test(lineAt(buffer, line).slice(0, column))) {
		line -= 1;
		column = lineAt(buffer, line).length;
	}
	return {line, column};
}

function takeText(
	editor: ViEditor,
	operator: string,
	start: BufferPosition,
	end: BufferPosition,
): ViEditor {
	const kept = addKill(editor, textUpTo(moveTo(editor.buffer, start), end));
	if (operator === 'y') return goTo(kept, start);
	const deleted = deleteBetween(kept, start, end);
	return operator === 'c' ? insertAt(deleted, deleted.buffer.cursor) : deleted;
}

/** Killing whole lines includes a line end. */
function takeLines(
	editor: ViEditor,
	operator: string,
	start: BufferPosition,
	end: BufferPosition,
): ViEditor {
	const {buffer} = editor;
	const cut = textUpTo(moveTo(buffer, start), end);
	const kept = addKill(editor, {...cut, lines: [...cut.lines, '']});
	if (operator === 'y') return kept;
	if (operator === 'c') return insertAt(deleteBetween(kept, start, end), start);
	const isLast = end.line === buffer.lines.length - 1;
	const deleted = isLast
		? deleteBetween(kept, previousGrapheme(buffer, start), end)
		: deleteBetween(kept, start, {line: end.line + 1, column: 0});
	return goTo(deleted, firstNonBlank(deleted.buffer));
}

function insertAt(editor: ViEditor, position: BufferPosition): ViEditor {
	const moved = goTo(editor, position);
	return {...moved, vi: {...moved.vi, mode: 'insert', insertFrom: moved.buffer.cursor}};
}

/** Adds a line at the start or the end of this one. */
function openLine(editor: ViEditor, motion: Motion): ViEditor {
	const added = changeText(goTo(editor, motion(editor.buffer)), insertNewline);
	return insertAt(added, added.buffer.cursor);
}

function put(editor: ViEditor, times: number, isAfter: boolean): ViEditor {
	const {buffer, kills} = editor;
	const [kill] = kills;
	if (kill === undefined) return editor;
	const hasLines = kill.lines.length > 1 && kill.lines.at(-1) === '';
	const lines = hasLines && isAfter ? ['', ...kill.lines.slice(0, -1)] : kill.lines;
	const beside = isAfter ? afterCursor(editor) : buffer.cursor;
	const place = hasLines ? (isAfter ? lineEnd : lineStart)(buffer) : beside;
	const insert = (current: EditorBuffer) => insertBuffer(current, {...kill, lines});
	const added = changeText(goTo(editor, place), (current) => repeat(current, times, insert));
	if (!hasLines) return goTo(added, previousGrapheme(added.buffer));
	const line = isAfter ? place.line + 1 : place.line;
	return goTo(added, firstNonBlank(added.buffer, {line, column: 0}));
}

function replace(editor: ViEditor, times: number, name: string): ViEditor {
	const end = follow(editor, 'l', times);
	if (end === undefined) return editor;
	const text = name.slice(1).repeat(times);
	const replaced = changeText(editor, (buffer) => insertTyped(deleteTo(buffer, end), text));
	return goTo(replaced, previousGrapheme(replaced.buffer));
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

function deleteBetween(editor: ViEditor, start: BufferPosition, end: BufferPosition): ViEditor {
	return changeText(editor, (buffer) => deleteTo(moveTo(buffer, start), end));
}

function goTo(editor: ViEditor, position: BufferPosition): ViEditor {
	return changeText(editor, (buffer) => moveTo(buffer, position));
}

/** The position after the character under the cursor. */
function afterCursor(editor: ViEditor): BufferPosition {
	return follow(editor, 'l', 1) ?? editor.buffer.cursor;
}
