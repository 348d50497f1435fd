/**
 * The editing commands that need nothing but the buffer, by the names that key tables use.
 */
import {type EditorBuffer, moveTo, type Position} from './buffer.ts';
import {deleteTo, insertNewline} from './edit.ts';
import {
	graphemeLeft,
	graphemeRight,
	lineEnd,
	lineEndOrBehind,
	lineStart,
	lineStartOrBefore,
} from './motion.ts';
import {spacedWordLeft, wordLeft, wordRight} from './word-motion.ts';

export type EditorCommand = keyof typeof editorCommands;

type Place = (buffer: EditorBuffer) => Position;

export const editorCommands = {
	'insert-newline': insertNewline,
	'move-left': moveBy(graphemeLeft),
	'move-right': moveBy(graphemeRight),
	'move-word-left': moveBy(wordLeft),
	'move-word-right': moveBy(wordRight),
	'move-line-start': moveBy(lineStart),
	'move-line-end': moveBy(lineEnd),
	'delete-left': deleteBy(graphemeLeft),
	'delete-right': deleteBy(graphemeRight),
	'delete-word-left': deleteBy(wordLeft),
	'delete-word-right': deleteBy(wordRight),
	'delete-spaced-word-left': deleteBy(spacedWordLeft),
	'delete-line-start': deleteBy(lineStartOrBefore),
	'delete-line-end': deleteBy(lineEndOrBehind),
} as const satisfies Record<string, (buffer: EditorBuffer) => EditorBuffer>;

function moveBy(place: Place) {
	return (buffer: EditorBuffer): EditorBuffer => moveTo(buffer, place(buffer));
}

function deleteBy(place: Place) {
	return (buffer: EditorBuffer): EditorBuffer => deleteTo(buffer, place(buffer));
}
