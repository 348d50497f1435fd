/**
 * Whether a reply that has ended is complete: weighs the end marks, the finish reason and what the
 * transport knows.
 */
import type {Notice} from '../../chat/event.ts';
import type {ChatError} from '../../errors.ts';
import type {FinishReason} from '../../finish-reason.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import {brokenError, emptyError, failedError, incompleteError} from '../errors/reply-error.ts';
import type {BodyEnd} from './body-decoder.ts';

/** How a stream ended. Its body is complete only if its last event is. */
export type StreamEnd = BodyEnd & {
	/** The end mark came, or the reply is one whole JSON text. */
	readonly isDone: boolean;
};

export type CompletionEvidence = {
	readonly finishReason: FinishReason | undefined;
	/** The service sends finish reasons, even if it gave none for this reply. */
	readonly hasFinishKey: boolean;
	/** The reply began, even without text. */
	readonly isStarted: boolean;
	/** Answer text or a refusal came; reasoning, calls and white space do not count. */
	readonly hasText: boolean;
	/** Neither an answer nor tool calls came, but only this. */
	readonly emptyReason: 'reasoning' | 'nothing' | undefined;
	readonly end: StreamEnd;
};

/** Returns a notice or nothing if the reply is complete, else what is wrong with it. */
export function judgeReply(
	evidence: CompletionEvidence,
	context: ErrorContext,
): Notice | ChatError | undefined {
	const {finishReason, hasFinishKey, isStarted, hasText, emptyReason, end} = evidence;
	if (finishReason !== undefined) return judgeFinished(finishReason, emptyReason, end, context);
	if (!isStarted) {
		return end.failure === undefined ? emptyError(context) : brokenError(end.failure, context);
	}
	if (end.isDone) {
		return emptyReason === undefined
			? unmarked('the service gave no reason for the end of the answer')
			: emptyNotice(emptyReason);
	}
	const isWhole = end.isBodyComplete && end.failure === undefined;
	if (isWhole && !hasFinishKey && hasText) {
		return unmarked('the service marks the end of its answers only by ending the reply');
	}
	return incompleteError(end.failure);
}

function judgeFinished(
	finishReason: FinishReason,
	emptyReason: CompletionEvidence['emptyReason'],
	end: StreamEnd,
	context: ErrorContext,
): Notice | ChatError | undefined {
	if (finishReason.kind === 'failed') return failedError(finishReason, context);
	if (emptyReason !== undefined) return emptyNotice(emptyReason);
	if (end.failure === undefined) return undefined;
	return unmarked('the connection broke after the answer was finished');
}

const emptyMessages = {
	reasoning: 'the service gave no answer, only reasoning',
	nothing: 'the service gave an empty answer',
} as const;

function emptyNotice(emptyReason: keyof typeof emptyMessages): Notice {
	return {code: 'empty-answer', message: emptyMessages[emptyReason]};
}

function unmarked(message: string): Notice {
	return {code: 'end-unmarked', message};
}

/** Returns why an answer is cut off although its stream is complete. */
export function cutNotice(finishReason: FinishReason | undefined): Notice | undefined {
	const kind = finishReason?.kind;
	if (kind === 'length') {
		return {code: 'length', message: 'the answer was cut off at the token limit'};
	}
	if (kind === 'filter') {
		const message = "the answer was cut off by the service's content filter";
		return {code: 'content-filter', message};
	}
	return undefined;
}
