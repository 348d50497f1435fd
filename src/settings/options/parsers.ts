/**
 * Parses values from flags, variables and files. A parser throws a `ValueError` whose message completes
 * the sentence "<location> is <text>, but it …".
 */
import {ChatError} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../json.ts';
import {redactUrlText} from '../../redact.ts';

export class ValueError extends Error {
	override readonly name: string = 'ValueError';
}

/** A mistake in a possibly secret text. Its message completes "<location> …". */
export class HiddenValueError extends ValueError {
	override readonly name = 'HiddenValueError';
}

export type Parse<Value> = {
	(text: string): Value;
	/** Accepted words, if there are only a few. */
	readonly words?: readonly string[] | undefined;
};

/**
 * @param location the flag, variable or key, for messages
 * @throws {ChatError} of this kind for an invalid text
 */
export function parseSetting<Value>(
	kind: 'usage' | 'config' | 'data',
	location: string,
	text: string,
	parse: Parse<Value>,
	hint?: Hint,
): Value {
	try {
		return parse(text);
	} catch (error) {
		if (!(error instanceof ValueError)) throw error;
		const given = error instanceof HiddenValueError ? '' : `is "${redactUrlText(text)}", but it `;
		throw new ChatError(kind, `${location} ${given}${error.message}`, {hint});
	}
}

export const parseText: Parse<string> = (text) => text;

export const parseName: Parse<string> = (text) => {
	if (text.trim() !== '') return text;
	throw new ValueError('must not be empty');
};

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Both limits are included. */
export function numberBetween(min: number, max: number): Parse<number> {
	return (text) => {
		const value = decimal.test(text) ? Number(text) : Number.NaN;
		if (value >= min && value <= max) return value;
		throw new ValueError(`must be a number from ${min} to ${max}`);
	};
}

/** Both limits are included. */
export function integerFrom(min: number, max = Number.MAX_SAFE_INTEGER): Parse<number> {
	return (text) => {
		const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
		if (value >= min && value <= max) return value;
		throw new ValueError(`must be a whole number${describeLimits(min, max)}`);
	};
}

function describeLimits(min: number, max: number): string {
	if (max !== Number.MAX_SAFE_INTEGER) return ` from ${min} to ${max}`;
	return min === Number.MIN_SAFE_INTEGER ? '' : ` of at least ${min}`;
}

/** An empty text unsets another source's value. */
export function orNothing<Value>(parse: Parse<Value>): Parse<Value | undefined> {
	const parseOther = (text: string) => (text === '' ? undefined : parse(text));
	return Object.assign(parseOther, {words: parse.words});
}

export function oneOf<Word extends string>(...words: readonly Word[]): Parse<Word> {
	const parse = (text: string) => {
		const word = words.find((candidate) => candidate === text);
		if (word !== undefined) return word;
		throw new ValueError(`must be one of ${words.join(', ')}`);
	};
	return Object.assign(parse, {words});
}

export const parseSwitch: Parse<boolean> = (text) => {
	if (/^(?:true|yes|on|1)$/i.test(text)) return true;
	if (/^(?:false|no|off|0)$/i.test(text)) return false;
	throw new ValueError('must be true or false');
};

const hour = 3_600_000;
const day = 24 * hour;
const units = {ms: 1, s: 1000, m: 60_000, h: hour, d: day, w: 7 * day, mo: 30 * day, y: 365 * day};
const unitMs: Readonly<Record<string, number>> = units;

/** Maximum delay for Node's timers, in milliseconds. A longer one ends immediately. */
const maxDurationMs = 2 ** 31 - 1;

/** Reads `500ms`, `10s`, `2m` or `1h` as milliseconds. `0` switches a limit off. */
export const parseDuration: Parse<number> = (text) => {
	if (text === '0') return 0;
	const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
	if (amount === '') {
		throw new ValueError('must be a duration such as 500ms, 10s or 2m (0 for no limit)');
	}
	const ms = Math.round(Number(amount) * (unitMs[unit] ?? Number.NaN));
	if (ms <= maxDurationMs) return ms;
	throw new ValueError(`must be at most ${maxDurationMs}ms, which is 596.5h (0 for no limit)`);
};

/** Reads `12h`, `7d`, `2w`, `3mo` (of 30 days) or `1y` (of 365) as milliseconds. */
export const parseAge: Parse<number> = (text) => {
	const [, amount = '', unit = ''] = /^([1-9]\d{0,5})(h|d|w|mo|y)$/.exec(text) ?? [];
	const ms = Number(amount) * (unitMs[unit] ?? Number.NaN);
	if (ms > 0) return ms;
	throw new ValueError('must be an age such as 12h, 7d, 2w, 3mo or 1y');
};

/** Reads which code blocks to print: one counted from 1, the last, or every one. */
export const parseBlockChoice: Parse<number | 'last' | 'all'> = (text) => {
	if (text === 'first') return 1;
	if (text === 'last' || text === 'all') return text;
	if (/^[1-9]\d*$/.test(text)) return Number(text);
	throw new ValueError('must be first, last, all, or a number from 1');
};

export function readCommand(words: JsonValue | undefined): readonly string[] {
	const isCommand = Array.isArray(words) && words.every((word) => typeof word === 'string');
	if (isCommand && words[0]?.trim() && !words.join('').includes('\0')) return words;
	throw new HiddenValueError(
		'must be a program and its arguments: ["pass", "show", "example/key"]',
	);
}

/** A system message, or a file containing it. */
export type SystemSource = {readonly text: string} | {readonly file: string};

export const parseSystem: Parse<SystemSource> = (text) =>
	text.startsWith('@') ? {file: text.slice(1)} : {text};

/**
 * Whether a schema is a file path, not JSON or a field list: a dot or slash comes before any character
 * specific to those.
 */
export function isSchemaPath(text: string): boolean {
	return /^[^,:{[\n]*[./\\]/.test(text) || /^[a-z]+:[\\/]/i.test(text);
}

export function readSchema(value: JsonValue): JsonObject {
	if (isJsonObject(value)) return value;
	throw new ValueError('must be a schema: an object, or a string in quotes');
}

/** Whether an `--mcp` text is a file path, not a server name. */
export function isServersPath(text: string): boolean {
	return /[./\\]/.test(text);
}
