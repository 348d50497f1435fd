/** How long a turn under way has reasoned, without the pauses. */

/** Times on a monotonic clock. */
export type ReasoningTime = {
	/** When the reasoning began, shifted by each pause. */
	readonly reasoningFrom?: number | undefined;
	/** When the following text or call began; undefined while reasoning. */
	readonly reasoningUntil?: number | undefined;
};

/** Leaves out pauses after reasoning: answer text, tools, questions to the user. */
export function continueReasoning<Turn extends ReasoningTime>(turn: Turn, now: number): Turn {
	const {reasoningFrom, reasoningUntil} = turn;
	if (reasoningFrom === undefined) return {...turn, reasoningFrom: now, reasoningUntil: undefined};
	if (reasoningUntil === undefined) return turn;
	const continued = reasoningFrom + now - reasoningUntil;
	return {...turn, reasoningFrom: continued, reasoningUntil: undefined};
}

export function reasoningMsOf({reasoningFrom, reasoningUntil}: ReasoningTime, now: number): number {
	return reasoningFrom === undefined ? 0 : Math.max(0, (reasoningUntil ?? now) - reasoningFrom);
}
