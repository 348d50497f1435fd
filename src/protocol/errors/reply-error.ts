/** Replies with a good status that are cut off, empty or of another convention, as `ChatError`s. */
import {ChatError, type ErrorKind} from '../../errors.ts';
import type {FinishReason} from '../../finish-reason.ts';
import {redactUrl} from '../../redact.ts';
import type {ErrorContext} from './error-context.ts';

/** @param description of what came instead; may be empty */
export function unusableError(description: string, {url, words}: ErrorContext): ChatError {
	const suffix = description === '' ? '' : `: ${description}`;
	const message = `${redactUrl(url)} sent a reply that is not ${words.replyName}${suffix}`;
	return new ChatError('protocol', message, {hint: words.serviceHint});
}

export function malformedError({url}: ErrorContext): ChatError {
	return new ChatError('protocol', `${redactUrl(url)} sent an event that is not valid JSON`);
}

export function emptyError({url}: ErrorContext): ChatError {
	return new ChatError('protocol', `${redactUrl(url)} sent an empty reply`);
}

export function failedError({raw}: FinishReason, {url}: ErrorContext): ChatError {
	const message = `${redactUrl(url)} gave up on the answer: ${raw}`;
	return new ChatError('unavailable', message, {code: raw ?? undefined, retryable: true});
}

/** A reply that was cut off before anything of an answer came. */
export function brokenError(failure: ChatError, {url}: ErrorContext): ChatError {
	const message = `the reply from ${redactUrl(url)} was cut off: ${failure.message}`;
	return new ChatError(failure.kind, message, {...failure.details, cause: failure});
}

/** A reply that is whole, and not JSON. */
export function notJsonError({url}: ErrorContext): ChatError {
	const message = `${redactUrl(url)} sent a reply that is not valid JSON`;
	return new ChatError('protocol', message, {retryable: false});
}

/** A JSON reply without its end. */
export function cutJsonError(failure: ChatError | undefined, {url}: ErrorContext): ChatError {
	const reason = failure?.message ?? 'its JSON is not valid';
	const kind = failure === undefined ? 'protocol' : kindOfCut(failure);
	return new ChatError(kind, `the reply from ${redactUrl(url)} was cut off: ${reason}`, {
		code: failure?.details.code,
		retryable: failure?.details.retryable ?? false,
		cause: failure,
	});
}

/** An answer that was cut off. */
export function incompleteError(failure: ChatError | undefined): ChatError {
	const reason = failure?.message ?? 'the stream ended early';
	return new ChatError(kindOfCut(failure), `the answer was cut off: ${reason}`, {
		code: failure?.details.code,
		retryable: failure?.details.retryable ?? true,
		cause: failure,
	});
}

function kindOfCut(failure: ChatError | undefined): ErrorKind {
	return failure?.kind === 'timeout' ? 'timeout' : 'incomplete';
}
