/** Tools, their sources, and the approval of calls. Values and contracts only. */
import type {Hint} from '../hint.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import type {Elicit} from './elicitation.ts';
import type {Notice} from './event.ts';
import type {ToolCall, ToolDefinition, ToolOutputPart} from './message.ts';

/** An approval applies only to a tool whose definition and origin are unchanged. */
export type ToolIdentity = {
	readonly definition: ToolDefinition;
	/** Everything besides: the command or the server that a call reaches. */
	readonly origin: JsonValue;
};

/**
 * A place that tools come from, such as a tools file or a server. It is opened before the first request,
 * and closed at the end of the run, whatever the end.
 */
export interface ToolSource {
	/**
	 * The tools it has now, with different names, in an order that stays. They are read when a step
	 * starts: its request offers exactly these, and its calls are checked against them.
	 */
	readonly tools: readonly OfferedTool[];
	/** Calls back after each change of `tools`. Returns a function that ends the subscription. */
	onChange(listener: () => void): () => void;
	/** Returns what the user should know, each notice once. They are reported before a step and between calls. */
	takeNotices(): readonly Notice[];
	/** Called when no call runs any more. Resolves within a few seconds, when nothing else does. */
	close(): Promise<void>;
}

/** Calls of a tool that nothing here can run are the output of the turn. */
export type OfferedTool = Tool | Pick<Tool, 'definition'>;

/** A tool that can be run here. */
export interface Tool extends ToolIdentity {
	/** Why only an answer to its question runs it: no approval that was given before the run counts. */
	readonly unapproved?: {readonly message: string; readonly hint: Hint} | undefined;
	/** Returns why the arguments do not fit, as a sentence for the model; undefined if they do. */
	check(values: JsonObject): Promise<string | undefined>;
	/** Returns everything that an approval of this call is about. */
	describe(values: JsonObject): Promise<readonly ApprovalLine[]>;
	/**
	 * Makes an approved tool ready: a source that starts nothing before an approval starts its server
	 * here. The tools of the source may change by it; one that differs is asked about again. Returns why
	 * this call cannot run, as a sentence for the model; undefined if it can.
	 *
	 * @throws {ChatError} when no other call can run either, such as for a missing login
	 */
	prepare?(signal: AbortSignal): Promise<string | undefined>;
	/**
	 * Runs it with arguments that fit. Resolves only when nothing of it runs any more, also after an
	 * abort. The failure of a tool is an output like any other.
	 *
	 * @param elicit asks the user for what the tool needs besides its arguments
	 * @throws {ChatError} when it can never run, whatever the arguments
	 */
	run(values: JsonObject, signal: AbortSignal, elicit: Elicit): Promise<ToolOutput>;
}

/** The result of a call, for the model. */
export type ToolOutput = {readonly parts: readonly ToolOutputPart[]; readonly isError: boolean};

/** A line of a question. */
export type ApprovalLine = {
	/**
	 * A word of at most 7 letters; empty if the line continues the one before. Lines labelled `says`
	 * stand for the description of the tool.
	 */
	readonly label: string;
	/** May contain anything; a screen shows all of it. */
	readonly text: string;
	/** The place of the line in a text of several lines, from 1. */
	readonly number?: number | undefined;
};

/** A call that somebody has to decide on. */
export type ApprovalRequest = {
	/** With arguments that fit the tool. */
	readonly call: ToolCall;
	readonly tool: ToolIdentity;
	/** Everything that is approved; may be millions of characters. */
	readonly lines: readonly ApprovalLine[];
	/** Its place among the calls of the step, from 1. */
	readonly place: {readonly number: number; readonly of: number};
	/** Why edited arguments were refused; the call is then the one before. */
	readonly problem?: string | undefined;
};

export type Approval =
	| {readonly type: 'run'; readonly decision: 'once' | 'session' | 'allowed'}
	/** Asks again with these arguments, the text of a JSON object. */
	| {readonly type: 'edit'; readonly arguments: string}
	| {readonly type: 'deny'; readonly reason?: string | undefined}
	/** Nobody is there to be asked. `isChanged`: the tool was allowed as it was before. */
	| {readonly type: 'unattended'; readonly isChanged?: boolean};

/**
 * Asks whether a call may run.
 *
 * @throws the signal's reason when it is aborted
 */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<Approval>;

/** Asks the user on behalf of a turn. */
export type Questions = {readonly approve: Approve; readonly elicit: Elicit};
