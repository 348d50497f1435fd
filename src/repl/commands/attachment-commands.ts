/** `/image`, `/file` and `/detach`: the next prompt's attachments. */

import type {Attachment} from '../../chat/prompt.ts';
import {replHint} from '../../hint.ts';
import {print, printNotice, type Update, update} from '../action.ts';
import {moveTo} from '../editor/buffer.ts';
import {changeText, pasteText} from '../editor/change-editor.ts';
import {cleanText, insertChip, replaceByChip} from '../editor/edit.ts';
import {hasRoom} from '../editor/paste-placeholder.ts';
import {textOfBuffer} from '../editor/prompt-text.ts';
import {type Completion, completePath} from '../list/menu.ts';
import {printOrShow, showNotice} from '../popup.ts';
import type {Loaded} from '../services.ts';
import {type ReplState, tableOf} from '../state.ts';
import {startTask} from '../task.ts';
import type {SlashCommand} from './command.ts';

export const attachmentCommands: readonly SlashCommand[] = [
	{
		name: 'image',
		group: 'attach',
		parameters: '[path|url]',
		summary: 'attach an image, or list attachments',
		isBasic: true,
		complete: completePath,
		run: (state, argument) => attach(state, 'image', argument),
	},
	{
		name: 'file',
		group: 'attach',
		aliases: ['attach'],
		parameters: '[path]',
		summary: 'attach a file, folder or glob, or list attachments',
		isBasic: true,
		complete: completePath,
		run: (state, argument) => attach(state, 'file', argument),
	},
	{
		name: 'detach',
		group: 'attach',
		parameters: '[n]',
		summary: 'remove the last attachment, or attachment n',
		complete: completeAttachment,
		run: detach,
	},
];

export function nameAttachment({type, name}: Attachment): string {
	return `[${type} ${name}]`;
}

const maxNames = 5;

/** Names the first one, counting the rest. */
export function nameAttachments(attachments: readonly Attachment[]): string {
	const names = attachments.slice(0, maxNames).map(nameAttachment).join(' ');
	const rest = attachments.length - maxNames;
	return rest > 0 ? `${names} and ${rest} more` : names;
}

/** Adds an attachment, replacing one with the same name. */
export function withAttachment(
	attachments: readonly Attachment[],
	added: Attachment,
): readonly Attachment[] {
	const isSame = isSameAs(added);
	return [...attachments.filter((attachment) => !isSame(attachment)), added];
}

/** Adds an attachment unless the name is taken. */
export function withNew(
	attachments: readonly Attachment[],
	added: Attachment,
): readonly Attachment[] {
	return attachments.some(isSameAs(added)) ? attachments : [...attachments, added];
}

export function isSameAs({type, name}: Attachment): (other: Attachment) => boolean {
	return (other) => other.type === type && other.name === name;
}

/** Reads a file or an image; without a source, lists the attachments. */
function attach(state: ReplState, kind: 'file' | 'image', source: string): Update {
	if (source === '') return listAttachments(state);
	return startTask(state, {
		name: 'attach',
		run: ({load}) => load(kind, source),
		done: addLoaded,
		fail: (current, error) => update(current, print({type: 'error', error})),
	});
}

/** Attaches what a command has read. */
export function addLoaded(state: ReplState, {attachments: added, notices}: Loaded): Update {
	const attachments = added.reduce(withAttachment, state.attachments);
	const texts = [...notices, `attached ${nameAttachments(added)}`];
	return update({...state, attachments}, ...texts.map(printNotice));
}

function listAttachments(state: ReplState): Update {
	if (state.attachments.length === 0) return showNotice(state, nothing);
	const rows = state.attachments.map(
		(attachment, index) => [String(index + 1), nameAttachment(attachment)] as const,
	);
	return printOrShow(state, tableOf([...rows, ['', '/detach [n] removes one']]));
}

/** Removes the last attachment, or the one with a number. */
function detach(state: ReplState, argument: string): Update {
	const {attachments} = state;
	if (attachments.length === 0) return showNotice(state, nothing);
	const index = argument === '' ? attachments.length - 1 : Number(argument) - 1;
	const removed = /^\d*$/.test(argument) ? attachments[index] : undefined;
	if (removed === undefined) {
		return showNotice(state, `/detach needs a number from 1 to ${attachments.length}`);
	}
	const text = `detached ${nameAttachment(removed)}`;
	return update({...state, attachments: attachments.toSpliced(index, 1)}, printNotice(text));
}

function completeAttachment(query: string, {attachments}: ReplState): Completion {
	const values = attachments.map((attachment, index) => ({
		text: String(index + 1),
		meaning: nameAttachment(attachment),
	}));
	return {query, values};
}

/** Removes the last attachment, and shows its name until the next key. */
export function detachLast(state: ReplState): Update {
	const {attachments} = state;
	const names = nameAttachments(attachments.slice(-1));
	return showNotice({...state, attachments: attachments.slice(0, -1)}, `detached ${names}`);
}

/** Turns the attachments above the draft into chips, so the history gets them too. */
export function withAllChips(state: ReplState): ReplState {
	const {attachments, editor} = state;
	const start = moveTo(editor.buffer, {line: 0, column: 0});
	const each = attachments.reduce((draft, attachment) => insertChip(draft, [attachment]), start);
	const hasAll = textOfBuffer(each).attachments.length >= attachments.length;
	const buffer = hasAll ? each : insertChip(start, attachments);
	return {...state, editor: {...editor, buffer}, attachments: []};
}

/** Whether a paste can be what a terminal inserts for a dropped file. */
export function isDropped(text: string): boolean {
	const path = /^['"]?(?:~?\/|file:\/\/\/|[a-z]:\\)[\p{L}\p{N}._][^\n\r]*$/iu;
	return text.length < 4096 && path.test(text);
}

/** Reads pasted paths as files. */
export function readDropped(state: ReplState, text: string): Update {
	return startTask(state, {
		name: 'read-dropped',
		run: ({loadDropped}) => loadDropped(text),
		done: (current, loaded) =>
			loaded === undefined ? update(current) : attachDropped(current, text, loaded),
		fail: (current) => update(current),
	});
}

/** Pastes the clipboard: an image as a chip, a text as any other paste. */
export function pasteClipboard(state: ReplState): Update {
	return startTask(state, {
		name: 'attach',
		run: ({loadClipboard}) => loadClipboard(),
		done: (current, loaded) =>
			'text' in loaded
				? update({...current, editor: pasteText(current.editor, loaded.text)})
				: insertLoaded(current, loaded),
		fail(current, {message, details: {hint}}) {
			const next = hint === undefined ? '' : `. ${replHint(hint)}`;
			return showNotice(current, message + next);
		},
	});
}

function insertLoaded(state: ReplState, {attachments, notices}: Loaded): Update {
	if (!hasRoom(state.editor.buffer)) {
		return showNotice(state, 'not attached: the draft is full of chips');
	}
	const editor = changeText(state.editor, (buffer) => insertChip(buffer, attachments));
	return update({...state, editor}, ...notices.map(printNotice));
}

/** Replaces a pasted path with a chip. Undo brings the path back. */
export function attachDropped(
	state: ReplState,
	text: string,
	{attachments, notices}: Loaded,
): Update {
	if (!hasRoom(state.editor.buffer)) {
		return showNotice(
			state,
			`not attached: the draft is full of chips; /file ${text.trim()} attaches`,
		);
	}
	const pasted = cleanText(text);
	const editor = changeText(state.editor, (buffer) => replaceByChip(buffer, pasted, attachments));
	const attached = {...state, editor};
	// A path copied for discussion would send a whole file.
	const hasText = attachments.some(({type}) => type === 'file');
	const {state: shown} = hasText
		? showNotice(attached, 'the file is attached', 'Ctrl-_ makes it a path again')
		: update(attached);
	return update(shown, ...notices.map(printNotice));
}

const nothing = 'nothing is attached';
