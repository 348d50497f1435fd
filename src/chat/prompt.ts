/** The prompt of a turn as plain data, and the message it is sent as. */
import type {MediaPart, UserMessage} from './message.ts';

/** A text file, or a part of another kind, sent with a prompt. */
export type Attachment =
	| {readonly type: 'file'; readonly name: string; readonly text: string}
	| {readonly type: MediaPart['type']; readonly name: string; readonly part: MediaPart};

/** A text with its attachments, as it is written and as it is sent. */
export type Prompt = {
	/** The text that was written or piped in, without the attachments. */
	readonly text: string;
	/** The long pastes, the piped text and the chips in the text, in order; undefined if it was not written in the editor, and not piped in. */
	readonly folds?: readonly Fold[] | undefined;
	readonly attachments: readonly Attachment[];
	/**
	 * The offsets of the at signs that attach files, and of the slash that calls a command: those that
	 * the user typed. A prompt that was sent has none.
	 */
	readonly signs?: readonly number[] | undefined;
};

/** A prompt as it was typed: its mentions and the call of a template are signs. */
export type Typed = Omit<Prompt, 'attachments'>;

/** A part of a text that a screen shows as a label. */
export type Fold = {
	readonly from: number;
	readonly to: number;
	readonly label: string;
	/** The indices of the attachments that a chip stands for. */
	readonly attachments?: readonly number[] | undefined;
};

/**
 * Returns the user's message: files, then the text, which as an instruction works best at the end;
 * all other parts after the text. Drops one line end at the end of a file. Parts alone need no text.
 */
export function promptMessage({text, attachments}: Prompt): UserMessage {
	const files = attachments.flatMap((file) => (file.type === 'file' ? [wrapFile(file)] : []));
	const media = attachments.flatMap((other) => (other.type === 'file' ? [] : [other.part]));
	const whole = joinPieces([files.join('\n'), text]);
	const isTextSent = whole !== '' || media.length === 0;
	return {role: 'user', parts: isTextSent ? [{type: 'text', text: whole}, ...media] : media};
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
