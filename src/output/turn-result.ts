/** Collects a turn into one value, for the JSON output and the exit code. */
import {type CheckedQuotation, passes} from '../chat/checked-quotation.ts';
import type {ChatEvent, Continuation, CutCause, Notice} from '../chat/event.ts';
import type {ToolCall} from '../chat/message.ts';
import type {Source} from '../chat/source.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {type ChatError, type ExitCode, exitCodeOf} from '../errors.ts';
import {type FinishReason, isCutReason} from '../finish-reason.ts';
import type {JsonObject} from '../json.ts';
import {sumUsage, type Usage} from '../usage.ts';

export type TurnResult = {
	readonly id: string;
	readonly model: string | null;
	readonly created: number | null;
	/** The text of all steps, each on lines of its own. */
	readonly content: string;
	/** The text of the last step. */
	readonly answer: string;
	/** The model's reason for not answering in the last step; empty if it answered. */
	readonly refusal: string;
	readonly reasoning: string;
	/** The calls of all steps. */
	readonly toolCalls: readonly CallRecord[];
	readonly finishReason: FinishReason | undefined;
	/** Usage in the last step. */
	readonly usage: Usage | undefined;
	/** Usage summed over all steps. */
	readonly totalUsage: Usage | undefined;
	/** The pages cited in all steps, with places in `content`. */
	readonly sources: readonly Source[];
	/** Undefined if they were not checked. */
	readonly quotations: readonly CheckedQuotation[] | undefined;
	/** Where the content was continued after a cut. */
	readonly seams: readonly Seam[];
	/** Other fields of the last step's reply, as sent. */
	readonly extra: JsonObject | undefined;
	/** The number of steps that started. */
	readonly steps: number;
	/** The stream ended properly. The answer can still be cut off, see `isCut`. */
	readonly isComplete: boolean;
	/** The answer is not whole; `refusal` or a notice says why. */
	readonly isCut: boolean;
	/** A call was not run, because nobody could be asked. */
	readonly isDenied: boolean;
	/** Some delta came. */
	readonly isShown: boolean;
	readonly error: ChatError | undefined;
	/** The answer is whole, but has not the form that was asked for, as the error says. */
	readonly isRejected: boolean;
	readonly notices: readonly Notice[];
	readonly attempts: number;
	readonly firstTokenMs: number | null;
	readonly totalMs: number;
};

export type Seam = {
	/** Place in `content`, in Unicode characters. */
	readonly at: number;
	readonly cause: CutCause;
	/** The model that went on. */
	readonly model: string;
};

export type CallRecord = {
	readonly call: ToolCall;
	/** The result sent to the model; undefined if the call was not answered. */
	readonly result: ToolOutput | undefined;
};

/**
 * @param now milliseconds; times are counted from this call
 * @param isTextKept whether the result needs the answer and the reasoning; else they are empty
 */
export function createTurnResultBuilder(now: () => number, isTextKept: boolean) {
	const startedAt = now();
	let step: Extract<ChatEvent, {type: 'step-start'}> | undefined;
	let end: Extract<ChatEvent, {type: 'step-end'}> | undefined;
	let earlier = '';
	let content = '';
	let refusal = '';
	let reasoning = '';
	let earlierCalls: readonly CallRecord[] = [];
	const calls = new Map<string, CallRecord>();
	let usage: Usage | undefined;
	let totalUsage: Usage | undefined;
	let seams: readonly Seam[] = [];
	let cause: CutCause = 'length';
	let sources: readonly Source[] = [];
	let quotations: readonly CheckedQuotation[] | undefined;
	let isComplete = false;
	let isDenied = false;
	let isLimited = false;
	let isRejected = false;
	let error: ChatError | undefined;
	let firstTokenAt: number | undefined;
	let attempts = 0;
	let steps = 0;
	const notices: Notice[] = [];
	const update = (callId: string, change: (record: CallRecord) => CallRecord) => {
		const record = calls.get(callId);
		if (record !== undefined) calls.set(callId, change(record));
	};

	const addUsage = (more: Usage | undefined) => {
		usage = sumUsage(usage, more);
		totalUsage = sumUsage(totalUsage, more);
	};
	const follow = (continuation: Continuation) => {
		if (continuation.state !== 'joined') addUsage(continuation.usage);
		if (continuation.state === 'asked') ({cause} = continuation);
		else attempts += continuation.attempts;
		if (continuation.state !== 'joined') return;
		const {id, created, model} = continuation;
		// The cut reply of a saved answer had an id of its own, which is not saved.
		if (step?.id === '') step = {...step, id, created};
		seams = [...seams, {at: countCharacters(earlier + content), cause, model}];
	};

	return {
		add(event: ChatEvent): void {
			switch (event.type) {
				case 'step-start':
					step = event;
					end = undefined;
					usage = undefined;
					earlier = endLine(earlier + content);
					content = '';
					refusal = '';
					reasoning = endLine(reasoning);
					earlierCalls = [...earlierCalls, ...calls.values()];
					calls.clear();
					attempts += event.attempts;
					steps += 1;
					break;
				case 'reasoning-delta':
					firstTokenAt ??= now();
					if (isTextKept) reasoning += event.text;
					break;
				case 'text-delta':
					firstTokenAt ??= now();
					if (isTextKept) content += event.text;
					break;
				case 'refusal-delta':
					firstTokenAt ??= now();
					refusal += event.text;
					break;
				case 'tool-call-start':
					firstTokenAt ??= now();
					calls.set(event.callId, openCall(event));
					break;
				case 'tool-call-delta':
					update(event.callId, (record) => growCall(record, event.text));
					break;
				case 'tool-call':
					// Complete calls come in the order of the reply; their starts may not.
					calls.delete(event.call.callId);
					calls.set(event.call.callId, {call: event.call, result: undefined});
					break;
				case 'step-end':
					end = event;
					addUsage(event.usage);
					sources = [...sources, ...shiftSources(event.sources, earlier)];
					break;
				case 'continuation':
					follow(event.continuation);
					break;
				case 'tool-decision':
					isDenied ||= event.decision === 'unattended';
					break;
				case 'tool-result':
					update(event.callId, ({call}) => ({call, result: event}));
					break;
				case 'answer-rejected':
					isRejected = event.isFinal;
					content = event.isFinal ? content : '';
					break;
				case 'answer-unwrapped':
					content = event.text;
					break;
				case 'quotations-checked':
					({quotations} = event);
					break;
				case 'notice':
					isLimited ||= event.notice.code === 'tool-limit';
					notices.push(event.notice);
					break;
				case 'reasoning-end':
				case 'trace':
					break;
				case 'turn-end':
					isComplete = true;
					break;
				case 'error':
					error = event.error;
					addUsage(event.error.details.usage);
					break;
				default:
					event satisfies never;
			}
		},
		build(): TurnResult {
			const finishReason = end?.finishReason ?? error?.details.finishReason;
			return {
				id: step?.id ?? '',
				model: step?.model ?? null,
				created: step?.created ?? null,
				content: earlier + content,
				answer: content,
				refusal,
				reasoning,
				toolCalls: [...earlierCalls, ...calls.values()],
				finishReason,
				usage,
				totalUsage,
				sources,
				quotations,
				seams,
				extra: end?.extra,
				steps,
				isComplete: isComplete || isRejected,
				isCut:
					isLimited || refusal !== '' || (finishReason !== undefined && isCutReason(finishReason)),
				isDenied,
				isShown: firstTokenAt !== undefined,
				error,
				isRejected,
				notices,
				attempts: Math.max(attempts, error?.details.attempts ?? 0),
				firstTokenMs: firstTokenAt === undefined ? null : firstTokenAt - startedAt,
				totalMs: now() - startedAt,
			};
		},
	};
}

/** A call that may stay incomplete, and must not be run then. */
function openCall({callId, name}: {readonly callId: string; readonly name: string}): CallRecord {
	return {call: {callId, name, arguments: '', isRunnable: false}, result: undefined};
}

function growCall({call, result}: CallRecord, text: string): CallRecord {
	return {call: {...call, arguments: call.arguments + text}, result};
}

/** Returns the calls that are the output, because nothing here answers them; none after a failure. */
export function unansweredCalls({toolCalls, error, isRejected}: TurnResult): readonly ToolCall[] {
	if (error !== undefined && !isRejected) return [];
	return toolCalls.filter(({result}) => result === undefined).map(({call}) => call);
}

function countCharacters(text: string): number {
	return Array.from(text).length;
}

function shiftSources(sources: readonly Source[] = [], earlier: string): readonly Source[] {
	const above = sources.length === 0 ? 0 : countCharacters(earlier);
	const shift = (place: number | undefined) => (place === undefined ? undefined : place + above);
	return sources.map(({start, end, ...page}) => ({...page, start: shift(start), end: shift(end)}));
}

/** Adds a line end unless the text is empty or has one. */
export function endLine(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Kinds outranking exit code 79. */
const ownCodeKinds: readonly string[] = ['interrupted', 'closed', 'bug', 'output'];

/** @param dataError why a complete answer has not the code that was asked for */
export function exitCodeOfTurn(result: TurnResult, dataError: ChatError | undefined): ExitCode {
	const {error, isShown, isRejected, isCut, isDenied} = result;
	if (error !== undefined) {
		const isAnswerCut = isShown && !isRejected && !ownCodeKinds.includes(error.kind);
		return isAnswerCut ? 79 : exitCodeOf(error);
	}
	if (isCut) return 79;
	if (dataError !== undefined) return exitCodeOf(dataError);
	if (result.quotations?.every(passes) === false) return 80;
	return isDenied ? 77 : 0;
}
