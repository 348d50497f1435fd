/**
 * The kinds of failure and their exit codes.
 *
 * The lower floors throw a `ChatError`; `main.ts`, the writers and the screen show it. A message may
 * contain text of a server, so it is sanitised before it is shown.
 */
import type {FinishReason} from './finish-reason.ts';
import type {Hint} from './hint.ts';
import type {Usage} from './usage.ts';

/** The closed list of failures. The kind alone decides the exit code. */
export type ErrorKind = keyof typeof exitCodeOfKind;

/** Exit codes of the `chat` process; sysexits(3) where one fits. */
export type ExitCode =
	| 0
	| 1
	| 64
	| 65
	| 66
	| 69
	| 73
	| 74
	| 75
	| 76
	| 77
	| 78
	| 79
	| 80
	| 129
	| 130
	| 141
	| 143;

const exitCodeOfKind = {
	/** An invariant of this program is broken. */
	bug: 1,
	/** The command line is wrong. */
	usage: 64,
	/** The input or the answer does not have the required form. */
	data: 65,
	/** A named input file is missing or not readable. */
	input: 66,
	/** The service is unavailable: DNS, connection refused, TLS, 5xx after the retries. */
	unavailable: 69,
	/** The service rejects the request (4xx), and would reject it again. */
	rejected: 65,
	/** A config or key file cannot be written. */
	create: 73,
	/** Output cannot be written. */
	output: 74,
	/** The service asks to retry later. */
	busy: 75,
	/** A time limit passed. */
	timeout: 75,
	/** The reply is not a chat completion. */
	protocol: 76,
	/** The key is missing, or the service does not accept it. */
	auth: 77,
	/** The account has no credit or quota left. */
	quota: 77,
	/** A setting other than a flag is wrong or missing. */
	config: 78,
	/** The reply ended early. */
	incomplete: 79,
	/** A signal stopped the run. */
	interrupted: 130,
	/** The reader of the output is gone. */
	closed: 141,
} as const satisfies Record<string, ExitCode>;

/** The signals that end a run. The process then dies by the signal itself. */
export type InterruptSignal = 'SIGINT' | 'SIGHUP' | 'SIGTERM';

export const exitCodeOfSignal = {
	SIGHUP: 129,
	SIGINT: 130,
	SIGTERM: 143,
} as const satisfies Record<InterruptSignal, ExitCode>;

export type ErrorDetails = {
	/** The next step. */
	readonly hint?: Hint | undefined;
	/** The closest names there are, for a name that nothing has. */
	readonly closestNames?: readonly string[] | undefined;
	/** HTTP status of the reply, or the one that an error inside a reply names. */
	readonly status?: number | undefined;
	/** The service's own error code, or the socket's (`ECONNREFUSED`). */
	readonly code?: string | undefined;
	/** The words of the service alone, without address and model. */
	readonly serviceMessage?: string | undefined;
	/** The parts of the request that the service refuses, in the words of its wire. */
	readonly refusedParts?: readonly string[] | undefined;
	/** Whether the request exceeds the model's context window. */
	readonly isTooLong?: boolean | undefined;
	/** Whether the service may not know the model. */
	readonly isModelUnknown?: boolean | undefined;
	/** The `x-request-id` of the reply. */
	readonly requestId?: string | undefined;
	/** Whether the same request may succeed later. */
	readonly retryable?: boolean | undefined;
	/** The request could be retried, but no time is left. */
	readonly isFinal?: boolean | undefined;
	/** The wait that the service asks for, in milliseconds. */
	readonly retryAfterMs?: number | undefined;
	/** Number of requests, including the first. */
	readonly attempts?: number | undefined;
	/** The finish reason of a reply that failed. */
	readonly finishReason?: FinishReason | undefined;
	/** The usage that was reported before the failure. */
	readonly usage?: Usage | undefined;
	/** The signal, if the kind is `interrupted`. */
	readonly signal?: InterruptSignal | undefined;
	readonly cause?: unknown;
};

export class ChatError extends Error {
	override readonly name = 'ChatError';
	readonly kind: ErrorKind;
	readonly details: ErrorDetails;

	constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
		super(message, details.cause === undefined ? undefined : {cause: details.cause});
		this.kind = kind;
		this.details = details;
	}
}

/** The error of a run that a signal ends. */
export function interruptedBy(signal: InterruptSignal): ChatError {
	return new ChatError('interrupted', `interrupted (${signal})`, {signal});
}

/** Converts any thrown value; an unforeseen one becomes a `bug`. */
export function toChatError(error: unknown): ChatError {
	if (error instanceof ChatError) return error;
	if (error instanceof RangeError && error.message === 'Invalid string length') {
		return new ChatError('data', 'the text is too long for memory', {cause: error});
	}
	if (isMissingFile(error)) {
		return new ChatError(
			'bug',
			'a program file is missing; chat was probably updated while it ran',
			{
				hint: 'Exit and start chat again; chat -c then continues the conversation. If it still fails, install it again.',
				cause: error,
			},
		);
	}
	const message = error instanceof Error ? error.message : String(error);
	return new ChatError('bug', message, {cause: error});
}

function isMissingFile(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/** Whether a file of the program is missing, as after an upgrade while it runs. */
export function isProgramIncomplete({details}: ChatError): boolean {
	return isMissingFile(details.cause);
}

/** Returns the exit code of a failure before any output. */
export function exitCodeOf(error: ChatError): ExitCode {
	if (error.kind === 'interrupted') return exitCodeOfSignal[error.details.signal ?? 'SIGINT'];
	return exitCodeOfKind[error.kind];
}

/** Describes a failure for a person, without its stack and its hint. */
export function describeError({kind, message, details}: ChatError): readonly string[] {
	if (kind === 'bug') return [`unexpected error: ${message}`];
	const {requestId} = details;
	return requestId === undefined ? [message] : [message, `request id: ${requestId}`];
}

export function hintOf({kind, details}: ChatError): Hint | undefined {
	return details.hint ?? (kind === 'bug' ? bugHint : undefined);
}

const bugHint =
	'This is a bug in chat. Run it again with -v, and report the stack where you got chat from, with the output of: chat doctor -o json';
