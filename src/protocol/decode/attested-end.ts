/** Ends steps of conventions that attest their end: without its mark, a reply is cut. */
import {isCutReason, withCommonWord} from '../../finish-reason.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import type {Usage} from '../../usage.ts';
import type {StepEvidence, StreamEnd} from './completion.ts';
import {finishCall, type OpenCall} from './open-call.ts';
import {readCitations} from './sources.ts';
import type {Step} from './step.ts';

export type AttestedEnd = Pick<StepEvidence, 'finishReason' | 'isStarted'> & {
	/** In the output's order. */
	readonly calls: readonly OpenCall[];
	readonly usage: Usage | undefined;
	readonly citations: readonly JsonValue[];
	readonly extra: JsonObject | undefined;
};

/** @throws {ChatError} if the reply is cut off, empty or failed */
export function endAttested(step: Step, attested: AttestedEnd, end: StreamEnd): void {
	const {finishReason, isStarted, calls, usage, citations, extra} = attested;
	const hasCalls = calls.length > 0;
	step.finish({finishReason, hasFinishKey: true, isStarted, hasCalls}, end);
	const isCut = finishReason === undefined || isCutReason(finishReason);
	for (const call of calls) {
		call.channel.end();
		step.add({type: 'tool-call', call: finishCall(call, isCut)});
	}
	const sources = readCitations(citations);
	step.add({
		type: 'step-end',
		finishReason: withCommonWord(finishReason),
		usage,
		sources,
		extra,
	});
}
