/**
 * A calculator: `+ - * / % ^`, parentheses, decimals. Parses by recursive descent, with a bound on
 * depth, and evaluates nothing else.
 */

const maxDepth = 100;
const tokenPattern = /\s*(?:(\d+(?:\.\d+)?|\.\d+)|([-+*/%^()]))/y;

type Cursor = {readonly tokens: ReadonlyArray<number | string>; at: number; depth: number};

/** The value of an expression; undefined when it is none. May be infinite or NaN. */
export function evaluate(expression: string): number | undefined {
	const tokens = tokenize(expression);
	if (tokens === undefined || tokens.length === 0) return undefined;
	const cursor: Cursor = {tokens, at: 0, depth: 0};
	const value = readSum(cursor);
	return cursor.at === tokens.length ? value : undefined;
}

/** A result as a person writes it: twelve digits, no rounding dust. */
export function formatNumber(value: number): string {
	if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
	return String(Number(value.toPrecision(12)));
}

function tokenize(expression: string): ReadonlyArray<number | string> | undefined {
	const tokens: Array<number | string> = [];
	const text = expression.trim();
	tokenPattern.lastIndex = 0;
	while (tokenPattern.lastIndex < text.length) {
		const match = tokenPattern.exec(text);
		if (match === null) return undefined;
		tokens.push(match[1] === undefined ? (match[2] ?? '') : Number(match[1]));
	}
	return tokens;
}

type Operation = (left: number, right: number) => number;

const sums: Readonly<Record<string, Operation>> = {
	'+': (left, right) => left + right,
	'-': (left, right) => left - right,
};

const products: Readonly<Record<string, Operation>> = {
	'*': (left, right) => left * right,
	'/': (left, right) => left / right,
	'%': (left, right) => left % right,
};

function readSum(cursor: Cursor): number | undefined {
	return readChain(cursor, sums, readProduct);
}

function readProduct(cursor: Cursor): number | undefined {
	return readChain(cursor, products, readSigned);
}

function readChain(
	cursor: Cursor,
	operations: Readonly<Record<string, Operation>>,
	readOperand: (cursor: Cursor) => number | undefined,
): number | undefined {
	let value = readOperand(cursor);
	for (;;) {
		const operation = operations[String(cursor.tokens[cursor.at])];
		if (value === undefined || operation === undefined) return value;
		cursor.at += 1;
		const right = readOperand(cursor);
		value = right === undefined ? undefined : operation(value, right);
	}
}

/** A sign binds less than a power: -2^2 is -4. */
function readSigned(cursor: Cursor): number | undefined {
	let sign = 1;
	for (; isSign(cursor.tokens[cursor.at]); cursor.at += 1) {
		if (cursor.tokens[cursor.at] === '-') sign = -sign;
	}
	const value = readPower(cursor);
	return value === undefined ? undefined : sign * value;
}

function isSign(token: number | string | undefined): boolean {
	return token === '-' || token === '+';
}

function readPower(cursor: Cursor): number | undefined {
	const base = readAtom(cursor);
	if (base === undefined || cursor.tokens[cursor.at] !== '^') return base;
	cursor.at += 1;
	const exponent = nest(cursor, readSigned);
	return exponent === undefined ? undefined : base ** exponent;
}

function readAtom(cursor: Cursor): number | undefined {
	const token = cursor.tokens[cursor.at];
	cursor.at += 1;
	if (typeof token === 'number') return token;
	if (token !== '(') return undefined;
	const value = nest(cursor, readSum);
	if (cursor.tokens[cursor.at] !== ')') return undefined;
	cursor.at += 1;
	return value;
}

function nest(cursor: Cursor, read: (cursor: Cursor) => number | undefined): number | undefined {
	if (cursor.depth >= maxDepth) return undefined;
	cursor.depth += 1;
	const value = read(cursor);
	cursor.depth -= 1;
	return value;
}
