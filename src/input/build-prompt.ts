/**
 * The user's message from its pieces: files, then piped text, then the prompt itself, which as an
 * instruction works best at the end; images after the text.
 */
import type {ImagePart, UserMessage} from '../chat/message.ts';
import type {TextFile} from './load-file.ts';

export type PromptPieces = {
	readonly files: readonly TextFile[];
	/** What was piped in. */
	readonly stdinText: string;
	/** What was written on the command line. */
	readonly prompt: string;
	readonly images: readonly ImagePart[];
};

/**
 * Undefined if there is nothing to send. White space alone is nothing, piped or written; one line
 * end at the end of a file or of piped text is dropped.
 */
export function buildPrompt(pieces: PromptPieces): UserMessage | undefined {
	const text = [
		pieces.files.map(wrapFile).join('\n'),
		hasContent(pieces.stdinText) ? dropLineEnd(pieces.stdinText) : '',
		hasContent(pieces.prompt) ? pieces.prompt : '',
	]
		.filter((piece) => piece !== '')
		.join('\n\n');
	const parts = text === '' ? pieces.images : [{type: 'text' as const, text}, ...pieces.images];
	return parts.length === 0 ? undefined : {role: 'user', parts};
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
