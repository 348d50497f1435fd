/** A failure and a notice as lines for stderr. */
import type {Notice} from '../chat/event.ts';
import {type ChatError, describeError} from '../errors.ts';
import type {Redact} from '../redact.ts';
import {joinSafe, type SafeText, safe, stripToLine, stripUnsafe} from '../terminal/safe-text.ts';

/** How a message is told. */
export type MessageOptions = {
	readonly redact: Redact;
	/** Whether a bug comes with its stack. */
	readonly isVerbose: boolean;
};

/** One to three lines: what failed, with the service's words; the next step. */
export function formatError(error: ChatError, {redact, isVerbose}: MessageOptions): SafeText {
	const {lines, hint} = describeError(error);
	const [first = '', ...rest] = lines.map(redact);
	const all = [stripToLine(`chat: ${first}`), ...rest.map(indent)];
	if (hint !== undefined) all.push(indent(redact(hint)));
	if (isVerbose && error.kind === 'bug') all.push(stripUnsafe(redact(stackOf(error))));
	return joinSafe(...all.map((line) => safe`${line}\n`));
}

export function formatNotice({code, message}: Notice, redact: Redact): SafeText {
	return code === 'trace' ? safe`${stripToLine(redact(message))}\n` : formatRemark(message, redact);
}

export function formatRemark(text: string, redact: Redact): SafeText {
	return safe`chat: ${stripToLine(redact(text))}\n`;
}

function indent(text: string): SafeText {
	return safe`      ${stripToLine(text)}`;
}

function stackOf(error: ChatError): string {
	const origin = error.cause instanceof Error ? error.cause : error;
	return origin.stack ?? '';
}
