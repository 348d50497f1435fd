/** Tools, their sources, and call approval. Values and contracts only. */
import type {Hint} from '../hint.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import type {Elicit} from './elicitation.ts';
import type {Notice} from './event.ts';
import type {ToolCall, ToolDefinition, ToolOutputPart} from './message.ts';

/** An approval only covers an unchanged definition and origin. */
export type ToolIdentity = {
	readonly definition: ToolDefinition;
	/** Everything else: the command or server behind a call. */
	readonly origin: JsonValue;
};

/**
 * Where tools come from, such as a tools file or a server. Opened before the first request, and
 * always closed when the run ends.
 */
export interface ToolSource {
	/**
	 * The current tools, with unique names in a stable order. Read when a step starts: its request
	 * offers exactly these, and its calls are checked against them.
	 */
	readonly tools: readonly OfferedTool[];
	/** Calls back after each change in `tools`. Returns a function that ends the subscription. */
	onChange(listener: () => void): () => void;
	/** Returns what the user should know, each notice once. They are reported before a step and between calls. */
	takeNotices(): readonly Notice[];
	/** Called when no call runs any more. Resolves within a few seconds, when nothing else does. */
	close(): Promise<void>;
}

/** Calls that cannot run here are the turn's output. */
export type OfferedTool = Tool | Pick<Tool, 'definition'>;

/** A tool that can run here. */
export interface Tool extends ToolIdentity {
	/**
	 * Why the user has to be asked about every call: approvals given before the run do not count.
	 */
	readonly unapproved?: {readonly message: string; readonly hint: Hint} | undefined;
	/** Returns why the arguments do not fit, as a sentence for the model; undefined if they do. */
	check(values: JsonObject): Promise<string | undefined>;
	/** Returns everything that an approval covers. */
	describe(values: JsonObject): Promise<readonly ApprovalLine[]>;
	/**
	 * Prepares an approved tool: a source that starts nothing before an approval starts its server
	 * here. Its tools may change; a changed tool is asked about again. Returns an error sentence
	 * for the model, or undefined if the call can run.
	 *
	 * @throws {ChatError} if no other call can run either, such as for a missing login
	 */
	prepare?(signal: AbortSignal): Promise<string | undefined>;
	/**
	 * Runs it with valid arguments. Resolves only when nothing is left running, also after an
	 * abort. A tool's failure is an output like any other.
	 *
	 * @param elicit asks the user for further input
	 * @throws {ChatError} if it can never run, whatever the arguments
	 */
	run(values: JsonObject, signal: AbortSignal, elicit: Elicit): Promise<ToolOutput>;
}

/** A call's result, for the model. */
export type ToolOutput = {readonly parts: readonly ToolOutputPart[]; readonly isError: boolean};

/** A line in a question. */
export type ApprovalLine = {
	/**
	 * A word, at most 7 letters; empty to continue the previous line. Lines labelled `says` stand
	 * for the tool's description.
	 */
	readonly label: string;
	/** May contain anything; a screen shows all of it. */
	readonly text: string;
	/** Line number within a longer text, from 1. */
	readonly number?: number | undefined;
};

/** A call waiting for a decision. */
export type ApprovalRequest = {
	/** Has valid arguments. */
	readonly call: ToolCall;
	readonly tool: ToolIdentity;
	/** Everything to approve; may be millions of characters. */
	readonly lines: readonly ApprovalLine[];
	/** Position among the step's calls, from 1. */
	readonly place: {readonly number: number; readonly of: number};
	/** Why edited arguments were refused; the call is then the one before. */
	readonly problem?: string | undefined;
};

export type Approval =
	| {readonly type: 'run'; readonly decision: 'once' | 'session' | 'allowed'}
	/** Asks again with these arguments, the text of a JSON object. */
	| {readonly type: 'edit'; readonly arguments: string}
	| {readonly type: 'deny'; readonly reason?: string | undefined}
	/** No one can be asked. `isChanged`: the tool was allowed, and has changed since. */
	| {readonly type: 'unattended'; readonly isChanged?: boolean};

/**
 * Asks whether a call may run.
 *
 * @throws the signal's reason when it is aborted
 */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<Approval>;

/** Asks the user for a turn. */
export type Questions = {readonly approve: Approve; readonly elicit: Elicit};
