/**
 * Describes what came with a prompt: files, text, images and recordings. An address or an id is
 * never fetched.
 */
import {createHash} from 'node:crypto';
import {plural} from '../../wording.ts';
import type {Attachment} from '../request/request.ts';
import type {Prompt} from './prompt.ts';
import {countLines, countWords, fingerprint, quote} from './text.ts';

const maxDescribed = 50;

export function describeAttachments({
	files,
	attached,
	attachments,
	instruction,
}: Prompt): string | undefined {
	const lines = [
		...files.map(({name, text}) => `\`${name}\`: ${describeText(text)}`),
		...(attached === '' ? [] : [`Text: ${describeText(attached)}`]),
		...attachments.slice(0, maxDescribed).map(describeBytes),
	];
	if (lines.length === 0) return undefined;
	const asked = instruction === '' ? '' : `You wrote ${quote(instruction, 200)}. `;
	return `${asked}I received:\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

/** `Image: PNG, 64 x 48 pixels, 156 bytes, fingerprint …` */
function describeBytes({kind, description, bytes}: Attachment): string {
	const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
	if (bytes === undefined) return `${name}: ${description}, which is not fetched`;
	const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
	return `${name}: ${description}, ${plural(bytes.length, 'byte')}, fingerprint ${digest}`;
}

function describeText(text: string): string {
	const sizes = [
		plural(countLines(text), 'line'),
		plural(countWords(text), 'word'),
		plural(Buffer.byteLength(text), 'byte'),
	];
	const start = /^\s*([^\n\r]{1,200})/.exec(text.slice(0, 2_000))?.[1] ?? '';
	return `${sizes.join(', ')}, fingerprint ${fingerprint(text)}, beginning with ${quote(start, 80)}`;
}
