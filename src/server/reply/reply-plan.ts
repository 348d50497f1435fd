/** The plan for a request: a reply, and how it goes wrong. */

import type {ChatRequest} from '../request/request.ts';
import type {Fault} from './fault.ts';
import {makeReply} from './make-reply.ts';
import type {Reply} from './reply.ts';

export type ReplyPlan = {
	/** The rule of a scenario that it follows, as a person may read it; absent: none. */
	readonly rule?: string;
	readonly reply: Reply;
	readonly fault: Fault;
};

export interface ReplyPlanner {
	/** @throws {ServiceError} when the request is to get no reply. */
	plan(request: ChatRequest): ReplyPlan;
	/** Forgets what it has counted so far. */
	restart(): void;
}

/** Answers by rule, without faults. Counts nothing. */
export const ordinaryPlanner: ReplyPlanner = {
	plan: (request) => ({reply: makeReply(request), fault: {}}),
	restart: () => undefined,
};
