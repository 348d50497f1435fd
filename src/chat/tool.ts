/** Tools that can be run here, and the approval of their calls. Values and contracts only. */
import type {JsonObject} from '../json.ts';
import type {Tool, ToolCall} from './message.ts';

/**
 * Everything that an approval is about. Definitions that differ in anything are different tools: an
 * approval of one does not count for another.
 */
export type ToolDefinition = Tool & {
	/** The program and its arguments; an element `{name}` is replaced by an argument of the call. */
	readonly command: readonly string[];
	/** The folder it runs in, absolute. */
	readonly cwd: string;
	/** Names of the variables it gets besides the few that every tool gets. */
	readonly environment: readonly string[];
};

export interface RunnableTool {
	readonly definition: ToolDefinition;
	/** Returns why the arguments do not fit, as a sentence for the model; undefined if they do. */
	check(values: JsonObject): string | undefined;
	/**
	 * Runs it with arguments that fit. Resolves only when nothing of it runs any more, also after an
	 * abort. The failure of a tool is an output like any other.
	 *
	 * @throws {ChatError} when it can never run, whatever the arguments
	 */
	run(values: JsonObject, signal: AbortSignal): Promise<ToolOutput>;
}

/** The result of a call, for the model. */
export type ToolOutput = {readonly output: string; readonly isError: boolean};

/** A call that somebody has to decide on. */
export type ApprovalRequest = {
	/** With arguments that fit the tool. */
	readonly call: ToolCall;
	readonly tool: ToolDefinition;
	/** Why edited arguments were refused; the call is then the one before. */
	readonly problem?: string | undefined;
};

export type Approval =
	| {readonly type: 'run'; readonly decision: 'once' | 'session' | 'allowed'}
	/** Asks again with these arguments, the text of a JSON object. */
	| {readonly type: 'edit'; readonly arguments: string}
	| {readonly type: 'deny'; readonly reason?: string | undefined}
	/** Nobody is there to be asked. */
	| {readonly type: 'unattended'};

/**
 * Asks whether a call may run.
 *
 * @throws the signal's reason when it is aborted
 */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<Approval>;

/** `allowed`: by the command line. `unattended`: not run, because nobody could be asked. */
export type ToolDecision = 'once' | 'session' | 'allowed' | 'denied' | 'unattended';
