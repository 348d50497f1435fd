/** How a reply goes wrong, as a scenario file says it. */
import * as v from 'valibot';
import {
	type Fail,
	integerFrom,
	jsonObject,
	numberFrom,
	optional,
	read,
	strictObject,
} from '../check.ts';
import type {Fault, Place, RetryAfter} from '../reply/fault.ts';
import {encodeError, ServiceError} from '../service-error.ts';

const unitMs: Readonly<Record<string, number>> = {ms: 1, s: 1_000, m: 60_000};
const longestMs = 86_400_000;

/** The milliseconds of `500ms`, `2s` or `1.5m`; a bare number counts in `bareUnit`. */
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

/** Seconds as in the header; `{date: 2s}` for the date in two seconds. */
const retryAfter = v.lazy((input) => (typeof input === 'object' ? retryDate : retrySeconds));

const retrySeconds = v.pipe(
	duration('s', 'must be a number of seconds, a duration such as 2s, or {date: 2s}'),
	v.transform((ms): RetryAfter => ({form: 'seconds', ms})),
);

const retryDate = v.pipe(
	strictObject({date: time}),
	v.transform(({date}): RetryAfter => ({form: 'date', ms: date})),
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
	v.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'is not a valid name of a header'),
	v.regex(
		/^(?!(?:content-length|transfer-encoding)$)/i,
		'is set by the service; cut makes a body too short',
	),
	v.toLowerCase(),
);

const placeEntries = {
	after_events: optional(integerFrom(0)),
	after_bytes: optional(integerFrom(0)),
};
const place = v.object(placeEntries);

function readPlace(fields: v.InferOutput<typeof place>, fail: Fail): Place {
	const {after_events: events, after_bytes: bytes} = fields;
	if (events !== undefined && bytes === undefined) return {unit: 'events', count: events};
	if (bytes !== undefined && events === undefined) return {unit: 'bytes', count: bytes};
	return fail('needs either after_events or after_bytes');
}

const cut = v.pipe(
	strictObject({...placeEntries, how: optional(v.picklist(['fin', 'reset', 'end']))}),
	read((fields, fail): Fault['cut'] => {
		return {place: readPlace(fields, fail), ending: fields.how ?? 'fin'};
	}),
);

const stall = v.pipe(
	strictObject({...placeEntries, for: optional(time)}),
	read((fields, fail): Fault['stall'] => ({place: readPlace(fields, fail), ms: fields.for})),
);

const ownError = encodeError(new ServiceError(500, 'an error, as the scenario asks'));

const error = v.pipe(
	strictObject({after_events: integerFrom(0), body: v.optional(v.unknown())}),
	v.transform(({after_events: afterEvents, body}) => ({afterEvents, body: body ?? ownError})),
);

const closing = v.pipe(
	v.union([v.literal(true), v.picklist(['fin', 'reset'])], 'must be true, fin or reset'),
	v.transform((value) => (value === true ? 'fin' : value)),
);

const fields = strictObject({
	delay: optional(time),
	delay_first_token: optional(time),
	rate: optional(numberFrom(0.1, 1_000_000)),
	// More comments would be a flood.
	keep_alive_comments: optional(v.pipe(time, v.minValue(5, 'must be at least 5ms'))),
	status: optional(integerFrom(200, 599)),
	body: v.optional(v.unknown()),
	headers: optional(v.pipe(jsonObject, v.record(headerName, headerValue))),
	retry_after: optional(retryAfter),
	content_type: optional(headerValue),
	close_before_head: optional(closing),
	cut: optional(cut),
	stall: optional(stall),
	malformed: optional(strictObject({event: integerFrom(1), text: optional(v.string())})),
	error: optional(error),
	done: optional(v.picklist(['duplicate', 'missing'])),
	finish_reason: optional(v.picklist(['missing', 'no_field'])),
});

type Fields = v.InferOutput<typeof fields>;

/** Faults that can still happen to a status, and to a response that never comes. */
const companionsOf: Readonly<Record<string, string>> = {
	close_before_head: 'delay',
	status: 'delay delay_first_token body headers retry_after content_type cut stall',
};

export const fault = v.pipe(
	fields,
	read((given, fail): Fault => {
		checkTogether(given, fail);
		const {status, content_type: type} = given;
		return {
			delayMs: given.delay,
			firstTokenDelayMs: given.delay_first_token,
			tokensPerSecond: given.rate,
			keepAliveMs: given.keep_alive_comments,
			status:
				status === undefined
					? undefined
					: {code: status, body: given.body, retryAfter: given.retry_after},
			headers: {...(type === undefined ? {} : {'content-type': type}), ...given.headers},
			closeBeforeHead: given.close_before_head,
			cut: given.cut,
			stall: given.stall,
			malformed: given.malformed,
			error: given.error,
			done: given.done,
			finishReason: given.finish_reason,
		};
	}),
);

function checkTogether(given: Fields, fail: Fail): void {
	const keys = Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [key]));
	for (const [key, companions] of Object.entries(companionsOf)) {
		const known = [key, ...companions.split(' ')];
		const stranger = keys.find((other) => !known.includes(other));
		if (keys.includes(key) && stranger !== undefined) {
			fail(`cannot happen together with ${key}`, stranger);
		}
	}
	const lonely = keys.find((key) => key === 'body' || key === 'retry_after');
	if (given.status === undefined && lonely !== undefined) fail('needs a status beside it', lonely);
}
