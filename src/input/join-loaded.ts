/** Joins what was loaded for one prompt. */
import type {Notice} from '../chat/event.ts';
import type {Attachment} from '../chat/prompt.ts';
import {formatSize, plural} from '../wording.ts';
import type {LoadedAttachments} from './load-media.ts';

const largeBytes = 256 * 1024;

/**
 * Adds a notice for more than 256 KiB, which cost time and tokens. Images have one of their own.
 *
 * @param piped the text that was piped in
 */
export function joinLoaded(loaded: readonly LoadedAttachments[], piped = ''): LoadedAttachments {
	const attachments = loaded.flatMap((item) => item.attachments);
	const notices = loaded.flatMap((item) => item.notices);
	return {attachments, notices: [...notices, ...describeSize(attachments, piped)]};
}

function describeSize(attachments: readonly Attachment[], piped: string): readonly Notice[] {
	const sizes = attachments.map(sizeOf).filter((size) => size > 0);
	const pipedBytes = Buffer.byteLength(piped);
	const total = sizes.reduce((sum, size) => sum + size, pipedBytes);
	if (total <= largeBytes) return [];
	const sources = [
		...(sizes.length > 0 ? [plural(sizes.length, 'file')] : []),
		...(pipedBytes > 0 ? ['piped text'] : []),
	].join(' and ');
	return [{code: 'files-large', message: `${sources}, ${formatSize(total)} in total`}];
}

/** In bytes; 0 for an image. */
function sizeOf(attachment: Attachment): number {
	if (attachment.type === 'file') return Buffer.byteLength(attachment.text);
	const {part} = attachment;
	if (part.type === 'image') return 0;
	const {length} = part.type === 'audio' ? part.data : part.url;
	return (length * 3) / 4;
}
