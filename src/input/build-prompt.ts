/**
 * Builds the user's message: files, piped text, then the prompt itself, which as an instruction
 * works best at the end; images after the text.
 */
import type {ImagePart, UserMessage} from '../chat/message.ts';
import type {TextFile} from './load-file.ts';

export type PromptPieces = {
	readonly files: readonly TextFile[];
	readonly text: string;
	readonly images: ReadonlyArray<{readonly part: ImagePart}>;
};

/** Drops one line end at the end of a file. Images alone need no text. */
export function buildPrompt({files, text, images}: PromptPieces): UserMessage {
	const whole = joinPieces([files.map(wrapFile).join('\n'), text]);
	const imageParts = images.map(({part}) => part);
	const isTextSent = whole !== '' || images.length === 0;
	return {
		role: 'user',
		parts: isTextSent ? [{type: 'text', text: whole}, ...imageParts] : imageParts,
	};
}

/**
 * Joins piped and written text. White space alone counts as nothing, and one line end at the end of
 * piped text is dropped.
 */
export function joinPrompt(piped: string, written: string): string {
	return joinPieces([
		hasContent(piped) ? dropLineEnd(piped) : '',
		hasContent(written) ? written : '',
	]);
}

function joinPieces(pieces: readonly string[]): string {
	return pieces.filter((piece) => piece !== '').join('\n\n');
}

/** Whether a text holds more than white space. */
export function hasContent(text: string): boolean {
	return /\S/.test(text);
}

function wrapFile({name, text}: TextFile): string {
	return `<file name="${escapeName(name)}">\n${dropLineEnd(text)}\n</file>`;
}

function escapeName(name: string): string {
	return name.replace(/[&"<>\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function dropLineEnd(text: string): string {
	return text.replace(/\r?\n$/, '');
}
