/**
 * Reasoning for stderr: made safe, and on a terminal with a bar before each line, so that it is not
 * mistaken for the answer.
 */
import {
	createStreamSanitizer,
	joinSafe,
	type SafeText,
	safe,
	stripUnsafe,
} from '../terminal/safe-text.ts';

export interface ReasoningText {
	push(text: string): SafeText;
	/** Ends the last line, and on a terminal adds an empty one; empty if there was no reasoning. */
	end(): SafeText;
}

export function createReasoningText(hasBar: boolean): ReasoningText {
	const sanitizer = createStreamSanitizer();
	let isLineStart = true;
	let isEmpty = true;

	const addBars = (text: SafeText): SafeText => {
		if (text === '') return text;
		isEmpty = false;
		const pieces: SafeText[] = [];
		for (const line of text.split(/(?<=\n)/)) {
			// Cutting safe text at line ends leaves safe text.
			const piece = stripUnsafe(line);
			pieces.push(hasBar && isLineStart ? safe`│ ${piece}` : piece);
			isLineStart = line.endsWith('\n');
		}
		return joinSafe(...pieces);
	};

	return {
		push: (text) => addBars(sanitizer.push(text)),
		end() {
			const rest = addBars(sanitizer.end());
			if (isEmpty) return rest;
			isEmpty = true;
			const lineEnd = isLineStart ? safe`` : safe`\n`;
			isLineStart = true;
			return hasBar ? safe`${rest}${lineEnd}\n` : safe`${rest}${lineEnd}`;
		},
	};
}
