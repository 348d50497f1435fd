/** The editing commands that need nothing but the buffer, by the names used in the key table. */
import {type EditorBuffer, moveTo} from './buffer.ts';
import {deleteTo, insertNewline} from './edit.ts';
import {
	lineEnd,
	lineEndOrNext,
	lineStart,
	lineStartOrPrevious,
	type Motion,
	naturalWords,
	nextGrapheme,
	previousGrapheme,
	spacedWords,
	wordBefore,
	wordEnd,
} from './motion.ts';

export type BufferCommand = keyof typeof editorCommands;

const previousWord = wordBefore(naturalWords);
const nextWord = wordEnd(naturalWords);

/** The deletions whose text can be yanked, by the position they delete to. */
export const killTargets = {
	'delete-word-left': previousWord,
	'delete-word-right': nextWord,
	'delete-whitespace-word-left': wordBefore(spacedWords),
	'delete-line-start': lineStartOrPrevious,
	'delete-line-end': lineEndOrNext,
} as const satisfies Record<string, Motion>;

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
	'delete-word-left': deleteBy(killTargets['delete-word-left']),
	'delete-word-right': deleteBy(killTargets['delete-word-right']),
	'delete-whitespace-word-left': deleteBy(killTargets['delete-whitespace-word-left']),
	'delete-line-start': deleteBy(killTargets['delete-line-start']),
	'delete-line-end': deleteBy(killTargets['delete-line-end']),
} as const satisfies Record<string, (buffer: EditorBuffer) => EditorBuffer>;

function moveBy(target: Motion) {
	return (buffer: EditorBuffer): EditorBuffer => moveTo(buffer, target(buffer));
}

function deleteBy(target: Motion) {
	return (buffer: EditorBuffer): EditorBuffer => deleteTo(buffer, target(buffer));
}
