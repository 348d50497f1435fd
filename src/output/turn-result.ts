/**
 * A turn as one value, gathered from its events: what the JSON output prints and what the exit
 * code is made from.
 */
import type {ChatEvent, Notice} from '../chat/event.ts';
import {isCutReason} from '../chat/finish-reason.ts';
import type {ToolCall} from '../chat/message.ts';
import type {ToolOutput} from '../chat/tool.ts';
import {sumUsage} from '../chat/usage.ts';
import {type ChatError, type ExitCode, exitCodeOf, type Usage} from '../errors.ts';
import type {JsonObject} from '../json.ts';

export type TurnResult = {
	readonly id: string;
	readonly model: string | null;
	readonly created: number | null;
	/** The text of all steps, with a line end between two of them. */
	readonly content: string;
	/** The text of the last step. */
	readonly answer: string;
	/** Why the model did not answer in the last step, in its words; empty if it did. */
	readonly refusal: string;
	readonly reasoning: string;
	/** Those of all steps. */
	readonly toolCalls: readonly CallRecord[];
	readonly finishReason: string | null;
	/** Of the last step. */
	readonly usage: Usage | undefined;
	/** The sum of all steps. */
	readonly totalUsage: Usage | undefined;
	/** What the reply of the last step holds besides, as sent. */
	readonly extra: JsonObject | undefined;
	/** How many steps began. */
	readonly steps: number;
	/** The stream had a proper end. A cut answer can be complete, see `isCut`. */
	readonly isComplete: boolean;
	/** The answer is not all of it: see `refusal`, and the notices for any other reason. */
	readonly isCut: boolean;
	/** A call was not run, because nobody could be asked. */
	readonly isDenied: boolean;
	/** Some delta came. */
	readonly isShown: boolean;
	readonly error: ChatError | undefined;
	readonly notices: readonly Notice[];
	readonly attempts: number;
	readonly firstTokenMs: number | null;
	readonly totalMs: number;
};

export type CallRecord = {
	readonly call: ToolCall;
	/** What the model was told; undefined if nobody answered the call. */
	readonly result: ToolOutput | undefined;
};

export interface TurnResultBuilder {
	add(event: ChatEvent): void;
	build(): TurnResult;
}

/**
 * @param now milliseconds; times are counted from this call
 * @param isTextKept whether the result needs the answer and the reasoning; else they are empty
 */
export function createTurnResultBuilder(now: () => number, isTextKept: boolean): TurnResultBuilder {
	const startedAt = now();
	let step: Extract<ChatEvent, {type: 'step-start'}> | undefined;
	let end: Extract<ChatEvent, {type: 'step-end'}> | undefined;
	let earlier = '';
	let content = '';
	let refusal = '';
	let reasoning = '';
	let earlierCalls: readonly CallRecord[] = [];
	let calls = new Map<string, CallRecord>();
	let totalUsage: Usage | undefined;
	let isComplete = false;
	let isDenied = false;
	let isLimited = false;
	let error: ChatError | undefined;
	let firstTokenAt: number | undefined;
	let attempts = 0;
	let steps = 0;
	const notices: Notice[] = [];

	return {
		add(event) {
			switch (event.type) {
				case 'step-start':
					step = event;
					end = undefined;
					earlier = endLine(earlier + content);
					content = '';
					refusal = '';
					reasoning = endLine(reasoning);
					earlierCalls = [...earlierCalls, ...calls.values()];
					calls = new Map();
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
					calls.set(event.callId, openCall(event.callId, event.name));
					break;
				case 'tool-call-delta':
					growCall(calls, event.callId, event.text);
					break;
				case 'tool-call':
					// Whole calls come in the order of the reply; their starts may not.
					calls.delete(event.call.callId);
					calls.set(event.call.callId, {call: event.call, result: undefined});
					break;
				case 'step-end':
					end = event;
					totalUsage = sumUsage(totalUsage, event.usage);
					break;
				case 'tool-decision':
					isDenied ||= event.decision === 'unasked';
					break;
				case 'tool-result':
					settleCall(calls, event);
					break;
				case 'answer-rejected':
					content = '';
					break;
				case 'notice':
					isLimited ||= event.notice.code === 'tool-limit';
					if (event.notice.code !== 'trace') notices.push(event.notice);
					break;
				case 'turn-end':
					isComplete = true;
					break;
				case 'error':
					error = event.error;
					totalUsage = sumUsage(totalUsage, event.error.details.usage);
					break;
				default:
					event satisfies never;
			}
		},
		build() {
			const finishReason = end?.finishReason ?? error?.details.finishReason ?? null;
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
				usage: end?.usage ?? error?.details.usage,
				totalUsage,
				extra: end?.extra,
				steps,
				isComplete,
				isCut: isLimited || refusal !== '' || isCutReason(finishReason),
				isDenied,
				isShown: firstTokenAt !== undefined,
				error,
				notices,
				attempts: Math.max(attempts, error?.details.attempts ?? 0),
				firstTokenMs: firstTokenAt === undefined ? null : firstTokenAt - startedAt,
				totalMs: now() - startedAt,
			};
		},
	};
}

/** A call that may never be completed, and then must not be run. */
function openCall(callId: string, name: string): CallRecord {
	return {call: {callId, name, arguments: '', isRunnable: false}, result: undefined};
}

function growCall(calls: Map<string, CallRecord>, callId: string, text: string): void {
	const record = calls.get(callId);
	if (record === undefined) return;
	const {call} = record;
	calls.set(callId, {...record, call: {...call, arguments: call.arguments + text}});
}

function settleCall(
	calls: Map<string, CallRecord>,
	{callId, output, isError}: Extract<ChatEvent, {type: 'tool-result'}>,
): void {
	const record = calls.get(callId);
	if (record !== undefined) calls.set(callId, {...record, result: {output, isError}});
}

/** The calls that are the output, because nobody here answers them; none of a turn that failed. */
export function unansweredCalls({toolCalls, error}: TurnResult): readonly ToolCall[] {
	if (error !== undefined) return [];
	return toolCalls.filter(({result}) => result === undefined).map(({call}) => call);
}

function endLine(text: string): string {
	return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** These say more than the fact that the answer was cut by them. */
const ownCodeKinds: readonly string[] = ['interrupted', 'closed', 'bug', 'output'];

/**
 * The exit code of a turn.
 *
 * @param dataError what is wrong with a complete answer: not the JSON or the code asked for
 */
export function exitCodeOfTurn(result: TurnResult, dataError: ChatError | undefined): ExitCode {
	const {error, isShown, isCut, isDenied} = result;
	if (error !== undefined) {
		return isShown && !ownCodeKinds.includes(error.kind) ? 79 : exitCodeOf(error);
	}
	if (isCut) return 79;
	if (dataError !== undefined) return exitCodeOf(dataError);
	return isDenied ? 77 : 0;
}
