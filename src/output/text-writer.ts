/**
 * Writes the answer as text on stdout, everything else on stderr. A pipe gets the exact text as it
 * comes, a terminal the same text made safe.
 */
import type {ChatEvent} from '../chat/event.ts';
import type {ToolCall} from '../chat/message.ts';
import {linesOfSources} from '../chat/source.ts';
import {
	createStreamSanitizer,
	hasUnsafe,
	type SafeText,
	safe,
	stripUnsafe,
} from '../terminal/safe-text.ts';
import {createStderrReporter, describeResult, formatCall, type ReportEvent} from './messages.ts';
import type {StdoutWriter} from './streams.ts';
import {endLine, unansweredCalls} from './turn-result.ts';
import type {CreateTurnWriter} from './turn-writer.ts';

export const createTextWriter: CreateTurnWriter = (options, {stdout, stderr}) => {
	const isWhole = options.part.type === 'all';
	const isReasoningShown =
		options.reasoning === 'show' ||
		(options.reasoning === 'auto' && stdout.isTerminal && stderr.isTerminal);
	const reasoning = createReasoningText(stderr.isTerminal);
	const answer = createAnswerText(stdout, stderr.isTerminal);
	const reporter = createStderrReporter(options, stderr);
	const calls = new Map<string, ToolCall>();
	/** Some of the step has been shown, and its last line may be open. */
	let isShown = false;

	const writeText = async (text: string) => {
		if (text === '') return;
		isShown = true;
		if (!isWhole) return;
		await stderr.write(reasoning.end());
		await answer.write(text);
	};

	const writeReasoning = async (text: string) => {
		if (!isReasoningShown) return;
		isShown = true;
		// Reasoning after text starts a new line.
		if (stdout.isTerminal) await answer.end();
		await stderr.write(reasoning.push(text));
	};

	/** Ends the line, so that the next step starts a new one. */
	const endStep = async () => {
		await answer.end();
		await stderr.write(reasoning.end());
	};

	const reportResult = async (event: Extract<ChatEvent, {type: 'tool-result'}>) => {
		const call = calls.get(event.callId);
		if (call === undefined) return;
		await endStep();
		await reporter.writeLine(describeResult(call, event));
	};

	const report = async (event: ReportEvent) => {
		if (isShown) {
			reporter.defer(event);
			return;
		}
		await endStep();
		await reporter.write(event);
	};

	const writeEvent = async (event: ChatEvent): Promise<unknown> => {
		switch (event.type) {
			case 'step-start':
				return await endStep();
			case 'reasoning-delta':
				return await writeReasoning(event.text);
			case 'text-delta':
				return await writeText(event.text);
			case 'tool-call':
				return calls.set(event.call.callId, event.call);
			case 'step-end':
				isShown = false;
				return;
			case 'tool-result':
				return await reportResult(event);
			case 'answer-rejected':
				if (!event.isFinal) await reporter.writeLine(`the answer ${event.problem}; retrying`);
				return;
			case 'notice':
			case 'trace':
				return await report(event);
			// Reported at the end, or not at all.
			case 'reasoning-end':
			case 'continuation':
			case 'refusal-delta':
			case 'tool-call-start':
			case 'tool-call-delta':
			case 'tool-decision':
			case 'answer-unwrapped':
			case 'quotations-checked':
			case 'turn-end':
			case 'error':
				return;
			default:
				return event satisfies never;
		}
	};

	return {
		async write(batch) {
			for (const event of batch) await writeEvent(event);
		},
		async end(turn) {
			const {result, selected} = turn;
			await stderr.write(reasoning.end());
			if (selected === undefined) await stderr.write(stripUnsafe(endLine(result.answer)));
			else if (!isWhole) await answer.write(selected);
			await answer.end();
			if (stdout.isTerminal && isWhole) {
				await answer.write(linesOfSources(result.sources).map(endLine).join(''));
			}
			await answer.write(unansweredCalls(result).map(formatCall).join(''));
			if (answer.hasControls && !options.isQuiet) await stderr.writeWords(controlNote);
			await reporter.end(turn);
		},
	};
};

/**
 * Makes reasoning safe for stderr, on a terminal with a bar before each line, so that it is not
 * mistaken for the answer.
 */
function createReasoningText(hasBar: boolean) {
	const sanitizer = createStreamSanitizer();
	let isLineStart = true;
	let isEmpty = true;

	const addBars = (text: SafeText): SafeText => {
		if (text === '') return text;
		isEmpty = false;
		const isStart = isLineStart;
		isLineStart = text.endsWith('\n');
		if (!hasBar) return text;
		const marked = text.replace(/\n(?=.)/gs, '\n│ ');
		// Safe text with bars is safe.
		return stripUnsafe(isStart ? `│ ${marked}` : marked);
	};

	return {
		push: (text: string) => addBars(sanitizer.push(text)),
		/** Ends the last line, and on a terminal adds an empty one. */
		end(): SafeText {
			const rest = addBars(sanitizer.end());
			if (isEmpty) return rest;
			isEmpty = true;
			const lineEnd = isLineStart ? safe`` : safe`\n`;
			isLineStart = true;
			return hasBar ? safe`${rest}${lineEnd}\n` : safe`${rest}${lineEnd}`;
		},
	};
}

/** Writes the answer to stdout: exact for a pipe, safe for a terminal. */
function createAnswerText(stdout: StdoutWriter, isControlNoted: boolean) {
	const sanitizer = createStreamSanitizer();
	let isLineEnded = true;
	let hasControls = false;
	const writeSafe = async (text: SafeText) => {
		if (text !== '') isLineEnded = text.endsWith('\n');
		await stdout.write(text);
	};
	return {
		async write(text: string) {
			if (stdout.isTerminal) {
				await writeSafe(sanitizer.push(text));
			} else if (text !== '') {
				isLineEnded = text.endsWith('\n');
				hasControls ||= isControlNoted && hasUnsafe(text);
				await stdout.writeExact(text);
			}
		},
		/** Ends the last line if it is open. */
		async end() {
			if (stdout.isTerminal) await writeSafe(sanitizer.end());
			if (isLineEnded) return;
			isLineEnded = true;
			await stdout.write(safe`\n`);
		},
		/** Whether the pipe got control characters, which a person at stderr may want to know. */
		get hasControls() {
			return hasControls;
		},
	};
}

const controlNote = safe`chat: the answer contains control characters, which were written unchanged\n`;
