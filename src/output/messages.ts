/** Everything that is said beside the answer: failures, notices, usage, and tool calls as text. */
import {lineOfQuotation, passes, sumOfQuotations} from '../chat/checked-quotation.ts';
import type {ChatEvent, Notice} from '../chat/event.ts';
import type {ToolCall} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {outputText} from '../chat/tool-output.ts';
import {formatCost} from '../cost.ts';
import {type ChatError, describeError, hintOf} from '../errors.ts';
import {lineHint} from '../hint.ts';
import {escapeForJson, parseJson, toJsonLine} from '../json.ts';
import type {Redact} from '../redact.ts';
import {
	joinSafe,
	redactSafe,
	type SafeText,
	safe,
	stripToLine,
	stripUnsafe,
} from '../terminal/safe-text.ts';
import {shorten} from '../wording.ts';
import type {StderrWriter} from './streams.ts';
import type {FinishedTurn, WriterOptions} from './turn-writer.ts';

export type MessageOptions = {
	readonly redact: Redact;
	/** Adds the stack to a bug. */
	readonly isVerbose: boolean;
};

/**
 * Returns one to three lines: what failed, with the service's words; the next step.
 */
export function formatError(error: ChatError, {redact, isVerbose}: MessageOptions): SafeText {
	const indent = (line: string) => safe`      ${redactSafe(stripToLine(line), redact)}`;
	const [first = '', ...rest] = describeError(error);
	const all = [redactSafe(stripToLine(`chat: ${first}`), redact), ...rest.map(indent)];
	const hint = hintOf(error);
	if (hint !== undefined) all.push(indent(lineHint(hint)));
	if (isVerbose && error.kind === 'bug') all.push(redactSafe(stripUnsafe(stackOf(error)), redact));
	return joinSafe(...all.map((line) => safe`${line}\n`));
}

function stackOf(error: ChatError): string {
	const origin = error.cause instanceof Error ? error.cause : error;
	return origin.stack ?? '';
}

/**
 * Says why there is no answer; empty if nothing failed and nothing was refused.
 *
 * @param isAnswerShown whether the words of a refusal have been shown already
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

/** Printed even with `-q` and for JSON: the run would mislead, or fail without a reason. */
const vitalNotices: ReadonlySet<Notice['code']> = new Set([
	'built-in-service',
	'model-fallback',
	'length',
	'content-filter',
	'tool-limit',
	'tool-denied',
	'elicitation-declined',
]);

/** An event that is printed on stderr as it is. */
export type ReportEvent = Extract<ChatEvent, {type: 'notice' | 'trace'}>;

export function isReportEvent(event: ChatEvent): event is ReportEvent {
	return event.type === 'notice' || event.type === 'trace';
}

/** @param isQuiet leaves out notices that are not vital */
export function formatReport(
	event: ReportEvent,
	{redact, isQuiet}: {readonly redact: Redact; readonly isQuiet: boolean},
): SafeText {
	if (event.type === 'trace') return formatTrace(event.message, redact);
	const {code, message} = event.notice;
	return isQuiet && !vitalNotices.has(code) ? safe`` : formatLine(message, redact);
}

export function formatTrace(message: string, redact: Redact): SafeText {
	return safe`${redactSafe(stripToLine(message), redact)}\n`;
}

export function formatLine(text: string, redact: Redact): SafeText {
	return safe`chat: ${redactSafe(stripToLine(text), redact)}\n`;
}

/** Reports on stderr while an answer is written as text. */
export function createStderrReporter(options: WriterOptions, stderr: StderrWriter) {
	const deferred: ReportEvent[] = [];
	const write = async (event: ReportEvent) => {
		await stderr.writeWords(formatReport(event, options));
	};
	return {
		write,
		async writeLine(text: string) {
			if (!options.isQuiet) await stderr.writeWords(formatLine(text, options.redact));
		},
		/** Keeps an event for the end, so that it does not interrupt an answer. */
		defer: (event: ReportEvent) => void deferred.push(event),
		/** Writes the deferred events, the usage, and the failure if there is one. */
		async end(turn: FinishedTurn, isAnswerShown?: boolean) {
			for (const event of deferred) await write(event);
			// A run that made no request has used nothing.
			if (options.isUsageShown && turn.result.attempts > 0) {
				await stderr.writeWords(formatUsage(turn));
			}
			if (!isAnswerShown) await stderr.writeWords(formatQuotations(turn, options));
			await stderr.writeWords(formatFailure(turn, options, isAnswerShown));
		},
	};
}

/** The checked quotations, a line each, and their sum; only the false ones with `-q`. */
function formatQuotations({result}: FinishedTurn, {isQuiet, redact}: WriterOptions): SafeText {
	const {quotations = []} = result;
	const shown = quotations.filter((quotation) => !isQuiet || !passes(quotation));
	if (shown.length === 0) return safe``;
	const lines = shown.map((each) => redactSafe(stripToLine(lineOfQuotation(each)), redact));
	return joinSafe(
		...lines.map((line) => safe`${line}\n`),
		formatLine(sumOfQuotations(quotations), redact),
	);
}

/** Tokens, cost and time of a turn; only counts that the service reported. */
function formatUsage({result, cost}: FinishedTurn): SafeText {
	const {totalUsage: usage, steps, firstTokenMs, totalMs} = result;
	const counts = [
		[usage?.promptTokens, 'tokens in'],
		[usage?.completionTokens, 'out'],
		[usage?.reasoningTokens, 'of them reasoning'],
		[usage?.totalTokens, 'total'],
	].flatMap(([count, unit]) => (count === undefined ? [] : `${count} ${unit}`));
	const parts = counts.length === 0 ? ['no token counts reported'] : counts;
	if (cost !== undefined) {
		parts.push(`about ${formatCost(cost.usd)} at the prices of ${cost.pricesOf}`);
	}
	if (steps > 1) parts.push(`${steps} requests`);
	if (firstTokenMs !== null) parts.push(`first token after ${seconds(firstTokenMs)}`);
	parts.push(`${seconds(totalMs)} total`);
	return stripUnsafe(`chat: ${parts.join(', ')}\n`);
}

function seconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** Returns the name and the arguments of a call on one line, whatever the model put into them. */
export function formatCall({name, arguments: text}: ToolCall): string {
	const value = parseJson(text);
	return `${escapeForJson(name)} ${toJsonLine(value === undefined ? text : value)}`;
}

const shownLength = 200;

/** Reports to a person that a tool ran; its output is for the model. */
export function describeResult(call: ToolCall, {parts, isError}: ToolOutput): string {
	const shown = shorten(formatCall(call).trimEnd(), shownLength);
	const first = outputText({parts}).split('\n', 1)[0] ?? '';
	return isError ? `tool ${shown} failed: ${first.slice(0, shownLength)}` : `tool ${shown} ran`;
}
