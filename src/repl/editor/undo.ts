/** A text with its undo history, in groups of changes. */
import type {EditorBuffer} from './buffer.ts';

export type EditedText = {
	readonly buffer: EditorBuffer;
	/** The text before each group, oldest first. */
	readonly past: readonly EditorBuffer[];
	/** The texts that were undone, the next one last. */
	readonly future: readonly EditorBuffer[];
	/** The kind of the change that the last key made; undefined after a movement. */
	readonly lastChange: string | undefined;
};

const maximumGroups = 200;

export function editedText(buffer: EditorBuffer): EditedText {
	return {buffer, past: [], future: [], lastChange: undefined};
}

/**
 * Changes the text, or moves the cursor.
 *
 * @param kind a change of the same kind right before makes one group with it; without one, the change
 * is a group of its own
 */
export function changeText<Text extends EditedText>(
	text: Text,
	change: (buffer: EditorBuffer) => EditorBuffer,
	kind?: string,
): Text {
	const buffer = change(text.buffer);
	if (isSameText(buffer, text.buffer)) return {...text, buffer, lastChange: undefined};
	const isJoined = kind !== undefined && kind === text.lastChange;
	const past = isJoined ? text.past : [...text.past, text.buffer].slice(-maximumGroups);
	return {...text, buffer, past, future: [], lastChange: kind};
}

/** Undoes the last group; returns the same text if there is none. */
export function undo<Text extends EditedText>(text: Text): Text {
	const buffer = text.past.at(-1);
	if (buffer === undefined) return text;
	const future = [...text.future, text.buffer];
	return {...text, buffer, past: text.past.slice(0, -1), future, lastChange: undefined};
}

/** Redoes the last undone group; returns the same text if there is none. */
export function redo<Text extends EditedText>(text: Text): Text {
	const buffer = text.future.at(-1);
	if (buffer === undefined) return text;
	const past = [...text.past, text.buffer];
	return {...text, buffer, past, future: text.future.slice(0, -1), lastChange: undefined};
}

function isSameText({lines}: EditorBuffer, {lines: others}: EditorBuffer): boolean {
	return lines.length === others.length && lines.every((line, index) => line === others[index]);
}
