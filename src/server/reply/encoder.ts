/** The boundary between a reply and its convention. */
import type {Fault} from './fault.ts';
import type {CutReply, ReplyUsage} from './reply.ts';

export type ReplyEvent = {
	/** The `event:` line; absent: none. */
	readonly name?: string;
	readonly data: string;
};

export type ReplyFacts = {
	/** Counts on demand: a long prompt takes a while. */
	readonly countUsage: () => ReplyUsage;
	readonly fault: Fault;
	/** Unix seconds. */
	readonly now: () => number;
};

/** Writes one reply. A stream's increments, joined, are exactly the strings in the whole. */
export type ReplyEncoder = {
	/** A reply without a stream. */
	encodeWhole(reply: CutReply, facts: ReplyFacts): string;
	/** A stream's events, made on demand, without its end mark. */
	encodeEvents(reply: CutReply, facts: ReplyFacts): Iterable<ReplyEvent>;
	/**
	 * @param body text to send unchanged, or JSON
	 * @param count events before it
	 */
	encodeError(body: unknown, count: number): ReplyEvent;
};

/** A scripted body: text unchanged, anything else as JSON. */
export function encodeBody(body: unknown): string {
	return typeof body === 'string' ? body : JSON.stringify(body);
}
