/**
 * The user's message from its pieces: files, then piped text, then the prompt itself, which as an
 * instruction works best at the end; images after the text.
 */
import type {ImagePart, UserMessage} from '../chat/message.ts';
import type {TextFile} from './load-file.ts';

export type PromptPieces = {
	readonly files: readonly TextFile[];
	/** What is asked in words. */
	readonly text: string;
	readonly images: readonly ImagePart[];
};

/** Undefined if there is nothing to send. One line end at the end of a file is dropped. */
export function buildPrompt({files, text, images}: PromptPieces): UserMessage | undefined {
	const whole = joinPieces([files.map(wrapFile).join('\n'), text]);
	const parts = whole === '' ? images : [{type: 'text' as const, text: whole}, ...images];
	return parts.length === 0 ? undefined : {role: 'user', parts};
}

/**
 * What was piped in, and then what was written; white space alone is nothing, and one line end at
 * the end of piped text is dropped.
 */
export function textOfPrompt(piped: string, written: string): string {
	return joinPieces([
		hasContent(piped) ? dropLineEnd(piped) : '',
		hasContent(written) ? written : '',
	]);
}

function joinPieces(pieces: readonly string[]): string {
	return pieces.filter((piece) => piece !== '').join('\n\n');
}

/** Whether a text asks for anything: more than white space. */
export function hasContent(text: string): boolean {
	return /\S/.test(text);
}

function wrapFile({name, text}: TextFile): string {
	return `<file name="${escapeName(name)}">\n${dropLineEnd(text)}\n</file>`;
}

const escapes: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'"': '&quot;',
	'<': '&lt;',
	'>': '&gt;',
	'\n': '&#10;',
	'\r': '&#13;',
};

function escapeName(name: string): string {
	return name.replace(/[&"<>\n\r]/g, (character) => escapes[character] ?? character);
}

function dropLineEnd(text: string): string {
	return text.replace(/\r?\n$/, '');
}
