/**
 * What a tool is that can be run here, and what is said about a call before and after it runs.
 * Values and contracts; how a tool runs is known to whoever makes one.
 */

import type {JsonObject} from '../json.ts';
import type {Tool, ToolCall} from './message.ts';

/**
 * Everything that an approval speaks of. Two definitions that differ in anything are two tools: an
 * approval of the one is none of the other.
 */
export type ToolDefinition = Tool & {
	/** The program and its arguments; an element `{name}` stands for an argument of the call. */
	readonly command: readonly string[];
	/** The folder it runs in, absolute. */
	readonly cwd: string;
	/** Names of the variables it gets besides the few that every tool gets. */
	readonly environment: readonly string[];
};

export interface RunnableTool {
	readonly definition: ToolDefinition;
	/** Why the arguments do not fit, as a sentence for the model; undefined if they do. */
	check(values: JsonObject): string | undefined;
	/**
	 * Runs it with arguments that fit. Resolves only when nothing of it runs any more, also when the
	 * signal is aborted. A tool that fails is an output like any other.
	 *
	 * @throws {ChatError} when it will never run, whatever the arguments
	 */
	run(values: JsonObject, signal: AbortSignal): Promise<ToolOutput>;
}

/** What the model is told of a call. */
export type ToolOutput = {readonly output: string; readonly isError: boolean};

/** A call that somebody has to decide on. */
export type ApprovalRequest = {
	/** With arguments that fit the tool. */
	readonly call: ToolCall;
	readonly tool: ToolDefinition;
	/** Why edited arguments were not taken; the call is then the one before. */
	readonly problem?: string | undefined;
};

export type Approval =
	| {readonly type: 'run'; readonly decision: 'once' | 'session' | 'allowed'}
	/** Asks again with these arguments, the text of a JSON object. */
	| {readonly type: 'edit'; readonly arguments: string}
	| {readonly type: 'deny'; readonly reason?: string | undefined}
	/** Nobody is there to be asked. */
	| {readonly type: 'unasked'};

/**
 * Asks whether a call may run.
 *
 * @throws the signal's reason when it is aborted
 */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<Approval>;

/** `allowed`: by the command line. `unasked`: not run, because nobody could be asked. */
export type ToolDecision = 'once' | 'session' | 'allowed' | 'denied' | 'unasked';
