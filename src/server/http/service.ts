/** The parts of one running service, and the exchanges that go through it. */
import type {IncomingMessage, ServerResponse} from 'node:http';
import {setImmediate} from 'node:timers/promises';
import type {ReplyPlanner} from '../reply/reply-plan.ts';
import type {ReplySettings} from '../reply/send-reply.ts';
import {ServiceError} from '../service-error.ts';
import type {RequestRecord, RequestRecorder} from './record-requests.ts';

export type ServiceLimits = {
	readonly maxBodyBytes: number;
	/** Of all bodies that are kept for `GET /requests`. */
	readonly maxKeptBytes: number;
	/** Replies at once, over which a request gets a 429. */
	readonly maxReplies: number;
	/** For the headers of a request to arrive. */
	readonly headersTimeoutMs: number;
	/** For a whole request to arrive. */
	readonly requestTimeoutMs: number;
	/** For a reader that takes nothing. */
	readonly drainTimeoutMs: number;
	/** For running replies to end when the server closes. */
	readonly closeGraceMs: number;
};

export const defaultLimits: ServiceLimits = {
	maxBodyBytes: 64 * 1024 * 1024,
	maxKeptBytes: 64 * 1024 * 1024,
	maxReplies: 1000,
	headersTimeoutMs: 15_000,
	requestTimeoutMs: 120_000,
	drainTimeoutMs: 30_000,
	closeGraceMs: 2_000,
};

export type Service = ReplySettings & {
	/** The host it listens on, if only this machine can reach that; else undefined. */
	readonly ownHost: string | undefined;
	readonly apiKey: string | undefined;
	readonly limits: ServiceLimits;
	readonly replies: ReplyPlanner;
	readonly slots: ReplySlots;
	/** Absent: nothing is kept. */
	readonly recorder: RequestRecorder | undefined;
};

/** Planning a large reply takes a while, and so does writing a batch of one; others get turns between. */
export function createTurns(): () => Promise<void> {
	let last: Promise<void> = Promise.resolve();
	return () => {
		last = last.then(() => setImmediate());
		return last;
	};
}

/** One request and its response, on the way through the handlers. */
export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	/** The path without its query. */
	readonly path: string;
	/** Tells a client that waits for it to send the body. */
	readonly beforeReading: () => void;
	/** Where to note what it holds; undefined: it is not kept. */
	readonly record: RequestRecord | undefined;
};

export interface ReplySlots {
	/** Replies under way. */
	readonly taken: number;
	/**
	 * Takes a place for one reply; the function gives it back.
	 *
	 * @throws {ServiceError} 429 when there is none.
	 */
	take(): () => void;
}

export function createReplySlots(limit: number): ReplySlots {
	let taken = 0;
	return {
		get taken() {
			return taken;
		},
		take() {
			if (taken >= limit) {
				const message = `${limit} replies are under way; try again in a second`;
				const headers = {'retry-after': '1'};
				throw new ServiceError(429, message, {code: 'rate_limit_exceeded', headers});
			}
			taken += 1;
			return () => {
				taken -= 1;
			};
		},
	};
}
