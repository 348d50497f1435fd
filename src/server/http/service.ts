/** The parts of one running service, and the exchanges that go through it. */
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {ReplySettings} from '../reply/send-reply.ts';
import type {ReplyPlanner} from '../scenario/play-scenario.ts';
import type {RequestRecord, RequestRecorder} from './record-requests.ts';

export type ServiceLimits = {
	readonly maxBodyBytes: number;
	/** Of all bodies that are kept for `GET /requests`. */
	readonly maxKeptBytes: number;
	/** Replies at once, over which a request gets a 429. */
	readonly maxReplies: number;
	/** For running replies to end when the server closes. */
	readonly closeGraceMs: number;
};

export const defaultLimits: ServiceLimits = {
	maxBodyBytes: 64 * 1024 * 1024,
	maxKeptBytes: 64 * 1024 * 1024,
	maxReplies: 1000,
	closeGraceMs: 2_000,
};

export type Service = ReplySettings & {
	/** The host it listens on, if only this machine can reach that; else undefined. */
	readonly ownHost: string | undefined;
	readonly apiKey: string | undefined;
	readonly limits: ServiceLimits;
	readonly planner: ReplyPlanner;
	readonly openReplies: Set<ServerResponse>;
	readonly recorder: RequestRecorder;
};

/** One request and its response, on the way through the handlers. */
export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	/** The path without its query. */
	readonly path: string;
	/** Absent: requests for this path are not kept. */
	readonly record: RequestRecord | undefined;
};
