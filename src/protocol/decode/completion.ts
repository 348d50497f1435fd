/**
 * Decides whether a finished reply is complete, from end marks, finish reason and transport state.
 */
import type {Notice} from '../../chat/event.ts';
import {ChatError} from '../../errors.ts';
import type {FinishReason} from '../../finish-reason.ts';
import {redactUrl} from '../../redact.ts';
import {shorten} from '../../wording.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import {brokenError, cutError, protocolError} from '../errors/reply-error.ts';
import type {BodyEnd} from './body-decoder.ts';

const maxWordLength = 60;

/** How a stream ended. Its body is complete only if its last event is. */
export type StreamEnd = BodyEnd & {
	/** The end mark came, or the reply is one whole JSON text. */
	readonly isDone: boolean;
};

export type CompletionEvidence = StepEvidence & {
	/** Answer text or a refusal came; white space does not count. */
	readonly hasText: boolean;
	readonly hasReasoning: boolean;
};

export type StepEvidence = {
	readonly finishReason: FinishReason | undefined;
	/** The service usually sends finish reasons, perhaps not in this reply. */
	readonly hasFinishKey: boolean;
	/** The reply began, even without text. */
	readonly isStarted: boolean;
	readonly hasCalls: boolean;
};

/** Returns a notice or nothing for a complete reply, otherwise an error. */
export function judgeReply(
	evidence: CompletionEvidence,
	end: StreamEnd,
	context: ErrorContext,
): Notice | ChatError | undefined {
	const {finishReason, hasFinishKey, isStarted, hasText} = evidence;
	if (finishReason?.kind === 'failed') return failedError(finishReason, context);
	if (finishReason !== undefined) {
		if (end.failure === undefined) return emptyNotice(evidence);
		return emptyNotice(evidence) ?? unmarked('the connection broke after the answer was finished');
	}
	if (!isStarted) {
		return end.failure === undefined
			? protocolError('an empty reply', context)
			: brokenError(end.failure, context);
	}
	if (end.isDone) {
		return emptyNotice(evidence) ?? unmarked('the service did not say why the answer ended');
	}
	const isWhole = end.isBodyComplete && end.failure === undefined;
	if (isWhole && !hasFinishKey && hasText) {
		return unmarked('the service marks the end of an answer only by ending the reply');
	}
	const reason = 'the stream ended early';
	return cutError('the answer', end.failure, {kind: 'incomplete', reason});
}

function failedError({raw}: FinishReason, {url}: ErrorContext): ChatError {
	const message = `${redactUrl(url)} gave up on the answer: ${raw}`;
	return new ChatError('unavailable', message, {code: raw ?? undefined, retryable: true});
}

function emptyNotice({hasText, hasCalls, hasReasoning}: CompletionEvidence): Notice | undefined {
	if (hasText || hasCalls) return undefined;
	const message = hasReasoning
		? 'the service gave no answer, only reasoning'
		: 'the service gave an empty answer';
	return {code: 'empty-answer', message};
}

function unmarked(message: string): Notice {
	return {code: 'end-unmarked', message};
}

/** Says why an answer was cut off in a complete stream, as far as known. */
export function finishNotice({kind, raw}: FinishReason): Notice | undefined {
	const word = shorten(raw ?? '', maxWordLength);
	switch (kind) {
		case 'length':
			return {code: 'length', message: 'the answer was cut off at the token limit'};
		case 'filter': {
			const detail = word === 'content_filter' ? '' : ` (${word})`;
			const message = `the answer was cut off by the service's content filter${detail}`;
			return {code: 'content-filter', message};
		}
		case 'unknown':
			if (word === '') return undefined;
			return {
				code: 'finish-unknown',
				message: `the answer ended for an unknown reason, "${word}", and may be cut off`,
			};
		default:
			return undefined;
	}
}
