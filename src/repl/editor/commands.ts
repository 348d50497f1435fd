/** The editing commands that need nothing but the buffer, by the names used in the key table. */
import {type BufferPosition, type EditorBuffer, moveTo} from './buffer.ts';
import {deleteTo, insertNewline} from './edit.ts';
import {
	lineEnd,
	lineEndOrNext,
	lineStart,
	lineStartOrPrevious,
	nextGrapheme,
	nextWord,
	previousGrapheme,
	previousWhitespaceWord,
	previousWord,
} from './motion.ts';

export type EditorCommand = keyof typeof editorCommands;

type Target = (buffer: EditorBuffer) => BufferPosition;

export const editorCommands = {
	'insert-newline': insertNewline,
	'move-left': moveBy(previousGrapheme),
	'move-right': moveBy(nextGrapheme),
	'move-word-left': moveBy(previousWord),
	'move-word-right': moveBy(nextWord),
	'move-line-start': moveBy(lineStart),
	'move-line-end': moveBy(lineEnd),
	'delete-left': deleteBy(previousGrapheme),
	'delete-right': deleteBy(nextGrapheme),
	'delete-word-left': deleteBy(previousWord),
	'delete-word-right': deleteBy(nextWord),
	'delete-whitespace-word-left': deleteBy(previousWhitespaceWord),
	'delete-line-start': deleteBy(lineStartOrPrevious),
	'delete-line-end': deleteBy(lineEndOrNext),
} as const satisfies Record<string, (buffer: EditorBuffer) => EditorBuffer>;

function moveBy(target: Target) {
	return (buffer: EditorBuffer): EditorBuffer => moveTo(buffer, target(buffer));
}

function deleteBy(target: Target) {
	return (buffer: EditorBuffer): EditorBuffer => deleteTo(buffer, target(buffer));
}
