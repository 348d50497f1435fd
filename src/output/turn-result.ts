/**
 * A turn as one value, gathered from its events: what the JSON output prints and what the exit
 * code is made from.
 */
import type {ChatEvent, Notice, Usage} from '../chat/event.ts';
import {isCutReason} from '../chat/finish-reason.ts';
import type {ToolCall} from '../chat/message.ts';
import {type ChatError, type ExitCode, exitCodeOf} from '../errors.ts';

export type TurnResult = {
	readonly id: string;
	readonly model: string | null;
	readonly created: number | null;
	readonly content: string;
	readonly reasoning: string;
	/** Those of the last step. */
	readonly toolCalls: readonly ToolCall[];
	readonly finishReason: string | null;
	readonly usage: Usage | undefined;
	/** The stream had a proper end. A cut answer can be complete, see `isCut`. */
	readonly isComplete: boolean;
	readonly isCut: boolean;
	/** Some reasoning, text or tool delta came. */
	readonly isShown: boolean;
	readonly error: ChatError | undefined;
	readonly notices: readonly Notice[];
	readonly attempts: number;
	readonly firstTokenMs: number | null;
	readonly totalMs: number;
};

export interface TurnResultBuilder {
	add(event: ChatEvent): void;
	build(): TurnResult;
}

/** @param now milliseconds; times are counted from this call */
export function createTurnResultBuilder(now: () => number): TurnResultBuilder {
	const startedAt = now();
	let step: Extract<ChatEvent, {type: 'step-start'}> | undefined;
	let end: Extract<ChatEvent, {type: 'step-end'}> | undefined;
	let content = '';
	let reasoning = '';
	let calls = new Map<string, ToolCall>();
	let isComplete = false;
	let error: ChatError | undefined;
	let firstTokenAt: number | undefined;
	let attempts = 0;
	const notices: Notice[] = [];

	return {
		add(event) {
			switch (event.type) {
				case 'step-start':
					step = event;
					end = undefined;
					calls = new Map();
					attempts += event.attempts;
					break;
				case 'reasoning-delta':
					firstTokenAt ??= now();
					reasoning += event.text;
					break;
				case 'text-delta':
					firstTokenAt ??= now();
					content += event.text;
					break;
				case 'tool-call-start':
					firstTokenAt ??= now();
					calls.set(event.callId, openCall(event.callId, event.name));
					break;
				case 'tool-call-delta':
					growCall(calls, event.callId, event.text);
					break;
				case 'tool-call':
					calls.set(event.call.callId, event.call);
					break;
				case 'step-end':
					end = event;
					break;
				case 'notice':
					if (event.notice.code !== 'trace') notices.push(event.notice);
					break;
				case 'turn-end':
					isComplete = true;
					break;
				case 'error':
					error = event.error;
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
				content,
				reasoning,
				toolCalls: [...calls.values()],
				finishReason,
				usage: end?.usage,
				isComplete,
				isCut: isCutReason(finishReason),
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
function openCall(callId: string, name: string): ToolCall {
	return {callId, name, arguments: '', isRunnable: false};
}

function growCall(calls: Map<string, ToolCall>, callId: string, text: string): void {
	const call = calls.get(callId);
	if (call !== undefined) calls.set(callId, {...call, arguments: call.arguments + text});
}

/** These say more than the fact that the answer was cut by them. */
const ownCodeKinds: readonly string[] = ['interrupted', 'closed', 'bug', 'output'];

/**
 * The exit code of a turn.
 *
 * @param dataError what is wrong with a complete answer: not the JSON or the code asked for
 */
export function exitCodeOfTurn(result: TurnResult, dataError: ChatError | undefined): ExitCode {
	const {error, isShown, isCut} = result;
	if (error !== undefined) {
		return isShown && !ownCodeKinds.includes(error.kind) ? 79 : exitCodeOf(error);
	}
	if (isCut) return 79;
	return dataError === undefined ? 0 : exitCodeOf(dataError);
}
