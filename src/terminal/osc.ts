/** Sequences that ask the terminal to do more than show text. They go through tmux and GNU screen. */
import type {Variables} from '../environment.ts';
import {joinSafe, type SafeText, safe, stripUnsafe} from './safe-text.ts';

/** Largest text for the clipboard: many terminals drop a sequence of more than 100,000 bytes. */
export const maxClipboardBytes = 74_994;

/** Puts a text into the clipboard of the terminal, which may refuse it without a word. */
export function clipboardSequence(text: string, variables: Variables): SafeText {
	const payload = stripUnsafe(Buffer.from(text).toString('base64'));
	return createOsc(safe`52;c;${payload}`, variables);
}

/** GNU screen drops longer strings. */
const maxPieceLength = 240;

/** tmux passes it on only with `allow-passthrough`. */
function createOsc(body: SafeText, {TMUX, STY}: Variables): SafeText {
	if (TMUX) return safe`\x1bPtmux;\x1b\x1b]${body}\x07\x1b\\`;
	if (!STY) return safe`\x1b]${body}\x07`;
	const count = Math.ceil(body.length / maxPieceLength);
	const pieces = Array.from({length: count}, (_, index) => {
		const start = index * maxPieceLength;
		return safe`\x1bP${stripUnsafe(body.slice(start, start + maxPieceLength))}\x1b\\`;
	});
	return joinSafe(safe`\x1bP\x1b]\x1b\\`, ...pieces, safe`\x1bP\x07\x1b\\`);
}
