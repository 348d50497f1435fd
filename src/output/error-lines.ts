/** A failure and a notice as lines for stderr. */
import type {Notice} from '../chat/event.ts';
import {type ChatError, describeError} from '../errors.ts';
import {joinSafe, type SafeText, safe, stripUnsafe} from '../terminal/safe-text.ts';

/** One to three lines: what failed, with the service's words; the next step. */
export function formatError(error: ChatError, isVerbose: boolean): SafeText {
	const {lines, hint} = describeError(error);
	const [first = '', ...rest] = lines;
	const all = [oneLine(`chat: ${first}`), ...rest.map(indent)];
	if (hint !== undefined) all.push(indent(hint));
	if (isVerbose && error.kind === 'bug') all.push(stackOf(error));
	return joinSafe(...all.map((line) => safe`${line}\n`));
}

export function formatNotice({code, message}: Notice): SafeText {
	return code === 'trace' ? safe`${oneLine(message)}\n` : safe`chat: ${oneLine(message)}\n`;
}

function indent(text: string): SafeText {
	return safe`      ${oneLine(text)}`;
}

/** Text of a server must not look like lines of ours. */
function oneLine(text: string): SafeText {
	return stripUnsafe(stripUnsafe(text).replace(/\s*\n\s*/g, ' '));
}

function stackOf(error: ChatError): SafeText {
	const origin = error.cause instanceof Error ? error.cause : error;
	return stripUnsafe(origin.stack ?? '');
}
