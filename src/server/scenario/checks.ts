/**
 * What scenario files need besides the checks of requests: objects whose every key is known,
 * durations, and ranges of numbers.
 */
import {findClosest} from '../../closest-word.ts';
import type {JsonObject, JsonValue} from '../../json.ts';
import {
	type Check,
	checkInteger,
	checkObject,
	checkString,
	joinPath,
	readField,
	wrong,
} from '../request/checks.ts';
import {invalidRequest} from '../service-error.ts';
import type {Counts} from './scenario.ts';

/** What the checks of some fields read; null counts as absent. */
export type Read<Fields extends Readonly<Record<string, Check<unknown>>>> = {
	readonly [Key in keyof Fields]: ReturnType<Fields[Key]> | undefined;
};

/** An object of these fields, none of which must be there, and of no others. */
export function checkFields<const Fields extends Readonly<Record<string, Check<unknown>>>>(
	fields: Fields,
): Check<Read<Fields>> {
	const known = Object.keys(fields);
	return (value, path) => {
		const object = checkObject(value, path);
		checkKeys(object, path, known);
		const entries = Object.entries(fields).map(([key, check]) => [
			key,
			readField(object, key, path, check),
		]);
		return Object.fromEntries(entries) as Read<Fields>;
	};
}

function checkKeys(object: JsonObject, path: string, known: readonly string[]): void {
	const unknown = Object.keys(object).find((key) => !known.includes(key));
	if (unknown === undefined) return;
	const nearest = findClosest(unknown, known);
	const help = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
	const at = joinPath(path, unknown);
	throw invalidRequest(at, `${at} is not known; ${help}`);
}

/** @throws {ServiceError} unless exactly one of the keys is there; returns that one. */
export function requireOneOf<Key extends string>(
	fields: Readonly<Record<Key, unknown>>,
	path: string,
	...keys: readonly Key[]
): Key {
	const [given, ...others] = keys.filter((key) => fields[key] !== undefined);
	if (given !== undefined && others.length === 0) return given;
	throw invalidRequest(path, `${path} needs either ${keys.join(' or ')}`);
}

/** Any value of JSON. */
export const checkAny: Check<JsonValue> = (value) => value as JsonValue;

/** A text that says something. */
export const checkText: Check<string> = (value, path) => {
	const text = checkString(value, path);
	if (text !== '') return text;
	throw invalidRequest(path, `${path} must not be empty`);
};

/** A whole number in a range, both ends included. */
export function checkIntegerIn(minimum: number, maximum: number): Check<number> {
	return (value, path) => {
		const isWhole = typeof value === 'number' && Number.isInteger(value);
		if (isWhole && value >= minimum && value <= maximum) return value;
		throw wrong(value, path, `a whole number from ${minimum} to ${maximum}`);
	};
}

/** Either a list of such values or one of them. */
export function checkOneOrMore<T>(check: Check<T>): Check<readonly T[]> {
	return (value, path) =>
		Array.isArray(value)
			? value.map((item, index) => check(item, `${path}[${index}]`))
			: [check(value, path)];
}

const unitMs: Readonly<Record<string, number>> = {ms: 1, s: 1_000, m: 60_000};

const longestMs = 86_400_000;

/** Milliseconds, up to a day: a number of them, or a text as `500ms`, `2s` or `1.5m`. */
export const checkDuration: Check<number> = (value, path) => {
	const ms = typeof value === 'number' ? value : readDuration(value);
	if (ms !== undefined && ms >= 0 && ms <= longestMs) return ms;
	throw wrong(value, path, 'a duration as 500ms, 2s, 1m or a number of milliseconds, up to a day');
};

/** The milliseconds of a text with a unit; undefined if it is none. */
export function readDuration(value: unknown): number | undefined {
	const pattern = /^(\d+(?:\.\d+)?) ?(ms|s|m)$/;
	const [, amount = '', unit = ''] = pattern.exec(typeof value === 'string' ? value : '') ?? [];
	const factor = unitMs[unit];
	return factor === undefined ? undefined : Number(amount) * factor;
}

/** `3`, `"2-4"`, `"3-"`, or a list of them. */
export const checkCounts: Check<Counts> = checkOneOrMore((value, path) => {
	if (typeof value === 'number') {
		const count = checkInteger(1)(value, path);
		return {from: count, to: count};
	}
	const [, first = '', last = ''] =
		/^([1-9]\d*) ?- ?([1-9]\d*)?$/.exec(typeof value === 'string' ? value : '') ?? [];
	const from = Number(first);
	const to = last === '' ? Number.POSITIVE_INFINITY : Number(last);
	if (first !== '' && from <= to) return {from, to};
	throw wrong(value, path, 'a number from 1, or a range as "2-4" or "3-"');
});
