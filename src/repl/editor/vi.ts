/** The keys of vi, as another table over the same editor. */
import {nextBoundary} from '../../terminal/width.ts';
import {type BufferPosition, type EditorBuffer, isBefore, lineAt, moveTo} from './buffer.ts';
import {addKill} from './change-editor.ts';
import {deleteTo, insertBuffer, insertText, textUpTo} from './edit.ts';
import type {Editor} from './history.ts';
import {previousGrapheme} from './motion.ts';
import {changeText, redo, undo} from './undo.ts';
import {findMotion, firstNonBlank, lineEnd, lineStart, type Motion, motions} from './vi-motions.ts';
import type {ViState} from './vi-state.ts';

/** The editor with vi's keys. */
export type ViEditor = Editor & {readonly vi: ViState};

export function isVi(editor: Editor): editor is ViEditor {
	return editor.vi !== undefined;
}

/** Ends inserting, or drops an unfinished command. */
export function leaveInsert(editor: ViEditor): ViEditor {
	const {vi, buffer} = editor;
	const left = {...vi, mode: 'normal', pending: ''} as const;
	if (vi.mode === 'normal') return {...editor, vi: left};
	const inserted = isBefore(vi.insertFrom, buffer.cursor)
		? textUpTo(buffer, vi.insertFrom)
		: undefined;
	const change = {...vi.change, inserted};
	const position = buffer.cursor.column === 0 ? buffer.cursor : previousGrapheme(buffer);
	return {
		...editor,
		buffer: moveTo(buffer, position),
		lastChange: undefined,
		vi: {...left, change},
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

/** Handles a key of normal mode. */
export function pressVi(editor: ViEditor, key: string): ViEditor {
	const keys = editor.vi.pending + key;
	if (unfinished.test(keys)) return {...editor, vi: {...editor.vi, pending: keys}};
	return runKeys({...editor, vi: {...editor.vi, pending: ''}}, keys);
}

/** Runs a whole command; one that does not exist does nothing. */
function runKeys(editor: ViEditor, keys: string): ViEditor {
	const [, count, operator, inner, name = ''] = complete.exec(keys) ?? [];
	const times = Number(count ?? 1) * Number(inner ?? 1);
	const alias = operator === undefined ? aliases[name] : undefined;
	if (alias !== undefined) return runKeys(editor, `${count ?? ''}${alias}`);
	if (operator !== undefined) return operate(editor, {keys, operator, name, times});
	const command = commands[name[0] ?? ''];
	if (command !== undefined) return command(editor, keys, times);
	const target = goTimes(editor, name, times);
	if (target === undefined) return editor;
	return remember(goTo(editor, target.at), name);
}

/** Commands besides motions and operators, by their first key. */
const commands: Readonly<
	Record<string, (editor: ViEditor, keys: string, times: number) => ViEditor>
> = {
	u: (editor, _, times) => repeat(editor, times, undo),
	'\u0012': (editor, _, times) => repeat(editor, times, redo),
	i: (editor, keys) => insertAt(editor, keys, offsetOf(editor.buffer)),
	a: (editor, keys) => insertAt(editor, keys, stepRight(editor)),
	I: (editor, keys) => insertAt(editor, keys, at(editor, firstNonBlank)),
	A: (editor, keys) => insertAt(editor, keys, at(editor, lineEnd)),
	o: (editor, keys) => openLine(editor, keys, at(editor, lineEnd), 1),
	O: (editor, keys) => openLine(editor, keys, at(editor, lineStart), 0),
	p: (editor, keys, times) => put(editor, keys, times, true),
	P: (editor, keys, times) => put(editor, keys, times, false),
	r: replace,
	'.': (editor, _, times) => repeat(editor, times, repeatChange),
};

function operate(
	editor: ViEditor,
	command: {
		readonly keys: string;
		readonly operator: string;
		readonly name: string;
		readonly times: number;
	},
): ViEditor {
	const {keys, operator, name, times} = command;
	const text = textOf(editor);
	const from = offsetOf(editor.buffer);
	const isWholeLine = name === operator;
	const onWord = operator === 'c' && /^[wW]$/.test(name) && /\S/.test(text.charAt(from));
	const motionName = isWholeLine ? 'j' : onWord ? (name === 'w' ? 'e' : 'E') : name;
	const target = goTimes(editor, motionName, isWholeLine ? times - 1 : times);
	if (target === undefined) return editor;
	const [start, end] = target.at < from ? [target.at, from] : [from, target.at];
	const taken =
		target.motion.kind === 'lines'
			? {start: lineStart(text, start), end: lineEnd(text, end), hasLines: true}
			: {start, end: endOf(text, end, target.motion, name), hasLines: false};
	return remember(applyOperator(editor, operator, taken, keys), name);
}

/** Returns where the text of a motion ends: after its last character, or before a line that `w` enters. */
function endOf(text: string, end: number, {kind}: Motion, name: string): number {
	if (kind === 'inclusive') return nextBoundary(text, end);
	if (!/^[wW]$/.test(name)) return end;
	return end - (/\n\s*$/.exec(text.slice(0, end))?.[0].length ?? 0);
}

type Taken = {readonly start: number; readonly end: number; readonly hasLines: boolean};

function applyOperator(
	editor: ViEditor,
	operator: string,
	{start, end, hasLines}: Taken,
	keys: string,
): ViEditor {
	const text = textOf(editor);
	const atStart = moveTo(editor.buffer, positionOf(text, start));
	const cut = textUpTo(atStart, positionOf(text, end));
	// Whole lines end with a line end.
	const kept = addKill(editor, hasLines ? {...cut, lines: [...cut.lines, '']} : cut);
	if (operator === 'y') return hasLines ? kept : {...kept, buffer: atStart};
	const isLast = end === text.length;
	const [first, last] =
		hasLines && operator === 'd'
			? [isLast ? Math.max(0, start - 1) : start, isLast ? end : end + 1]
			: [start, end];
	const remove = () => {
		const from = moveTo(editor.buffer, positionOf(text, first));
		return deleteTo(from, positionOf(text, last));
	};
	const deleted = markChange(changeText(kept, remove), keys);
	if (operator === 'c') return insertAt(deleted, keys, offsetOf(deleted.buffer));
	return hasLines ? goTo(deleted, at(deleted, firstNonBlank)) : deleted;
}

function goTimes(
	editor: ViEditor,
	name: string,
	times: number,
): {readonly at: number; readonly motion: Motion} | undefined {
	const motion = motionOf(editor, name);
	if (motion === undefined) return undefined;
	const text = textOf(editor);
	let place: number | undefined = offsetOf(editor.buffer);
	for (let step = 0; step < times && place !== undefined; step += 1) place = motion.go(text, place);
	return place === undefined ? undefined : {at: place, motion};
}

function motionOf({vi}: ViEditor, name: string): Motion | undefined {
	if (/^[fFtT]./u.test(name)) return findMotion(name);
	return name === ';' && vi.find !== '' ? findMotion(vi.find, true) : motions[name];
}

/** Keeps a search for `;`. */
function remember(editor: ViEditor, name: string): ViEditor {
	return /^[fFtT]./u.test(name) ? {...editor, vi: {...editor.vi, find: name}} : editor;
}

function markChange(editor: ViEditor, keys: string): ViEditor {
	return {...editor, vi: {...editor.vi, change: {keys, inserted: undefined}}};
}

function insertAt(editor: ViEditor, keys: string, offset: number): ViEditor {
	const moved = markChange(goTo(editor, offset), keys);
	return {...moved, vi: {...moved.vi, mode: 'insert', insertFrom: moved.buffer.cursor}};
}

function openLine(editor: ViEditor, keys: string, offset: number, step: 0 | 1): ViEditor {
	const opened = changeText(goTo(editor, offset), (buffer) => insertText(buffer, '\n'));
	return insertAt(opened, keys, offset + step);
}

function put(editor: ViEditor, keys: string, times: number, isAfter: boolean): ViEditor {
	const [kill] = editor.kills;
	if (kill === undefined) return editor;
	const hasLines = kill.lines.length > 1 && kill.lines.at(-1) === '';
	const insert = (buffer: EditorBuffer) =>
		repeat(buffer, times, (each) => insertBuffer(each, kill));
	if (!hasLines) {
		const from = goTo(editor, isAfter ? stepRight(editor) : offsetOf(editor.buffer));
		return markChange(keepOnLast(changeText(from, insert)), keys);
	}
	const line = editor.buffer.cursor.line + (isAfter ? 1 : 0);
	const lines = changeText(editor, (buffer) => {
		const isBelow = line === buffer.lines.length;
		if (!isBelow) return insert(moveTo(buffer, {line, column: 0}));
		const end = moveTo(buffer, {line: line - 1, column: Number.POSITIVE_INFINITY});
		const added = insert(insertText(end, '\n'));
		return deleteTo(added, previousGrapheme(added));
	});
	const first = moveTo(lines.buffer, {line, column: 0});
	const shown = {...lines, buffer: first};
	return markChange(goTo(shown, at(shown, firstNonBlank)), keys);
}

function keepOnLast(editor: ViEditor): ViEditor {
	return {...editor, buffer: moveTo(editor.buffer, previousGrapheme(editor.buffer))};
}

function replace(editor: ViEditor, keys: string, times: number): ViEditor {
	const character = [...keys].at(-1) ?? '';
	const target = goTimes(editor, 'l', times);
	if (target === undefined) return editor;
	const end = positionOf(textOf(editor), target.at);
	const replaced = changeText(editor, (buffer) =>
		insertText(deleteTo(buffer, end), character.repeat(times)),
	);
	return markChange(keepOnLast(replaced), keys);
}

function repeatChange(editor: ViEditor): ViEditor {
	const {change} = editor.vi;
	const again = runKeys(editor, change.keys);
	if (again.vi.mode === 'normal') return again;
	const {inserted} = change;
	if (inserted === undefined) return leaveInsert(again);
	const text = changeText(again, (buffer) => insertBuffer(buffer, inserted));
	return leaveInsert(text);
}

function repeat<Value>(value: Value, times: number, step: (value: Value) => Value): Value {
	let current = value;
	for (let index = 0; index < times; index += 1) current = step(current);
	return current;
}

function goTo(editor: ViEditor, offset: number): ViEditor {
	return changeText(editor, (buffer) => moveTo(buffer, positionOf(textOf(editor), offset)));
}

/** Applies a motion of the cursor's line. */
function at(editor: ViEditor, find: (text: string, at: number) => number): number {
	return find(textOf(editor), offsetOf(editor.buffer));
}

/** The offset after the character under the cursor. */
function stepRight(editor: ViEditor): number {
	return goTimes(editor, 'l', 1)?.at ?? offsetOf(editor.buffer);
}

function textOf({buffer}: Editor): string {
	return buffer.lines.join('\n');
}

function offsetOf({lines, cursor}: EditorBuffer): number {
	const above = lines.slice(0, cursor.line);
	return above.reduce((sum, line) => sum + line.length + 1, cursor.column);
}

function positionOf(text: string, offset: number): BufferPosition {
	const above = text.slice(0, offset).split('\n');
	return {line: above.length - 1, column: above.at(-1)?.length ?? 0};
}
