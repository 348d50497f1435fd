/**
 * Long pastes and attachments, folded to a placeholder such as `[Pasted 240 lines #1]`. In a line a
 * placeholder is one mark, an invisible character no other editor text can contain, so it is always
 * its own grapheme.
 */
import type {Attachment} from '../../chat/prompt.ts';
import {describeImageSize} from '../../image-size.ts';
import {showSigns} from './signs.ts';

export type PastePlaceholder = {
	/** Shown on the screen. */
	readonly label: string;
	/** Sent to the model. */
	readonly text: string;
	/** A chip's files, which its text refers to. */
	readonly attachments?: readonly Attachment[];
};

const maximumLines = 10;
const maximumCharacters = 2000;

// Unicode has no characters here, and ignores them. A long paste after as many others stays text.
const firstMark = 0xe0200;
const lastMark = 0xe05ff;
const maximumPastes = lastMark - firstMark + 1;

/** Matches every mark in a text. */
export const marks = /[\u{e0200}-\u{e05ff}]/gu;

const numberFormat = new Intl.NumberFormat('en-US');

/** Whether one more paste or chip can be folded. */
export function hasRoom({pastes}: {readonly pastes: readonly PastePlaceholder[]}): boolean {
	return pastes.length < maximumPastes;
}

/** Returns a paste's placeholder, or `undefined` if it is short. */
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

/** Returns the attachments' chip, or `undefined` without attachments. */
export function createChip(
	attachments: readonly Attachment[],
	pastes: readonly PastePlaceholder[],
): PastePlaceholder | undefined {
	const [first, ...others] = attachments;
	if (first === undefined) return undefined;
	const text = others.length > 0 ? `[${attachments.length} files]` : labelOf(first, pastes);
	const size = others.length > 0 ? '' : sizeOf(first);
	return {label: text.replace(/\]$/, `${size}]`), text, attachments};
}

/** Attachments are numbered per kind, so that the text can refer to one. */
function labelOf({type, name}: Attachment, pastes: readonly PastePlaceholder[]): string {
	if (type === 'file') return `[${name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')}]`;
	const known = pastes.flatMap(({attachments = []}) => attachments);
	const count = known.filter((other) => other.type === type).length;
	return numbered(kinds[type], count + 1, pastes);
}

/** Returns a label with the first unused number from `number` on. */
function numbered(name: string, number: number, pastes: readonly PastePlaceholder[]): string {
	const label = `[${name} #${number}]`;
	const isTaken = pastes.some((paste) => paste.label === label || paste.text === label);
	return isTaken ? numbered(name, number + 1, pastes) : label;
}

/** Returns ` 1280×720 84 KiB`; empty for an unknown image size. */
function sizeOf(attachment: Attachment): string {
	if (attachment.type === 'file' || attachment.part.type !== 'image') return '';
	const size = describeImageSize(attachment.part.url);
	return size === undefined ? '' : ` ${size}`;
}

/** Whether a chip is a mention, whose files were read on sending. */
export function isMention({label, text, attachments}: PastePlaceholder): boolean {
	return label.startsWith('@') && label === text && attachments !== undefined;
}

/** Returns the mark for a placeholder index. */
export function markOf(index: number): string {
	return String.fromCodePoint(firstMark + index);
}

/** Returns the placeholder marked by the grapheme. */
export function pasteOf(
	grapheme: string,
	pastes: readonly PastePlaceholder[],
): PastePlaceholder | undefined {
	return pastes[(grapheme.codePointAt(0) ?? 0) - firstMark];
}

export function expandPastes(text: string, pastes: readonly PastePlaceholder[]): string {
	return showSigns(text).replace(marks, (mark) => pasteOf(mark, pastes)?.text ?? '');
}

/** Splits a text into the placeholders and the text between them. */
export function splitAtPastes(
	text: string,
	pastes: readonly PastePlaceholder[],
): ReadonlyArray<string | PastePlaceholder> {
	return text.split(/([\u{e0200}-\u{e05ff}])/u).map((piece) => pasteOf(piece, pastes) ?? piece);
}
