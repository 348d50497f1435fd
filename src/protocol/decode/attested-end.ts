/** Ends steps of conventions that attest their end: without its mark, a reply is cut. */
import {isCutReason, withCommonWord} from '../../finish-reason.ts';
import type {JsonObject} from '../../json.ts';
import type {Usage} from '../../usage.ts';
import type {StepEvidence, StreamEnd} from './completion.ts';
import {finishCall, type OpenCall} from './open-call.ts';
import type {Step} from './step.ts';

export type AttestedEnd = Pick<StepEvidence, 'finishReason' | 'isStarted'> & {
	/** In the output's order. */
	readonly calls: readonly OpenCall[];
	readonly usage: Usage | undefined;
	readonly extra: JsonObject | undefined;
};

/** @throws {ChatError} if the reply is cut off, empty or failed */
export function endAttested(step: Step, attested: AttestedEnd, end: StreamEnd): void {
	const {finishReason, isStarted, calls, usage, extra} = attested;
	const hasCalls = calls.length > 0;
	step.finish({finishReason, hasFinishKey: true, isStarted, hasCalls}, end);
	const isCut = finishReason === undefined || isCutReason(finishReason);
	for (const call of calls) {
		call.channel.end();
		step.add({type: 'tool-call', call: finishCall(call, isCut)});
	}
	step.add({type: 'step-end', finishReason: withCommonWord(finishReason), usage, extra});
}
