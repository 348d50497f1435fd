/**
 * The two primitive buffer changes: inserting at the cursor, and deleting between the cursor and
 * another position.
 */
import type {Attachment} from '../../chat/prompt.ts';
import {dropControls} from '../../terminal/control-sequences.ts';
import {
	type BufferPosition,
	type EditorBuffer,
	emptyBuffer,
	isBefore,
	isEmpty,
	lineAt,
	moveTo,
	moveToEnd,
} from './buffer.ts';
import {
	createChip,
	foldPaste,
	hasRoom,
	isMention,
	markOf,
	marks,
	type PastePlaceholder,
	splitAtPastes,
} from './paste-placeholder.ts';
import {showSigns, signs, typeSigns} from './signs.ts';

/** Returns a buffer with this text and the cursor at its end. */
export function createBuffer(text: string): EditorBuffer {
	return insertText(emptyBuffer, text);
}

/** Inserts typed text: its signs attach files and call commands. */
export function insertTyped(buffer: EditorBuffer, text: string): EditorBuffer {
	const {line, column} = buffer.cursor;
	const before = lineAt(buffer, line).slice(0, column);
	return insertClean(buffer, typeSigns(cleanText(text), before, line === 0));
}

/** Makes signs in the word before the cursor, as if it were typed. */
export function typeWord(buffer: EditorBuffer): EditorBuffer {
	const {line, column} = buffer.cursor;
	const text = lineAt(buffer, line);
	const word = /(?:@"[^"]*|\S+)$/.exec(text.slice(0, column));
	if (word === null) return buffer;
	const typed = typeSigns(word[0], text.slice(0, word.index), line === 0);
	const changed = text.slice(0, word.index) + typed + text.slice(column);
	return {...buffer, lines: buffer.lines.with(line, changed)};
}

/** Inserts text before the cursor. Line ends become `\n`; other control characters are dropped. */
export function insertText(buffer: EditorBuffer, text: string): EditorBuffer {
	return insertClean(buffer, cleanText(text));
}

export function insertNewline(buffer: EditorBuffer): EditorBuffer {
	return insertClean(buffer, '\n');
}

/** Inserts text in one change; more than 10 lines or 2,000 characters are folded. */
export function insertPaste(buffer: EditorBuffer, text: string): EditorBuffer {
	const clean = cleanText(text);
	const paste = hasRoom(buffer) ? foldPaste(clean, buffer.pastes) : undefined;
	return paste === undefined ? insertClean(buffer, clean) : insertFolded(buffer, paste);
}

/** Inserts pasted text. In an empty editor it can be a command; it attaches no file. */
export function insertPasted(buffer: EditorBuffer, text: string): EditorBuffer {
	return isEmpty(buffer) && text.startsWith('/')
		? insertPaste(insertTyped(buffer, '/'), text.slice(1))
		: insertPaste(buffer, text);
}

/** Inserts attachments as a chip; returns the same buffer if it has no room for one. */
export function insertChip(buffer: EditorBuffer, attachments: readonly Attachment[]): EditorBuffer {
	const chip = createChip(attachments, buffer.pastes);
	return hasRoom(buffer) && chip !== undefined ? insertFolded(buffer, chip) : buffer;
}

/** Replaces a text by a chip, if the text is still there and there is room for a chip. */
export function replaceByChip(
	buffer: EditorBuffer,
	text: string,
	attachments: readonly Attachment[],
): EditorBuffer {
	const line = buffer.lines.findLastIndex((candidate) => showSigns(candidate).includes(text));
	if (line === -1 || !hasRoom(buffer)) return buffer;
	const column = showSigns(lineAt(buffer, line)).lastIndexOf(text);
	const end = column + text.length;
	const {cursor} = buffer;
	const deleted = deleteTo(moveTo(buffer, {line, column: end}), {line, column});
	const chipped = insertChip(deleted, attachments);
	const isAfter = cursor.line === line && cursor.column >= end;
	const moved = {line, column: cursor.column - end + chipped.cursor.column};
	return moveTo(chipped, isAfter ? moved : cursor);
}

/** Inserts buffer text with its signs, a long paste or a chip. */
export function insertPiece(buffer: EditorBuffer, piece: string | PastePlaceholder): EditorBuffer {
	if (typeof piece === 'string') return insertClean(buffer, piece);
	const {text, attachments} = piece;
	if (attachments === undefined) return insertPaste(buffer, text);
	const chip = isMention(piece) ? piece : createChip(attachments, buffer.pastes);
	return hasRoom(buffer) && chip !== undefined
		? insertFolded(buffer, chip)
		: insertText(buffer, text);
}

function insertFolded(buffer: EditorBuffer, folded: PastePlaceholder): EditorBuffer {
	const pastes = [...buffer.pastes, folded];
	return insertClean({...buffer, pastes}, markOf(buffer.pastes.length));
}

/** Deletes the text between the cursor and a position on either side. */
export function deleteTo(buffer: EditorBuffer, position: BufferPosition): EditorBuffer {
	const [from, to] = inOrder(buffer.cursor, position);
	if (from.line === to.line && from.column === to.column) return moveTo(buffer, from);
	const before = lineAt(buffer, from.line).slice(0, from.column);
	const after = lineAt(buffer, to.line).slice(to.column);
	const lines = [
		...buffer.lines.slice(0, from.line),
		before + after,
		...buffer.lines.slice(to.line + 1),
	];
	return moveTo({...buffer, lines}, from);
}

/** Returns the text between the cursor and a position on either side, with its pastes. */
export function textUpTo(buffer: EditorBuffer, position: BufferPosition): EditorBuffer {
	const [from, to] = inOrder(buffer.cursor, position);
	const lines = buffer.lines.slice(from.line, to.line + 1);
	lines[lines.length - 1] = lineAt(buffer, to.line).slice(0, to.column);
	lines[0] = lines[0]?.slice(from.column) ?? '';
	return {...emptyBuffer, lines, pastes: buffer.pastes};
}

/** Inserts another text before the cursor; its pastes stay folded. */
export function insertBuffer(buffer: EditorBuffer, other: EditorBuffer): EditorBuffer {
	const pieces = splitAtPastes(other.lines.join('\n'), other.pastes);
	return pieces.reduce<EditorBuffer>(insertPiece, buffer);
}

/** Replaces a `\` at the end of the cursor's line with a new line; `undefined` without one. */
export function continueLine(buffer: EditorBuffer): EditorBuffer | undefined {
	const {line, column} = buffer.cursor;
	const text = lineAt(buffer, line);
	if (column !== text.length || !text.endsWith('\\')) return undefined;
	return insertNewline(deleteTo(buffer, {line, column: column - 1}));
}

/** Puts one text above another. Pastes stay folded; the cursor stays in the lower text. */
export function prependBuffer(upper: EditorBuffer, lower: EditorBuffer): EditorBuffer {
	if (isEmpty(upper)) return lower;
	const end = moveToEnd(upper);
	if (isEmpty(lower)) return end;
	const joined = insertBuffer(insertNewline(end), lower);
	const {line, column} = lower.cursor;
	return moveTo(joined, {line: upper.lines.length + line, column});
}

function insertClean(buffer: EditorBuffer, text: string): EditorBuffer {
	const {line, column} = buffer.cursor;
	const old = lineAt(buffer, line);
	const inserted = `${old.slice(0, column)}${text}`.split('\n');
	const last = inserted.length - 1;
	const lastLine = inserted[last] ?? '';
	inserted[last] = lastLine + old.slice(column);
	const lines = [...buffer.lines.slice(0, line), ...inserted, ...buffer.lines.slice(line + 1)];
	return moveTo({...buffer, lines}, {line: line + last, column: lastLine.length});
}

function inOrder(
	first: BufferPosition,
	second: BufferPosition,
): readonly [BufferPosition, BufferPosition] {
	return isBefore(second, first) ? [second, first] : [first, second];
}

/**
 * Normalizes outside text for the editor: line ends as `
 * `, no other control characters.
 */
export function cleanText(text: string): string {
	return dropControls(text)
		.replace(marks, '')
		.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Cleans a text with signs, which stay. */
export function cleanTyped(text: string): string {
	const found = text.match(signs) ?? [];
	const parts = text.split(signs).map(cleanText);
	return parts.reduce((joined, part, index) => joined + (found[index - 1] ?? '') + part, '');
}
