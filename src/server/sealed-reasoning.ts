/** Reasoning in a form that clients send back unread, and that shows whether they changed it. */
import {createHash} from 'node:crypto';

const digestLength = 16;

function digest(bytes: Uint8Array): Buffer {
	return createHash('sha256').update('reasoning').update(bytes).digest().subarray(0, digestLength);
}

export function sealReasoning(text: string): string {
	const bytes = Buffer.from(text);
	return Buffer.concat([digest(bytes), bytes]).toString('base64');
}

export function isSealed(text: string): boolean {
	const bytes = Buffer.from(text, 'base64');
	const isUnchanged = bytes.toString('base64') === text;
	return (
		isUnchanged && digest(bytes.subarray(digestLength)).equals(bytes.subarray(0, digestLength))
	);
}
