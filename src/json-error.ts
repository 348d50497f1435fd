/**
 * Finds the first mistake in JSON that a person wrote. `JSON.parse` reports it differently in each
 * version of Node, without its position or with parts of the text, which may be a key.
 */
import type {JsonValue} from './json.ts';

/** @returns the value, or a problem that completes the sentence "the file …" */
export function parseUserJson(
	text: string,
): {readonly value: JsonValue} | {readonly problem: string} {
	try {
		return {value: JSON.parse(text) as JsonValue};
	} catch {
		const {reason, line, column} = findJsonError(text) ?? {reason: '', line: 1, column: 1};
		return {problem: `is not valid JSON: line ${line}, column ${column}: ${reason}`};
	}
}

type JsonError = {
	readonly reason: string;
	/** Counted from 1. */
	readonly line: number;
	/** Counted from 1, in UTF-16 units. */
	readonly column: number;
};

const string = String.raw`"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const value = String.raw`[[{]|${string}|(?:${number}|true|false|null)(?![\w.+-])`;

/** The token that may come next, by the words for it. */
const tokens = {
	'a value': new RegExp(value, 'y'),
	'a value or ]': new RegExp(`]|${value}`, 'y'),
	'a key in double quotes (no comma before })': new RegExp(string, 'y'),
	'a key in double quotes or }': new RegExp(`}|${string}`, 'y'),
	'a colon': /:/y,
	'a comma or a closing bracket': /[,\]}]/y,
} as const;

type Expected = keyof typeof tokens;

/** Returns the first mistake; undefined if the text is valid. Takes linear time, at any depth. */
export function findJsonError(text: string): JsonError | undefined {
	/** The brackets that close the open ones. */
	const closing: string[] = [];
	let expected: Expected = 'a value';
	let position = 0;
	for (;;) {
		position += match(/[ \t\r\n]*/y, text, position)?.length ?? 0;
		const isOutside = closing.length === 0 && expected === 'a comma or a closing bracket';
		if (position >= text.length) {
			return isOutside ? undefined : errorAt(position, text, 'unexpected end');
		}
		if (/\/[/*]/y.test(text.slice(position, position + 2))) {
			return errorAt(position, text, 'comments are not allowed');
		}
		if (isOutside) return errorAt(position, text, 'unexpected text after the end');
		const token = match(tokens[expected], text, position);
		if (token === undefined || (/^[\]}]$/.test(token) && token !== closing.at(-1))) {
			return errorAt(position, text, reasonFor(expected, text[position]));
		}
		position += token.length;
		expected = nextAfter(token, expected, closing);
	}
}

function reasonFor(expected: Expected, found: string | undefined): string {
	return found === '"' && /value|key/.test(expected) ? 'invalid string' : `expected ${expected}`;
}

function nextAfter(token: string, expected: Expected, closing: string[]): Expected {
	switch (token) {
		case '{':
			closing.push('}');
			return 'a key in double quotes or }';
		case '[':
			closing.push(']');
			return 'a value or ]';
		case '}':
		case ']':
			closing.pop();
			return 'a comma or a closing bracket';
		case ',':
			return closing.at(-1) === '}' ? 'a key in double quotes (no comma before })' : 'a value';
		case ':':
			return 'a value';
		default:
			return expected.startsWith('a key') ? 'a colon' : 'a comma or a closing bracket';
	}
}

function match(pattern: RegExp, text: string, position: number): string | undefined {
	pattern.lastIndex = position;
	return pattern.exec(text)?.[0];
}

function errorAt(position: number, text: string, reason: string): JsonError {
	return {reason, ...placeOf(position, text)};
}

/** Returns the place of a position in a text, for messages. */
export function placeOf(position: number, text: string): Pick<JsonError, 'line' | 'column'> {
	const lines = text.slice(0, position).split('\n');
	return {line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1};
}
