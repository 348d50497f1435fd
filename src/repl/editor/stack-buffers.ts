/** One text above another, as when a prompt comes back while the next is being written. */
import {type EditorBuffer, isEmpty, moveTo} from './buffer.ts';
import {splitAtChips} from './chip.ts';
import {insertNewline, insertPaste, insertText} from './edit.ts';

/** Long pastes stay folded, and the cursor stays where the lower text has it, if there is one. */
export function stackBuffers(upper: EditorBuffer, lower: EditorBuffer): EditorBuffer {
	const end = moveTo(upper, {line: upper.lines.length - 1, column: Number.POSITIVE_INFINITY});
	if (isEmpty(lower)) return end;
	const pieces = splitAtChips(lower.lines.join('\n'), lower.chips);
	const stacked = pieces.reduce(
		(buffer, piece) =>
			typeof piece === 'string' ? insertText(buffer, piece) : insertPaste(buffer, piece.text),
		insertNewline(end),
	);
	const {line, column} = lower.cursor;
	return moveTo(stacked, {line: upper.lines.length + line, column});
}
