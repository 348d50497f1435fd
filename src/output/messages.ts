/** A failure and a notice as lines for stderr. */
import type {Notice} from '../chat/event.ts';
import {type ChatError, describeError} from '../errors.ts';
import type {Redact} from '../redact.ts';
import {
	joinSafe,
	redactSafe,
	type SafeText,
	safe,
	stripToLine,
	stripUnsafe,
} from '../terminal/safe-text.ts';
import type {FinishedTurn} from './turn-writer.ts';

/** How a message is told. */
export type MessageOptions = {
	readonly redact: Redact;
	/** Whether a bug comes with its stack. */
	readonly isVerbose: boolean;
};

/** One to three lines: what failed, with the service's words; the next step. */
export function formatError(error: ChatError, {redact, isVerbose}: MessageOptions): SafeText {
	const {lines, hint} = describeError(error);
	const indent = (line: string) => safe`      ${redactSafe(stripToLine(line), redact)}`;
	const [first = '', ...rest] = lines;
	const all = [redactSafe(stripToLine(`chat: ${first}`), redact), ...rest.map(indent)];
	if (hint !== undefined) all.push(indent(hint));
	if (isVerbose && error.kind === 'bug') all.push(redactSafe(stripUnsafe(stackOf(error)), redact));
	return joinSafe(...all.map((line) => safe`${line}\n`));
}

/** Said under `-q` and beside JSON too: the run would mislead, or exit non-zero without a reason. */
export const vitalNotices: ReadonlySet<Notice['code']> = new Set([
	'built-in-service',
	'trace',
	'length',
	'content-filter',
	'tool-limit',
	'tool-denied',
]);

/**
 * Why there is no answer; empty if nothing failed and nothing was refused.
 *
 * @param isAnswerShown whether a person has read the words of a refusal elsewhere
 */
export function formatFailure(
	{result, dataError}: FinishedTurn,
	options: MessageOptions,
	isAnswerShown = false,
): SafeText {
	const error = result.error ?? dataError;
	if (error !== undefined) return formatError(error, options);
	if (result.refusal === '') return safe``;
	const words = isAnswerShown ? ' to answer' : `: ${result.refusal}`;
	return formatLine(`the model refused${words}`, options.redact);
}

export function formatNotice({code, message}: Notice, redact: Redact): SafeText {
	if (code !== 'trace') return formatLine(message, redact);
	return safe`${redactSafe(stripToLine(message), redact)}\n`;
}

export function formatLine(text: string, redact: Redact): SafeText {
	return safe`chat: ${redactSafe(stripToLine(text), redact)}\n`;
}

function stackOf(error: ChatError): string {
	const origin = error.cause instanceof Error ? error.cause : error;
	return origin.stack ?? '';
}
