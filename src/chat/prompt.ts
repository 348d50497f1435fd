/** A prompt as plain data, and the message sent for it. */
import type {MediaPart, UserMessage} from './message.ts';

/** A text file, or media, sent with a prompt. */
export type Attachment =
	| {readonly type: 'file'; readonly name: string; readonly text: string}
	| {readonly type: MediaPart['type']; readonly name: string; readonly part: MediaPart};

/** A text with its attachments, as written and as sent. */
export type Prompt = {
	/** The written or piped text, without attachments. */
	readonly text: string;
	/**
	 * Long pastes, piped text and chips within the text, in order; undefined for text from
	 * elsewhere than the editor or a pipe.
	 */
	readonly folds?: readonly Fold[] | undefined;
	readonly attachments: readonly Attachment[];
	/** Offsets of typed signs: `@` for attached files, `/` for a command. A sent prompt has none. */
	readonly signs?: readonly number[] | undefined;
};

/** A prompt as typed: mentions and a template call are signs. */
export type Typed = Omit<Prompt, 'attachments'>;

/** A text range shown as a label. */
export type Fold = {
	readonly from: number;
	readonly to: number;
	readonly label: string;
	/** Indices of the attachments behind a chip. */
	readonly attachments?: readonly number[] | undefined;
};

/**
 * Returns the user message: files, then the text (instructions work best at the end), then all
 * other parts. Drops one line end at the end of a file. Parts alone need no text.
 */
export function promptMessage({text, attachments}: Prompt): UserMessage {
	const files = attachments.flatMap((file) => (file.type === 'file' ? [wrapFile(file)] : []));
	const media = attachments.flatMap((other) => (other.type === 'file' ? [] : [other.part]));
	const whole = joinPieces([files.join('\n'), text]);
	const isTextSent = whole !== '' || media.length === 0;
	return {role: 'user', parts: isTextSent ? [{type: 'text', text: whole}, ...media] : media};
}

/**
 * Joins piped and written text. White space alone counts as nothing; one line end after piped text
 * is dropped.
 */
export function joinPrompt(piped: string, written: string): string {
	return joinPieces([
		hasContent(piped) ? dropLineEnd(piped) : '',
		hasContent(written) ? written : '',
	]);
}

/** Joins texts by an empty line; an empty text counts as nothing. */
export function joinPieces(pieces: readonly string[]): string {
	return pieces.filter((piece) => piece !== '').join('\n\n');
}

/** Whether a text holds more than white space. */
export function hasContent(text: string): boolean {
	return /\S/.test(text);
}

function wrapFile({name, text}: Extract<Attachment, {type: 'file'}>): string {
	return `<file name="${escapeName(name)}">\n${dropLineEnd(text)}\n</file>`;
}

function escapeName(name: string): string {
	return name.replace(/[&"<>\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function dropLineEnd(text: string): string {
	return text.replace(/\r?\n$/, '');
}
