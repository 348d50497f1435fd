/**
 * The vocabulary of request checks: each takes a value of any kind and the path it came from, and
 * returns it typed or throws a 400 that names the path. Null counts as absent, as the convention
 * has it.
 */

import {isJsonObject, type JsonObject} from '../../json.ts';
import {fieldOf} from '../json.ts';
import {invalidRequest, type ServiceError} from '../service-error.ts';

export type Check<T> = (value: unknown, path: string) => T;

export const checkString: Check<string> = (value, path) => {
	if (typeof value === 'string') return value;
	throw wrong(value, path, 'a string');
};

export const checkBoolean: Check<boolean> = (value, path) => {
	if (typeof value === 'boolean') return value;
	throw wrong(value, path, 'a boolean');
};

export const checkObject: Check<JsonObject> = (value, path) => {
	if (isJsonObject(value)) return value;
	throw wrong(value, path, 'an object');
};

/** A number in a range, both ends included. */
export function checkNumber(minimum: number, maximum: number): Check<number> {
	return (value, path) => {
		if (typeof value === 'number' && value >= minimum && value <= maximum) return value;
		throw wrong(value, path, `a number from ${minimum} to ${maximum}`);
	};
}

/** An integer, at least `minimum`. */
export function checkInteger(minimum: number): Check<number> {
	const what = minimum === -Infinity ? 'an integer' : `an integer of at least ${minimum}`;
	return (value, path) => {
		if (typeof value === 'number' && Number.isInteger(value) && value >= minimum) return value;
		throw wrong(value, path, what);
	};
}

/** An array, each item checked under its own path. */
export function checkArray<T>(checkItem: Check<T>): Check<readonly T[]> {
	return (value, path) => {
		if (!Array.isArray(value)) throw wrong(value, path, 'an array');
		return value.map((item, index) => checkItem(item, `${path}[${index}]`));
	};
}

/** One of a few words. */
export function checkWord<const T extends string>(words: readonly T[]): Check<T> {
	return (value, path) => {
		const word = words.find((candidate) => candidate === value);
		if (word !== undefined) return word;
		throw wrong(value, path, `one of ${words.join(', ')}`);
	};
}

/** A field that must be there. `path` is the object's own, empty for the body. */
export function requireField<T>(object: JsonObject, key: string, path: string, check: Check<T>): T {
	const value = fieldOf(object, key);
	const fieldPath = joinPath(path, key);
	if (value === undefined || value === null) {
		throw invalidRequest(fieldPath, `${fieldPath} is missing`, 'missing_required_parameter');
	}
	return check(value, fieldPath);
}

/** A field that may be absent or null. */
export function readField<T>(
	object: JsonObject,
	key: string,
	path: string,
	check: Check<T>,
): T | undefined {
	const value = fieldOf(object, key);
	return value === undefined || value === null ? undefined : check(value, joinPath(path, key));
}

export function joinPath(path: string, key: string): string {
	return path === '' ? key : `${path}.${key}`;
}

/** A 400 for a value that is not what is expected: “<path> must be <expected>, not …”. */
export function wrong(value: unknown, path: string, expected: string): ServiceError {
	const code = typeof value === 'number' || typeof value === 'string' ? 'value' : 'type';
	const message = `${path} must be ${expected}, not ${describeValue(value)}`;
	return invalidRequest(path, message, `invalid_${code}`);
}

function describeValue(value: unknown): string {
	if (value === null || typeof value === 'boolean') return String(value);
	if (typeof value === 'number') return `the number ${value}`;
	if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 40))}`;
	return Array.isArray(value) ? 'an array' : 'an object';
}
