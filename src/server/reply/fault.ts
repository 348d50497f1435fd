/**
 * How a reply goes wrong, as written in a scenario file. Each fault happens where a reply is
 * encoded or sent, under the name it has in the file; times are milliseconds here. No faults: an
 * empty object.
 */
import * as v from 'valibot';
import {
	type Fail,
	integerFrom,
	jsonObject,
	numberFrom,
	optional,
	read,
	strictObject,
} from '../../check-json.ts';

/** How a connection ends: by HTTP's rules, closed within a body, or reset. */
export type Ending = 'end' | 'fin' | 'reset';

const unitMs: Readonly<Record<string, number>> = {ms: 1, s: 1_000, m: 60_000};
const longestMs = 86_400_000;

/** Milliseconds for `500ms`, `2s` or `1.5m`; a bare number counts in `bareUnit`. */
function duration(bareUnit: 'ms' | 's', message: string) {
	return v.pipe(
		v.unknown(),
		read((value, fail): number => {
			const text = typeof value === 'number' ? `${value}${bareUnit}` : String(value);
			const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?(ms|s|m)$/.exec(text) ?? [];
			const ms = Number(amount) * (unitMs[unit] ?? 0);
			return ms <= longestMs ? ms : fail(message);
		}),
	);
}

const time = duration(
	'ms',
	'must be a duration such as 500ms, 2s or 1m, or a number of milliseconds, up to a day',
);

/** The header's seconds as milliseconds; `{date: 2s}` for a date two seconds ahead. */
const retryAfter = v.lazy((input) => (typeof input === 'object' ? retryDate : retrySeconds));
const retryDate = strictObject({date: time});
const retrySeconds = duration(
	's',
	'must be a number of seconds, a duration such as 2s, or {date: 2s}',
);

const headerValue = v.pipe(
	v.custom<string | number>(
		(value) => ['string', 'number'].includes(typeof value),
		'must be a text',
	),
	v.transform(String),
	v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'has characters that are not allowed in a header'),
);

const headerName = v.pipe(
	v.string(),
	v.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not a valid header name'),
	v.regex(
		/^(?!(?:content-length|transfer-encoding)$)/i,
		'is set by the service; cut makes a body too short',
	),
	v.toLowerCase(),
);

/** A place in a body: after so many stream events, or so many bytes. */
const place = {after_events: optional(integerFrom(0)), after_bytes: optional(integerFrom(0))};

const fields = strictObject({
	/** Delay before the head; replaces the service's latency. */
	delay: optional(time),
	/** The wait between the head and the body. */
	delay_first_token: optional(time),
	/** Events per second; replaces the service's rate. */
	rate: optional(numberFrom(0.1, 1_000_000)),
	/** After how long a silence a stream gets a comment. More comments would be a flood. */
	keep_alive_comments: optional(v.pipe(time, v.minValue(5, 'must be at least 5ms'))),
	status: optional(integerFrom(200, 599)),
	/** Text is sent unchanged, anything else as JSON; absent: an error naming the status. */
	body: v.optional(v.unknown()),
	headers: optional(v.pipe(jsonObject, v.record(headerName, headerValue))),
	retry_after: optional(retryAfter),
	content_type: optional(headerValue),
	close_before_head: optional(
		v.union([v.literal(true), v.picklist(['fin', 'reset'])], 'must be true, fin or reset'),
	),
	cut: optional(strictObject({...place, how: optional(v.picklist(['fin', 'reset', 'end']))})),
	/** A silence within the body; endless without a length. */
	stall: optional(strictObject({...place, for: optional(time)})),
	/** The event, counted from 1, with invalid JSON: half of itself, or the given text. */
	malformed: optional(strictObject({event: integerFrom(1), text: optional(v.string())})),
	/** An error in the stream, which replaces the rest of the answer. */
	error: optional(strictObject({after_events: integerFrom(0), body: v.optional(v.unknown())})),
	done: optional(v.picklist(['duplicate', 'missing'])),
	/** `missing`: it never comes, but every chunk has its field; `no_field`: none has. */
	finish_reason: optional(v.picklist(['missing', 'no_field'])),
});

export type Fault = Partial<v.InferOutput<typeof fields>>;

/** Which other faults may be combined with these. */
const allowedWith: Readonly<Record<string, string>> = {
	close_before_head: 'delay',
	status: 'delay delay_first_token body headers retry_after content_type cut stall',
};

export const fault = v.pipe(
	fields,
	read((given, fail): Fault => {
		checkTogether(given, fail);
		return given;
	}),
);

function checkTogether(given: Fault, fail: Fail): void {
	const keys = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [key]));
	for (const [key, allowed] of Object.entries(allowedWith)) {
		const conflicting = keys.find((other) => other !== key && !allowed.split(' ').includes(other));
		if (keys.includes(key) && conflicting !== undefined) {
			fail(`cannot happen together with ${key}`, conflicting);
		}
	}
	for (const key of ['cut', 'stall'] as const) {
		const {after_events: events, after_bytes: bytes} = given[key] ?? {after_events: 0};
		if ((events === undefined) === (bytes === undefined)) {
			fail('needs either after_events or after_bytes', key);
		}
	}
	const orphan = keys.find((key) => key === 'body' || key === 'retry_after');
	if (given.status === undefined && orphan !== undefined) fail('needs a status beside it', orphan);
}
