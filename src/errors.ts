/**
 * Everything that can go wrong, by kind, and what each kind means to the shell.
 *
 * The lower floors throw a `ChatError`; `main.ts` and the writers turn one into text and an exit
 * code, and the screen of a session, which goes on, into rows. Messages here are plain sentences and
 * may hold text of a server: whoever shows them sanitises them.
 */
import type {JsonObject} from './json.ts';

/** The closed list of failures. The kind decides the exit code, nothing else does. */
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
	| 129
	| 130
	| 141
	| 143;

const exitCodeOfKind = {
	/** An invariant of this program does not hold. */
	bug: 1,
	/** The command line asks for something that does not exist or is out of range. */
	usage: 64,
	/** The input, or what came back, does not have the form that was asked for. */
	data: 65,
	/** A named input file is missing or not readable. */
	input: 66,
	/** The service does not answer: DNS, refused, TLS, 5xx after the retries. */
	unavailable: 69,
	/** The service refuses the request (4xx), and would refuse it again. */
	rejected: 65,
	/** A file of ours cannot be created. */
	create: 73,
	/** Output cannot be written. */
	output: 74,
	/** The service asks to come back later. */
	busy: 75,
	/** Nothing came within a time limit. */
	timeout: 75,
	/** The reply is not a chat completion. */
	protocol: 76,
	/** The service does not accept the key, or there is none. */
	auth: 77,
	/** The account has no credit or quota left. */
	quota: 77,
	/** A setting outside the command line is wrong or missing. */
	config: 78,
	/** The reply ended before its end. */
	incomplete: 79,
	/** The user or the system stopped the run; see `signal`. */
	interrupted: 130,
	/** The reader of our output went away. */
	closed: 141,
} as const satisfies Record<string, ExitCode>;

/** The signals that end a run; the process then dies by the signal itself. */
export type InterruptSignal = 'SIGINT' | 'SIGHUP' | 'SIGTERM';

const exitCodeOfSignal = {
	SIGHUP: 129,
	SIGINT: 130,
	SIGTERM: 143,
} as const satisfies Record<InterruptSignal, ExitCode>;

/**
 * What the service counted. Absent is not zero, and nothing here is ever derived; `raw` is the
 * object as it came.
 */
export type Usage = {
	readonly promptTokens?: number | undefined;
	readonly completionTokens?: number | undefined;
	readonly reasoningTokens?: number | undefined;
	readonly totalTokens?: number | undefined;
	readonly raw: JsonObject;
};

export type ErrorDetails = {
	/** The next step, as one sentence. */
	readonly hint?: string | undefined;
	/** HTTP status of the reply, or the one that an error inside a reply names. */
	readonly status?: number | undefined;
	/** The service's own error code, or the socket's (`ECONNREFUSED`). */
	readonly code?: string | undefined;
	/** The `x-request-id` of the reply. */
	readonly requestId?: string | undefined;
	/** Whether the same request may succeed later. */
	readonly retryable?: boolean | undefined;
	/** Not repeated by this run all the same: it took all the time it had. */
	readonly isFinal?: boolean | undefined;
	/** How long the service asks to wait, in milliseconds. */
	readonly retryAfterMs?: number | undefined;
	/** Requests made before giving up, the first included. */
	readonly attempts?: number | undefined;
	/** Why the service says it stopped, in a reply that failed all the same. */
	readonly finishReason?: string | null | undefined;
	/** What the service had counted by then. */
	readonly usage?: Usage | undefined;
	/** Of `interrupted`: what stopped the run. */
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

/** Any thrown value as a `ChatError`; what nobody foresaw is a `bug`. */
export function toChatError(error: unknown): ChatError {
	if (error instanceof ChatError) return error;
	if (error instanceof RangeError && error.message === 'Invalid string length') {
		return new ChatError('data', 'the text is too long to be held in memory', {cause: error});
	}
	const message = error instanceof Error ? error.message : String(error);
	return new ChatError('bug', message, {cause: error});
}

/** The exit code of a failure that came before anything was shown. */
export function exitCodeOf(error: ChatError): ExitCode {
	if (error.kind === 'interrupted') return exitCodeOfSignal[error.details.signal ?? 'SIGINT'];
	return exitCodeOfKind[error.kind];
}

/** Codes that outweigh all others, the gravest first. */
const graveCodes: readonly ExitCode[] = [130, 129, 143, 141, 1, 74];

/** Codes that any other one outweighs, the slightest last. */
const slightCodes: readonly ExitCode[] = [79, 65, 77, 0];

/** The exit code of a run that ends for two reasons at once. */
export function graverOf(first: ExitCode, second: ExitCode): ExitCode {
	return gravityOf(second) > gravityOf(first) ? second : first;
}

/** Above 0 for the grave, below 0 for the slight, 0 for all between them. */
function gravityOf(exitCode: ExitCode): number {
	const grave = graveCodes.indexOf(exitCode);
	return grave === -1 ? -1 - slightCodes.indexOf(exitCode) : graveCodes.length - grave;
}

/** The signal a process dies by instead of returning this exit code, if there is one. */
export function signalOf(exitCode: ExitCode): InterruptSignal | undefined {
	for (const [signal, code] of Object.entries(exitCodeOfSignal)) {
		if (code === exitCode) return signal as InterruptSignal;
	}
	return undefined;
}

/** A failure as a person reads it: what happened, what to do next, without a stack. */
export function describeError(error: ChatError): {
	readonly lines: readonly string[];
	readonly hint: string | undefined;
	readonly exitCode: ExitCode;
} {
	const exitCode = exitCodeOf(error);
	if (error.kind === 'bug') {
		const hint =
			'This is a bug in chat. Run it again with -v, and report the stack where you got chat from.';
		return {lines: [`unexpected error: ${error.message}`], hint, exitCode};
	}
	const {hint, requestId} = error.details;
	const lines = [error.message];
	if (requestId !== undefined) lines.push(`request id: ${requestId}`);
	return {lines, hint, exitCode};
}

/**
 * The exit codes as the README and `--help` print them, in order.
 * A test holds this list to the codes that a `ChatError` can have.
 */
export const exitCodeRows: ReadonlyArray<{readonly code: string; readonly when: string}> = [
	{code: '0', when: 'complete answer; help'},
	{
		code: '1',
		when: 'a bug in `chat` (`-v` shows the stack); `config get` and `auth status` where there is nothing',
	},
	{code: '64', when: 'usage: unknown flag, value out of range, no prompt'},
	{
		code: '65',
		when: 'bad data: a broken image, an invalid schema, a request that the service rejects (400, 404, 413, 422), a reply that is not the JSON or code asked for',
	},
	{code: '66', when: 'an input file is missing or not readable'},
	{code: '69', when: 'service unavailable: DNS, connection refused, TLS, 5xx after retries'},
	{code: '73', when: 'a file cannot be created'},
	{code: '74', when: 'output cannot be written'},
	{code: '75', when: 'try again later: 408, 409, 429, overloaded, timed out before any output'},
	{code: '76', when: 'protocol: the reply is not a chat completion, redirect refused'},
	{
		code: '77',
		when: 'no access: 401, 403, 402, no quota left, empty key source, a tool denied without a terminal',
	},
	{code: '78', when: 'invalid configuration'},
	{
		code: '79',
		when: 'the answer is cut: a refusal, a failure after the first delta, `length`, content filter, too many tool calls (the text is still printed, the reason is on stderr)',
	},
	{
		code: '129, 130, 143',
		when: 'hangup, interrupted, terminated: the process dies by the signal itself',
	},
	{code: '141', when: 'stdout was closed by its reader'},
];
