/** Describes the images, files and recordings of a message; an address or an id is never fetched. */
import {createHash} from 'node:crypto';
import {type Attachment, attachmentsOf} from '../request/request.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';
import {plural} from './text.ts';

const maxDescribed = 50;
const wordPattern = /\b(?:images?|pictures?|photos?|screenshots?|files?|recordings?|audio)\b/i;

export function describeAttachments(prompt: Prompt): Answer | undefined {
	const {attachments} = prompt;
	const all = attachments.length > 0 ? attachments : findEarlier(prompt);
	if (all.length === 0) return undefined;
	const described = all.slice(0, maxDescribed).map(describe);
	const lines = described.map((description, index) =>
		described.length === 1 ? description : `${index + 1}. ${description}`,
	);
	if (all.length > described.length) lines.push(`And ${all.length - described.length} more.`);
	return {
		text: lines.join('\n'),
		essence: described[0] ?? '',
		reasons: [`The message has ${plural(all.length, 'attachment')}.`],
	};
}

/** The attachments of the latest message that had any, if the prompt speaks of them. */
function findEarlier({question, earlier}: Prompt): readonly Attachment[] {
	if (!wordPattern.test(question)) return [];
	return earlier.map(attachmentsOf).findLast((found) => found.length > 0) ?? [];
}

/** `Image: PNG, 64 x 48 pixels, 156 bytes, fingerprint …` */
function describe({kind, description, bytes}: Attachment): string {
	const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
	if (bytes === undefined) return `${name}: ${description}, which is not fetched`;
	const fingerprint = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
	return `${name}: ${description}, ${plural(bytes.length, 'byte')}, fingerprint ${fingerprint}`;
}
