/**
 * The first mistake in a JSON text that a person wrote. `JSON.parse` words it differently in each
 * version of Node, without the place or with parts of the text.
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
	/** From 1. */
	readonly line: number;
	/** From 1, in UTF-16 units. */
	readonly column: number;
};

const space = /[ \t\r\n]*/y;
const comma = /,/y;
const colon = /:/y;
const opening = /[{[]/y;
const closing = {'{': /\}/y, '[': /\]/y} as const;
const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** What may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

const wordsOf: Readonly<Record<Expected, string>> = {
	value: 'expected a value',
	'value or ]': 'expected a value or ]',
	key: 'expected a key in double quotes (no comma before })',
	'key or }': 'expected a key in double quotes or }',
	':': 'expected a colon',
	', or end': 'expected a comma or a closing bracket',
};

/** Where a valid string would have been taken. */
const stringPlaces: ReadonlySet<Expected> = new Set(['value', 'value or ]', 'key', 'key or }']);

function reasonOf(expected: Expected, found: string): string {
	return found === '"' && stringPlaces.has(expected) ? 'invalid string' : wordsOf[expected];
}

/** The first mistake, or undefined if the text is JSON. Linear, and as deep as the text. */
export function findJsonError(text: string): JsonError | undefined {
	const scanner = createScanner(text);
	const brackets: Bracket[] = [];
	let expected: Expected = 'value';
	for (;;) {
		scanner.take(space);
		const isOutside = brackets.length === 0 && expected === ', or end';
		if (scanner.isAtEnd()) return isOutside ? undefined : scanner.error('unexpected end');
		if (isOutside) return scanner.error('unexpected text after the end');
		const next: Expected | undefined =
			close(expected, scanner, brackets) ?? steps[expected](scanner, brackets);
		if (next === undefined) return scanner.error(reasonOf(expected, scanner.peek()));
		expected = next;
	}
}

type Bracket = keyof typeof closing;

/** Reads one token. Undefined: it may not stand here. */
type Step = (scanner: Scanner, brackets: Bracket[]) => Expected | undefined;

function close(expected: Expected, scanner: Scanner, brackets: Bracket[]): Expected | undefined {
	const innermost = brackets.at(-1);
	const mayEnd = expected.includes(' or ');
	if (innermost === undefined || !mayEnd || !scanner.take(closing[innermost])) return undefined;
	brackets.pop();
	return ', or end';
}

const readKey: Step = (scanner) => (scanner.take(string) ? ':' : undefined);

const readValue: Step = (scanner, brackets) => {
	const bracket = scanner.peek() === '{' ? '{' : '[';
	if (scanner.take(opening)) {
		brackets.push(bracket);
		return bracket === '{' ? 'key or }' : 'value or ]';
	}
	return scanner.take(string) || scanner.take(scalar) ? ', or end' : undefined;
};

const steps: Readonly<Record<Expected, Step>> = {
	value: readValue,
	'value or ]': readValue,
	key: readKey,
	'key or }': readKey,
	':': (scanner) => (scanner.take(colon) ? 'value' : undefined),
	', or end': (scanner, brackets) => {
		if (!scanner.take(comma)) return undefined;
		return brackets.at(-1) === '{' ? 'key' : 'value';
	},
};

type Scanner = ReturnType<typeof createScanner>;

function createScanner(text: string) {
	let place = 0;
	return {
		isAtEnd: () => place >= text.length,
		peek: () => text.charAt(place),
		/** Whether the pattern matches here; the scanner then continues after it. */
		take(pattern: RegExp): boolean {
			pattern.lastIndex = place;
			const found = pattern.exec(text)?.[0];
			place += found?.length ?? 0;
			return found !== undefined;
		},
		error(reason: string): JsonError {
			const lines = text.slice(0, place).split('\n');
			return {reason, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1};
		},
	};
}
