/** Replies with a good status that are cut off, empty or in another convention, as `ChatError`s. */
import {ChatError, type ErrorDetails, type ErrorKind} from '../../errors.ts';
import {redactUrl} from '../../redact.ts';
import type {ErrorContext} from './error-context.ts';

/** @param what what the service sent */
export function protocolError(
	what: string,
	{url}: ErrorContext,
	details: ErrorDetails = {},
): ChatError {
	return new ChatError('protocol', `${redactUrl(url)} sent ${what}`, details);
}

/** @param description what came instead of an answer; may be empty */
export function unusableError(description: string, context: ErrorContext): ChatError {
	const {replyName, serviceHint} = context.words;
	const suffix = description === '' ? '' : `: ${description}`;
	return protocolError(`a reply that is not ${replyName}${suffix}`, context, {hint: serviceHint});
}

/** A reply that was cut off before any answer. */
export function brokenError(failure: ChatError, {url}: ErrorContext): ChatError {
	const message = `the reply from ${redactUrl(url)} was cut off: ${failure.message}`;
	return new ChatError(failure.kind, message, {...failure.details, cause: failure});
}

/** A cut-off answer or JSON reply. */
export function cutError(
	what: string,
	failure: ChatError | undefined,
	otherwise: {readonly kind: ErrorKind; readonly reason: string},
): ChatError {
	const kindOfCut = failure?.kind === 'timeout' ? 'timeout' : 'incomplete';
	const kind = failure === undefined ? otherwise.kind : kindOfCut;
	return new ChatError(kind, `${what} was cut off: ${failure?.message ?? otherwise.reason}`, {
		code: failure?.details.code,
		retryable: failure?.details.retryable ?? otherwise.kind === 'incomplete',
		cause: failure,
	});
}
