/**
 * Whether a reply that has ended is complete: the one place where the end marks, the finish reason
 * and what the transport knows are weighed.
 */
import type {Notice} from '../../chat/event.ts';
import {classifyFinishReason} from '../../chat/finish-reason.ts';
import {ChatError, type ErrorKind} from '../../errors.ts';
import {redactUrl} from '../../redact.ts';
import type {ErrorContext} from '../errors/service-error.ts';

/** How a stream ended. */
export type StreamEnd = {
	/** `[DONE]` was seen, or the reply is one whole JSON text. */
	readonly isDone: boolean;
	/** The transport reached the last chunk or the length, and the last event is whole. */
	readonly isAttested: boolean;
	/** Why the transport ended early, if it did. */
	readonly failure: ChatError | undefined;
};

export type ReplyMarks = {
	readonly finishReason: string | null;
	/** Some chunk had the field of the finish reason, be it null. */
	readonly hasFinishKey: boolean;
	/** Some chunk had a choice, be it empty. */
	readonly hasChoice: boolean;
	/** Answer text or a refusal came; reasoning, calls and white space do not count. */
	readonly hasText: boolean;
	/** What stands in place of an answer or of tool calls, if neither came. */
	readonly instead: 'reasoning' | 'nothing' | undefined;
	readonly end: StreamEnd;
};

/** A notice or nothing if the reply is complete, else what is wrong with it. */
export function judgeReply(
	marks: ReplyMarks,
	context: ErrorContext,
): Notice | ChatError | undefined {
	const {finishReason, hasFinishKey, hasChoice, hasText, instead, end} = marks;
	if (finishReason !== null) return judgeFinished(finishReason, instead, end, context);
	if (!hasChoice) {
		return end.failure === undefined ? emptyError(context) : brokenError(end.failure, context);
	}
	if (end.isDone) {
		return instead === undefined
			? unmarked('the service never said why the answer ended')
			: emptyNotice(instead);
	}
	const isWhole = end.isAttested && end.failure === undefined;
	if (isWhole && !hasFinishKey && hasText) {
		return unmarked('the service marks the end of its answers only by ending the reply');
	}
	return incompleteError(end.failure);
}

function judgeFinished(
	finishReason: string,
	instead: ReplyMarks['instead'],
	end: StreamEnd,
	context: ErrorContext,
): Notice | ChatError | undefined {
	if (classifyFinishReason(finishReason) === 'failed') return failedError(finishReason, context);
	if (instead !== undefined) return emptyNotice(instead);
	if (end.failure === undefined) return undefined;
	return unmarked('the connection broke after the answer was finished');
}

const emptyMessages = {
	reasoning: 'the service gave no answer, only reasoning',
	nothing: 'the service gave an empty answer',
} as const;

function emptyNotice(instead: keyof typeof emptyMessages): Notice {
	return {code: 'empty-answer', message: emptyMessages[instead]};
}

function unmarked(message: string): Notice {
	return {code: 'end-unmarked', message};
}

/** Why an answer is cut although its stream is complete. */
export function cutNotice(finishReason: string | null): Notice | undefined {
	const finish = classifyFinishReason(finishReason);
	if (finish === 'length') {
		return {code: 'length', message: 'the answer was cut off at the token limit'};
	}
	if (finish === 'filter') {
		return {
			code: 'content-filter',
			message: "the answer was cut off by the service's content filter",
		};
	}
	return undefined;
}

function failedError(reason: string, {url}: ErrorContext): ChatError {
	return new ChatError('unavailable', `${redactUrl(url)} gave up on the answer: ${reason}`, {
		code: reason,
		retryable: true,
	});
}

function emptyError({url}: ErrorContext): ChatError {
	return new ChatError('protocol', `${redactUrl(url)} sent an empty reply`);
}

/** Nothing of an answer had come. */
function brokenError(failure: ChatError, {url}: ErrorContext): ChatError {
	const message = `the reply from ${redactUrl(url)} was cut off: ${failure.message}`;
	return new ChatError(failure.kind, message, {...failure.details, cause: failure});
}

/** What to call a reply that ended too early. */
export function kindOfCut(failure: ChatError | undefined): ErrorKind {
	return failure?.kind === 'timeout' ? 'timeout' : 'incomplete';
}

function incompleteError(failure: ChatError | undefined): ChatError {
	const reason = failure?.message ?? 'the stream ended early';
	return new ChatError(kindOfCut(failure), `the answer was cut off: ${reason}`, {
		code: failure?.details.code,
		retryable: failure?.details.retryable ?? true,
		cause: failure,
	});
}
