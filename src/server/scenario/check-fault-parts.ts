/** Checks the single faults of a rule, each by itself. */
import type {OutgoingHttpHeaders} from 'node:http';
import {isJsonObject} from '../../json.ts';
import type {Ending, Fault, Place, RetryAfter} from '../fault.ts';
import {
	type Check,
	checkInteger,
	checkObject,
	checkString,
	checkWord,
	wrong,
} from '../request/checks.ts';
import {encodeError, invalidRequest, ServiceError} from '../service-error.ts';
import {
	checkAny,
	checkDuration,
	checkFields,
	type Read,
	readDuration,
	requireOneOf,
} from './checks.ts';

export const checkHeaderValue: Check<string> = (value, path) => {
	const text = typeof value === 'number' ? String(value) : checkString(value, path);
	if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
	throw invalidRequest(path, `${path} holds characters that no header may have`);
};

const frameHeaders: readonly string[] = ['content-length', 'transfer-encoding'];

export const checkHeaders: Check<OutgoingHttpHeaders> = (value, path) => {
	const entries = Object.entries(checkObject(value, path)).map(([name, text]) => {
		const at = `${path}.${name}`;
		if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw invalidRequest(at, `${at} is no header name`);
		if (frameHeaders.includes(name.toLowerCase())) {
			throw invalidRequest(at, `${at} is set by the service; cut makes a body too short`);
		}
		return [name.toLowerCase(), checkHeaderValue(text, at)];
	});
	return Object.fromEntries(entries);
};

/** Seconds as in the header; `{date: 2s}` for the date in two seconds. */
export const checkRetryAfter: Check<RetryAfter> = (value, path) => {
	if (isJsonObject(value)) {
		const {date} = checkFields({date: checkDuration})(value, path);
		if (date !== undefined) return {form: 'date', ms: date};
	}
	const ms = typeof value === 'number' ? value * 1_000 : readDuration(value);
	if (ms !== undefined && ms >= 0) return {form: 'seconds', ms};
	throw wrong(value, path, 'a number of seconds, a duration as 2s, or {date: 2s}');
};

export const checkClose: Check<Exclude<Ending, 'end'>> = (value, path) =>
	value === true ? 'fin' : checkWord(['fin', 'reset'])(value, path);

const places = {after_events: checkInteger(0), after_bytes: checkInteger(0)} as const;

function readPlace(read: Read<typeof places>, path: string): Place {
	const key = requireOneOf(read, path, 'after_events', 'after_bytes');
	return {unit: key === 'after_events' ? 'events' : 'bytes', count: read[key] ?? 0};
}

const readCut = checkFields({...places, how: checkWord(['fin', 'reset', 'end'])});

export const checkCut: Check<Fault['cut']> = (value, path) => {
	const {how = 'fin', ...place} = readCut(value, path);
	return {place: readPlace(place, path), ending: how};
};

const readStall = checkFields({...places, for: checkDuration});

export const checkStall: Check<Fault['stall']> = (value, path) => {
	const {for: ms, ...place} = readStall(value, path);
	return {place: readPlace(place, path), ms};
};

const readMalformed = checkFields({event: checkInteger(1), text: checkString});

export const checkMalformed: Check<Fault['malformed']> = (value, path) => {
	const {event, text} = readMalformed(value, path);
	if (event === undefined) throw invalidRequest(path, `${path}.event is missing`);
	return {event, text};
};

const readError = checkFields({after_events: checkInteger(0), body: checkAny});

export const checkError: Check<Fault['error']> = (value, path) => {
	const {after_events: afterEvents, body} = readError(value, path);
	if (afterEvents === undefined) throw invalidRequest(path, `${path}.after_events is missing`);
	const ownBody = encodeError(new ServiceError(500, 'an error, as the scenario wants it'));
	return {afterEvents, body: body ?? ownBody};
};

/** More comments would be a flood. */
const shortestKeepAliveMs = 5;

export const checkKeepAlive: Check<number> = (value, path) => {
	const ms = checkDuration(value, path);
	if (ms >= shortestKeepAliveMs) return ms;
	throw invalidRequest(path, `${path} must be at least ${shortestKeepAliveMs}ms`);
};
