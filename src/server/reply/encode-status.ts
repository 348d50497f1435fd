/** A scripted status as a whole response. */
import type {OutgoingHttpHeaders} from 'node:http';
import {encodeError, ServiceError} from '../service-error.ts';
import {encodeBody} from './encode-events.ts';
import type {RetryAfter, ScriptedStatus} from './fault.ts';

/** A response that is not streamed, before its length is known. */
export type WholeReply = {
	readonly status: number;
	readonly headers: OutgoingHttpHeaders;
	readonly text: string;
};

export const jsonType = 'application/json; charset=utf-8';

/** @param now Unix milliseconds, for a date to come back at. */
export function encodeStatus({code, body, retryAfter}: ScriptedStatus, now: number): WholeReply {
	const error = encodeError(new ServiceError(code, `status ${code}, as the scenario asks`));
	const isText = typeof body === 'string';
	return {
		status: code,
		headers: {
			'content-type': isText ? 'text/plain; charset=utf-8' : jsonType,
			...(retryAfter === undefined ? {} : {'retry-after': encodeRetryAfter(retryAfter, now)}),
		},
		text: encodeBody(body ?? error),
	};
}

/** A date has no parts of a second, so the next one counts. */
function encodeRetryAfter({form, ms}: RetryAfter, now: number): string {
	if (form === 'seconds') return String(ms / 1000);
	return new Date(Math.ceil((now + ms) / 1000) * 1000).toUTCString();
}
