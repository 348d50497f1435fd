/**
 * Texts of flags, variables and files to values. Each parser throws a `ValueError` whose message
 * completes the sentence "<where> is <text>, but it …".
 */

export class ValueError extends Error {
	override readonly name = 'ValueError';
}

export type Parse<Value> = (text: string) => Value;

export const parseText: Parse<string> = (text) => text;

/** A text that is not blank. */
export const parseName: Parse<string> = (text) => {
	if (text.trim() !== '') return text;
	throw new ValueError('must not be empty');
};

/** @returns a parser of numbers from `min` to `max`, both included */
export function numberBetween(min: number, max: number): Parse<number> {
	return (text) => {
		const value = decimal.test(text) ? Number(text) : Number.NaN;
		if (value >= min && value <= max) return value;
		throw new ValueError(`must be a number from ${min} to ${max}`);
	};
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** @returns a parser of whole numbers from `min` to `max`, both included */
export function integerFrom(min: number, max = Number.MAX_SAFE_INTEGER): Parse<number> {
	const rule = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
	return (text) => {
		const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
		if (value >= min && value <= max) return value;
		throw new ValueError(`must be a whole number ${rule}`);
	};
}

/** @returns a parser for which an empty text takes back what another source has set */
export function orNothing<Value>(parse: Parse<Value>): Parse<Value | undefined> {
	return (text) => (text === '' ? undefined : parse(text));
}

/** @returns a parser that takes one of the given words */
export function oneOf<Word extends string>(...words: readonly Word[]): Parse<Word> {
	return (text) => {
		const word = words.find((candidate) => candidate === text);
		if (word !== undefined) return word;
		throw new ValueError(`must be one of ${words.join(', ')}`);
	};
}

const switchWords: Readonly<Record<string, boolean>> = {
	true: true,
	yes: true,
	on: true,
	'1': true,
	false: false,
	no: false,
	off: false,
	'0': false,
};

export const parseSwitch: Parse<boolean> = (text) => {
	const word = text.toLowerCase();
	const value = Object.hasOwn(switchWords, word) ? switchWords[word] : undefined;
	if (value !== undefined) return value;
	throw new ValueError('must be true or false');
};

const unitMs: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000};

/** The longest delay that Node's timers take, in milliseconds; a longer one they end at once. */
const maxDurationMs = 2 ** 31 - 1;

/**
 * A duration as `500ms`, `10s`, `2m` or `1h`, in milliseconds from 0 to `maxDurationMs`; a lone `0`
 * switches a limit off.
 */
export const parseDuration: Parse<number> = (text) => {
	if (text === '0') return 0;
	const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
	const factor = unit === undefined ? undefined : unitMs[unit];
	if (amount === undefined || factor === undefined) {
		throw new ValueError('must be a duration such as 500ms, 10s or 2m (0 for no limit)');
	}
	const ms = Math.round(Number(amount) * factor);
	if (ms <= maxDurationMs) return ms;
	throw new ValueError(`must be at most ${maxDurationMs}ms, which is 596.5h (0 for no limit)`);
};

/** A whole number from 1, or the word `all`. */
export const parseBlockNumber: Parse<number | 'all'> = (text) => {
	if (text === 'all') return 'all';
	if (/^[1-9]\d*$/.test(text)) return Number(text);
	throw new ValueError('must be a number from 1, or all');
};

/** An http or https URL without user and password. */
export const parseBaseUrl: Parse<URL> = (text) => {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new ValueError('must be a URL that starts with http:// or https://');
	}
	if (url.username !== '' || url.password !== '') {
		throw new ValueError('must not hold a user or password; a key belongs in CHAT_API_KEY');
	}
	return url;
};
