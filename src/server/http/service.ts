/** A running service's parts, its exchanges, and JSON responses. */
import type {IncomingMessage, OutgoingHttpHeaders, ServerResponse} from 'node:http';
import type {ReplySettings} from '../reply/send-reply.ts';
import type {ReplyPlanner} from '../scenario/play-scenario.ts';
import type {RequestRecord, RequestRecorder} from './record-requests.ts';

export type ServiceLimits = {
	readonly maxBodyBytes: number;
	/** Limit for all bodies kept for `GET /requests`. */
	readonly maxKeptBytes: number;
	/** Replies at once, over which a request gets a 429. */
	readonly maxReplies: number;
	/** The time for running replies to end when the server closes. */
	readonly closeGraceMs: number;
};

export type Service = ReplySettings & {
	/** The listening host, if only this machine can reach it; otherwise undefined. */
	readonly ownHost: string | undefined;
	readonly apiKey: string | undefined;
	/** The origin whose pages may use the service, or `*`; undefined: none. */
	readonly corsOrigin: string | undefined;
	readonly limits: ServiceLimits;
	readonly planner: ReplyPlanner;
	readonly openReplies: Set<ServerResponse>;
	readonly recorder: RequestRecorder;
};

/** A request and its response, on the way through the handlers. */
export type Exchange = {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	/** The path without its query. */
	readonly path: string;
	/** Absent: requests for this path are not kept. */
	readonly record: RequestRecord | undefined;
};

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
	writeJson(response, status, body);
	response.end();
}

/** Like `sendJson`, but leaves the response open. Its length is known, so a client need not wait. */
export function writeJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: OutgoingHttpHeaders = {},
): void {
	const bytes = Buffer.from(JSON.stringify(body));
	response.writeHead(status, {
		'content-type': 'application/json; charset=utf-8',
		'content-length': bytes.length,
		...headers,
	});
	response.write(bytes);
}
