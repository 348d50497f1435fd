/** `/image`, `/file` and `/detach`: the attachments of the next prompt. */
import type {Attachment} from '../chat/prompt.ts';
import {print, type Update, update} from './action.ts';
import type {Completion} from './menu/menu.ts';
import {printOrShow, showNotice} from './popup.ts';
import type {ReplState} from './state.ts';

export function nameAttachment({type, name}: Attachment): string {
	return `[${type} ${name}]`;
}

const maxNames = 5;

/** Names the first of them, and counts the rest. */
export function nameAttachments(attachments: readonly Attachment[]): string {
	const names = attachments.slice(0, maxNames).map(nameAttachment).join(' ');
	const rest = attachments.length - maxNames;
	return rest > 0 ? `${names} and ${rest} more` : names;
}

/** Adds an attachment; it replaces one of the same name. */
export function withAttachment(
	attachments: readonly Attachment[],
	added: Attachment,
): readonly Attachment[] {
	const isSame = ({type, name}: Attachment) => type === added.type && name === added.name;
	return [...attachments.filter((attachment) => !isSame(attachment)), added];
}

/** Reads a file or an image; without a source, lists the attachments. */
export function attach(state: ReplState, kind: 'file' | 'image', source: string): Update {
	if (source === '') return listAttachments(state);
	return update({...state, loading: state.loading + 1}, {type: 'attach', kind, source});
}

function listAttachments(state: ReplState): Update {
	if (state.attachments.length === 0) return showNotice(state, nothing);
	const rows = state.attachments.map(
		(attachment, index) => [String(index + 1), nameAttachment(attachment)] as const,
	);
	return printOrShow(state, {type: 'table', rows: [...rows, ['', '/detach [n] removes one']]});
}

/** Removes the last attachment, or the one with a number. */
export function detach(state: ReplState, argument: string): Update {
	const {attachments} = state;
	if (attachments.length === 0) return showNotice(state, nothing);
	const index = argument === '' ? attachments.length - 1 : Number(argument) - 1;
	const removed = /^\d*$/.test(argument) ? attachments[index] : undefined;
	if (removed === undefined) {
		return showNotice(state, `/detach needs a number from 1 to ${attachments.length}`);
	}
	const text = `detached ${nameAttachment(removed)}`;
	return update(
		{...state, attachments: attachments.toSpliced(index, 1)},
		print({type: 'notice', text}),
	);
}

export function completeAttachment(query: string, {attachments}: ReplState): Completion {
	const values = attachments.map((attachment, index) => ({
		text: String(index + 1),
		meaning: nameAttachment(attachment),
	}));
	return {query, values};
}

/** Removes all attachments, and names them until the next key. */
export function detachAll(state: ReplState): Update {
	const {attachments} = state;
	if (attachments.length === 0) return update(state);
	return showNotice({...state, attachments: []}, `detached ${nameAttachments(attachments)}`);
}

const nothing = 'nothing is attached';
