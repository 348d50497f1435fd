/**
 * The answer as text on stdout, everything else on stderr. To a pipe the exact text goes out as it
 * comes; to a terminal the same text made safe.
 */
import type {ChatEvent, ChatEventBatch, Notice} from '../chat/event.ts';
import type {ToolCall} from '../chat/message.ts';
import {
	createStreamSanitizer,
	hasUnsafe,
	type SafeText,
	safe,
	stripUnsafe,
} from '../terminal/safe-text.ts';
import {formatError, formatNotice} from './error-lines.ts';
import {toJsonLine} from './json-shape.ts';
import {createReasoningText} from './reasoning-text.ts';
import type {Sink} from './sink.ts';
import type {CreateTurnWriter, FinishedTurn} from './turn-writer.ts';
import {formatUsage} from './usage-line.ts';

export const createTextWriter: CreateTurnWriter = (options, {stdout, stderr}) => {
	const isWhole = options.part.type === 'all';
	const isReasoningShown =
		options.reasoning === 'show' ||
		(options.reasoning === 'auto' && stdout.isTerminal && stderr.isTerminal);
	const reasoning = createReasoningText(stderr.isTerminal);
	const answer = createAnswerText(stdout, stderr.isTerminal);
	/** Remarks that come while the answer is being written wait for its end. */
	const deferred: Notice[] = [];
	let isShown = false;

	const writeNotice = async (notice: Notice) => {
		const isWanted = !options.isQuiet || alwaysShown.has(notice.code);
		if (isWanted) await stderr.write(formatNotice(notice, options.redact));
	};

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
		// It must not go on in the line of an answer that it interrupts.
		if (stdout.isTerminal) await answer.end();
		await stderr.write(reasoning.push(text));
	};

	const writeEvent = async (event: ChatEvent) => {
		if (event.type === 'reasoning-delta') await writeReasoning(event.text);
		else if (event.type === 'text-delta') await writeText(event.text);
		else if (event.type !== 'notice') return;
		else if (isShown) deferred.push(event.notice);
		else await writeNotice(event.notice);
	};

	const writeRemarks = async ({result, dataError}: FinishedTurn) => {
		for (const notice of deferred) await writeNotice(notice);
		if (answer.hasControls && !options.isQuiet) await stderr.write(controlNote);
		if (options.isUsageShown) await stderr.write(formatUsage(result));
		const error = result.error ?? dataError;
		if (error === undefined) return;
		await stderr.write(formatError(error, options));
	};

	return {
		async write(batch) {
			for (const event of joinTexts(batch)) await writeEvent(event);
		},
		async end(turn) {
			const {result, selected} = turn;
			await stderr.write(reasoning.end());
			if (selected === undefined) await stderr.write(endLine(stripUnsafe(result.content)));
			else if (!isWhole) await answer.write(selected);
			await answer.end();
			await answer.write(result.toolCalls.map(formatCall).join(''));
			await writeRemarks(turn);
		},
	};
};

/** All answer text of a batch goes out in one write, where the first of it stands. */
function joinTexts(batch: ChatEventBatch): ChatEventBatch {
	const events: ChatEvent[] = [];
	let text = '';
	let place: number | undefined;
	for (const event of batch) {
		if (event.type === 'text-delta') {
			text += event.text;
			place ??= events.push(event) - 1;
		} else {
			events.push(event);
		}
	}
	if (place !== undefined) events[place] = {type: 'text-delta', text};
	return events;
}

/** The answer on its way to stdout: exact for a pipe, safe for a terminal. */
function createAnswerText(stdout: Sink, isControlNoted: boolean) {
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
		/** One line end if there is none. */
		async end() {
			if (stdout.isTerminal) await writeSafe(sanitizer.end());
			if (isLineEnded) return;
			isLineEnded = true;
			await stdout.write(safe`\n`);
		},
		/** The pipe got control characters, and somebody at a terminal may want to know. */
		get hasControls() {
			return hasControls;
		},
	};
}

/** These are no remarks: without them the run would mislead. */
const alwaysShown: ReadonlySet<Notice['code']> = new Set(['embedded-service', 'trace']);

const controlNote = safe`chat: the answer holds control characters; they went out as they are\n`;

/** A call is its name and its arguments, one a line, whatever the model put into them. */
function formatCall({name, arguments: text}: ToolCall): string {
	return `${toJsonLine(name).slice(1, -2)} ${compactJson(text)}`;
}

function compactJson(text: string): string {
	try {
		return toJsonLine(JSON.parse(text));
	} catch {
		return toJsonLine(text);
	}
}

function endLine(text: SafeText): SafeText {
	return text === '' || text.endsWith('\n') ? text : safe`${text}\n`;
}
