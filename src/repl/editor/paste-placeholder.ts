/**
 * Long pastes and attachments, folded to a placeholder such as `[Pasted 240 lines #1]`. In a line a placeholder is
 * one mark, a control character that other text in the editor cannot contain, so it is always a
 * grapheme of its own.
 */
import type {Attachment} from '../../chat/prompt.ts';
import {showSigns} from './signs.ts';

export type PastePlaceholder = {
	/** Shown on the screen. */
	readonly label: string;
	/** Sent to the model. */
	readonly text: string;
	/** The files of a chip, whose text refers to them. */
	readonly attachments?: readonly Attachment[];
};

const maximumLines = 10;
const maximumCharacters = 2000;

// The C1 controls. There are 32 of them; a thirty-third long paste is inserted as text.
const firstMark = 0x80;
const maximumPastes = 32;

const marks = /[\u0080-\u009f]/gu;

const numberFormat = new Intl.NumberFormat('en-US');

export function isRoomIn(pastes: readonly PastePlaceholder[]): boolean {
	return pastes.length < maximumPastes;
}

/** Returns the placeholder for a paste, or `undefined` if it is short. */
export function foldPaste(
	text: string,
	pastes: readonly PastePlaceholder[],
): PastePlaceholder | undefined {
	// A final line end does not start another line.
	const lineCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
	if (lineCount <= maximumLines && text.length <= maximumCharacters) return undefined;
	const size =
		lineCount > 1
			? `${numberFormat.format(lineCount)} lines`
			: `${numberFormat.format(Array.from(text).length)} characters`;
	return {label: numbered(`Pasted ${size}`, pastes.length + 1, pastes), text};
}

const kinds = {image: 'Image', document: 'Document', audio: 'Audio'} as const;

/** Returns the chip of attachments, or `undefined` if there are none. */
export function createChip(
	attachments: readonly Attachment[],
	pastes: readonly PastePlaceholder[],
): PastePlaceholder | undefined {
	const [first, ...others] = attachments;
	if (first === undefined) return undefined;
	const label = others.length > 0 ? `[${attachments.length} files]` : labelOf(first, pastes);
	return {label, text: label, attachments};
}

/** The numbers are those of all attachments of a kind, so that the text can refer to one. */
function labelOf({type, name}: Attachment, pastes: readonly PastePlaceholder[]): string {
	if (type === 'file') return `[${name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')}]`;
	const known = pastes.flatMap(({attachments = []}) => attachments);
	const count = known.filter((other) => other.type === type).length;
	return numbered(kinds[type], count + 1, pastes);
}

/** Returns a label with the first number from `number` on that no other label has. */
function numbered(name: string, number: number, pastes: readonly PastePlaceholder[]): string {
	const label = `[${name} #${number}]`;
	const isTaken = pastes.some((paste) => paste.label === label);
	return isTaken ? numbered(name, number + 1, pastes) : label;
}

/** Whether a chip is a mention, whose files were read when it was sent. */
export function isMention({label, text, attachments}: PastePlaceholder): boolean {
	return label.startsWith('@') && label === text && attachments !== undefined;
}

/** Returns a text with the marks that its placeholders have in another list. */
export function markAgain(
	text: string,
	from: readonly PastePlaceholder[],
	to: readonly PastePlaceholder[],
): string {
	return text.replace(marks, (mark) => {
		const paste = pasteOf(mark, from);
		return paste === undefined ? mark : markOf(to.indexOf(paste));
	});
}

/** Returns the mark of the placeholder with an index. */
export function markOf(index: number): string {
	return String.fromCharCode(firstMark + index);
}

/** Returns the placeholder whose mark the grapheme is. */
export function pasteOf(
	grapheme: string,
	pastes: readonly PastePlaceholder[],
): PastePlaceholder | undefined {
	const code = grapheme.charCodeAt(0);
	return code >= firstMark && code < firstMark + maximumPastes
		? pastes[code - firstMark]
		: undefined;
}

export function expandPastes(text: string, pastes: readonly PastePlaceholder[]): string {
	return showSigns(text).replace(marks, (mark) => pasteOf(mark, pastes)?.text ?? '');
}

/** Splits a text into the placeholders and the text between them. */
export function splitAtPastes(
	text: string,
	pastes: readonly PastePlaceholder[],
): ReadonlyArray<string | PastePlaceholder> {
	return text.split(/([\u0080-\u009f])/u).map((piece) => pasteOf(piece, pastes) ?? piece);
}
