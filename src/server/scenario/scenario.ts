/**
 * A scenario after the checks: rules that say which requests they are for, what these get, and how
 * it goes wrong. Plain data; `play-scenario.ts` counts and decides.
 */

import type {JsonObject} from '../../json.ts';
import type {Fault} from '../fault.ts';

export type Scenario = {
	/** Whether a request without a rule is refused; else it is answered as without a scenario. */
	readonly isStrict: boolean;
	/** The first one that matches wins. */
	readonly rules: readonly ScenarioRule[];
};

export type ScenarioRule = {
	/** Its own, or its place in the file (`replies[2]`). */
	readonly name: string;
	readonly when: Conditions;
	/** How often it is used; `Infinity` if nothing is said. */
	readonly times: number;
	/** Undefined: the answer by rule, with the fault in it. */
	readonly reply: ScriptedReply | undefined;
	readonly fault: Fault;
};

/** All that are given must hold. */
export type Conditions = {
	/** The text of the last user message. */
	readonly prompt?: TextMatch | undefined;
	/** A name as it is sent, or only its tier. */
	readonly model?: string | undefined;
	/** How many user messages there are. */
	readonly turn?: Counts | undefined;
	/** How many requests that meet the other conditions came so far, with this one. */
	readonly nth?: Counts | undefined;
	readonly stream?: boolean | undefined;
	readonly has?: readonly Feature[] | undefined;
};

export type Feature = 'image' | 'tools' | 'tool_result' | 'system' | 'json';

export type TextMatch = {
	/** The whole text, without the white space around it. */
	readonly is?: string | undefined;
	readonly contains?: string | undefined;
	readonly matches?: RegExp | undefined;
};

/** Ranges with both ends in them; the number must be in one. */
export type Counts = ReadonlyArray<{readonly from: number; readonly to: number}>;

export type ScriptedReply = {
	readonly text: string;
	readonly reasoning: string;
	readonly toolCalls: readonly ScriptedCall[];
	readonly usage: Readonly<Record<string, unknown>> | undefined;
	readonly finishReason: string | undefined;
	/** The deltas of a stream, in place of the three texts. */
	readonly deltas: readonly JsonObject[] | undefined;
};

export type ScriptedCall = {
	/** Undefined: a new one for each reply. */
	readonly id: string | undefined;
	readonly name: string;
	readonly arguments: string;
};
