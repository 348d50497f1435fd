/** The one event type, from the wire to every screen, writer and file. */
import type {ChatError, ErrorKind} from '../errors.ts';
import type {FinishReason} from '../finish-reason.ts';
import type {Hint} from '../hint.ts';
import type {JsonObject} from '../json.ts';
import type {Usage} from '../usage.ts';
import type {CheckedQuotation} from './checked-quotation.ts';
import type {ProviderData, ToolCall, ToolOutputPart} from './message.ts';
import type {Source} from './source.ts';

/** A message to the user, outside the conversation. */
export type Notice = {
	/** Stable word for scripts. */
	readonly code: NoticeCode;
	/** A sentence; may quote the server. */
	readonly message: string;
	/** The next step, which ends the sentence. */
	readonly hint?: Hint | undefined;
	/** The wait, shown as a countdown on screens. */
	readonly retry?: Retry;
};

export type Retry = {
	readonly delayMs: number;
	/** Counted from 1. */
	readonly attempt: number;
	readonly maxRetries: number;
	/** The HTTP status and the service's own words, such as `429 slow down`, or what broke. */
	readonly reason: string;
};

export type NoticeCode =
	/** A file has no text. */
	| 'empty-file'
	/** A file is given twice. */
	| 'file-twice'
	/** Nothing came through a pipe. */
	| 'empty-stdin'
	| 'built-in-service'
	/** The service on this machine, or its model, was found by asking. */
	| 'local-service'
	/** A settings or key file has a mistake. */
	| 'settings-file'
	/** The model was chosen by `chat`, or on the terminal. */
	| 'model'
	/** A variable looks like a mistyped `CHAT_` variable. */
	| 'settings-variable'
	/** A key is missing, or for another service. */
	| 'api-key'
	/** A saved conversation goes on. */
	| 'session-continued'
	/** A saved conversation has several branches. */
	| 'session-branches'
	/** A saved conversation was damaged, or its attachments are gone. */
	| 'session-damaged'
	/** Conversations are saved from now on. */
	| 'sessions-saved'
	| 'session-restored'
	/** The conversation can no longer be saved. */
	| 'session-not-saved'
	/** `chat serve` listens beyond this machine without a key. */
	| 'sampling-both'
	| 'token-limit-both'
	| 'image-large'
	| 'image-tier'
	| 'template-file'
	| 'template-command'
	| 'invalid-utf8'
	| 'colours-removed'
	/** Some files in a folder or pattern are not sent. */
	| 'files-left-out'
	/** Git's ignore rules could not be read. */
	| 'git-rules-unread'
	/** The files and the piped text are large in total. */
	| 'files-large'
	| 'retry'
	/** The service searches the web before it goes on. */
	| 'web-search'
	/** The refused key was replaced by a fresh one from the same source. */
	| 'key-read'
	/** The service refused a field; the request is repeated without it. */
	| 'fallback'
	/** The stream is complete, but an end marker is missing. */
	| 'end-unmarked'
	| 'empty-answer'
	/** The reply has more than text can show; see `extra` in `step-end`. */
	| 'not-text'
	/** The answer does not have the requested form, and is kept. */
	| 'answer-form'
	| 'fence-removed'
	/** Quotations were not looked up in a PDF. */
	| 'quotes-unchecked'
	/** The answer was cut off at the token limit. */
	| 'length'
	/** A cut answer goes on. */
	| 'continued'
	/** A cut answer does not go on, or its continuation could not be joined. */
	| 'not-continued'
	/** Another model is asked, because the first cannot answer. */
	| 'model-fallback'
	| 'content-filter'
	/** The finish reason is a word without a known meaning. */
	| 'finish-unknown'
	/** A call was not run: there was no one to approve it. */
	| 'tool-denied'
	/** A server asked for something, and nobody was there. */
	| 'elicitation-declined'
	/** The model made too many calls. */
	| 'tool-limit'
	/** A server has changed, or its offer cannot be saved. */
	| 'mcp-server'
	/** The tools use a large part of each request. */
	| 'many-tools';

/** `allowed`: by the command line. `unattended`: not run, because nobody could be asked. */
export type ToolDecision = 'once' | 'session' | 'allowed' | 'denied' | 'unattended';

/**
 * A turn's events follow this grammar; tests check it on every sequence:
 *
 * ```
 * turn := (notice | step)* (quotations-checked? turn-end | openStep? quotations-checked? error)
 * step := (step-start | continuation)
 *         (delta | reasoning-end | tool-call-start | notice | continuation)* tool-call* step-end
 *         (tool-decision | tool-result | notice)* (answer-rejected | answer-unwrapped)?
 * delta := reasoning-delta | text-delta | refusal-delta | tool-call-delta
 * ```
 *
 * A `trace` may come anywhere before the end of the turn.
 *
 * If one call in a step has a result, all calls have one before the next step begins, in call
 * order; a decision precedes its result. After `answer-rejected` comes another step or an error,
 * after `answer-unwrapped` the turn ends.
 *
 * A cut answer that goes on is one step, whose usage is the sum of its `continuation` events and its
 * `step-end`. A continued answer of an earlier run begins with a `continuation`.
 *
 * `openStep` is a step without its `step-end`. Other steps are one request each. Truncation, timeout
 * and abort are errors of kind `incomplete`, `timeout` and `interrupted`. Deltas are never empty. A
 * `tool-call` repeats in full what its start and deltas announced; act on it alone.
 */
export type ChatEvent =
	| {
			readonly type: 'step-start';
			/** The answering model, as named by the service. */
			readonly model: string;
			/** The requested model. */
			readonly requestedModel: string;
			/** The service's completion id; empty without one. */
			readonly id: string;
			/** Unix seconds. */
			readonly created: number | undefined;
			/** How many requests this step took, 1 without a retry. */
			readonly attempts: number;
	  }
	| {readonly type: 'reasoning-delta'; readonly text: string}
	/** Ends a reasoning part that carries data for the service, perhaps without any delta. */
	| {readonly type: 'reasoning-end'; readonly providerData: ProviderData}
	| {readonly type: 'text-delta'; readonly text: string}
	/** Why the model does not answer, in its own words. */
	| {readonly type: 'refusal-delta'; readonly text: string}
	| {readonly type: 'tool-call-start'; readonly callId: string; readonly name: string}
	| {readonly type: 'tool-call-delta'; readonly callId: string; readonly text: string}
	| {readonly type: 'tool-call'; readonly call: ToolCall}
	| {readonly type: 'continuation'; readonly continuation: Continuation}
	| {
			readonly type: 'step-end';
			readonly finishReason: FinishReason;
			readonly usage: Usage | undefined;
			/** The pages cited by the step's answer. */
			readonly sources?: readonly Source[] | undefined;
			/** Other reply fields, as sent: images, annotations, provider fields. */
			readonly extra?: JsonObject | undefined;
	  }
	| {
			readonly type: 'tool-decision';
			readonly callId: string;
			readonly decision: ToolDecision;
			/** The approved arguments, if they differ from the call's. */
			readonly arguments?: string | undefined;
			/** Reason for the denial. */
			readonly reason?: string | undefined;
	  }
	| {
			readonly type: 'tool-result';
			readonly callId: string;
			/** The model's view of the result. */
			readonly parts: readonly ToolOutputPart[];
			readonly isError: boolean;
	  }
	/** The previous step's answer does not have the required form. */
	| {
			readonly type: 'answer-rejected';
			/** The problem, to follow "the answer ". */
			readonly problem: string;
			/** Whether the turn fails. Otherwise another step replaces the answer. */
			readonly isFinal: boolean;
	  }
	/** The previous step's answer, without its code fence. */
	| {readonly type: 'answer-unwrapped'; readonly text: string}
	/** The answer's quotations, just before the turn ends. */
	| {
			readonly type: 'quotations-checked';
			readonly quotations: readonly CheckedQuotation[];
	  }
	| {readonly type: 'notice'; readonly notice: Notice}
	/** A request line, a status or a timing, for `-v`; never part of a result. */
	| {readonly type: 'trace'; readonly message: string}
	| {readonly type: 'turn-end'}
	| {readonly type: 'error'; readonly error: ChatError};

/** The reason why an answer ended early: the token limit, the user, or a failure of this kind. */
export type CutCause = (typeof cutCauses)[number];

export const cutCauses = [
	'length',
	'interrupted',
	'incomplete',
	'timeout',
	'unavailable',
	'busy',
] as const satisfies readonly ('length' | ErrorKind)[];

/** `usage` is that of the part before it. */
export type Continuation =
	| {
			readonly state: 'asked';
			readonly cause: CutCause;
			readonly usage: Usage | undefined;
			/** Counted from 1. */
			readonly count: number;
			readonly limit: number;
	  }
	/** The text from here on belongs to the answer. */
	| {
			readonly state: 'joined';
			/** The reply's own; empty if the service gave none. */
			readonly id: string;
			readonly created: number | undefined;
			/** The answering model, as named by the service. */
			readonly model: string;
			readonly attempts: number;
	  }
	/** The text does not prove its place, and is not part of the answer. */
	| {
			readonly state: 'rejected';
			readonly text: string;
			readonly usage: Usage | undefined;
			readonly attempts: number;
	  };

/** All events from one network read, in order, never empty. */
export type ChatEventBatch = readonly ChatEvent[];
