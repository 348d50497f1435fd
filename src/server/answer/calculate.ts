/** Calculates what the prompt asks for. */
import {evaluate, formatNumber} from './arithmetic.ts';
import type {Prompt} from './prompt.ts';
import type {Answer} from './rule.ts';

const maxExpressionLength = 500;

/** How people say operators, in the order they are replaced. */
const spokenOperators: ReadonlyArray<readonly [RegExp, string]> = [
	[/(\d),(?=\d{3}(?!\d))/g, '$1'],
	[/(\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+/gi, '$1 / 100 * '],
	[/\bsquare root of (\d+(?:\.\d+)?)/gi, '($1 ^ 0.5)'],
	[/\bsquared\b/gi, '^ 2'],
	[/\bcubed\b/gi, '^ 3'],
	[/\b(?:multiplied by|times)\b|×|·|(?<=\d)\s*x\s*(?=\d)/gi, '*'],
	[/\bdivided by\b|\bover\b|÷/gi, '/'],
	[/\bplus\b/gi, '+'],
	[/\bminus\b|−/gi, '-'],
	[/\b(?:modulo|mod)\b/gi, '%'],
	[/\b(?:to the power of)\b|\*\*/gi, '^'],
];

const leadPattern =
	/^(?:please |can you |could you |tell me |quick: ?)*(?:what(?:'s| is| are)|whats|calculate|compute|evaluate|solve|how much (?:is|are)|work out)?\s*:?\s*(?:the (?:result|value|sum) of )?/i;
const tailPattern = /\s*(?:=\s*\??|equals?\??|\?|[.!])*\s*(?:please[.!]?)?$/i;
const questionPattern =
	/\b(?:what|calculate|compute|how much|evaluate|result|solve|work out|equals?)\b/i;
const insidePattern = /[-(]*[\d.]+(?:\s*[-+*/%^()]+\s*[\d.]+)+\)*/g;

export function calculate({question}: Prompt): Answer | undefined {
	if (question.length > maxExpressionLength) return undefined;
	const text = spokenOperators.reduce(
		(spoken, [pattern, operator]) => spoken.replace(pattern, operator),
		question,
	);
	const whole = text.replace(leadPattern, '').replace(tailPattern, '');
	const candidates = [whole, ...(questionPattern.test(text) ? findInside(text) : [])];
	for (const expression of candidates) {
		const value = /\d[^\d.]+\d/.test(expression) ? evaluate(expression) : undefined;
		if (value !== undefined) return makeAnswer(expression.trim(), value);
	}
	return undefined;
}

function findInside(text: string): readonly string[] {
	return [...text.matchAll(insidePattern)].map(([expression]) => expression);
}

function makeAnswer(expression: string, value: number): Answer {
	const reasons = [`The prompt holds the expression ${expression}.`];
	if (!Number.isFinite(value)) {
		const why = /[/%]\s*\(*0/.test(expression) ? 'it divides by zero' : 'it is out of range';
		return {text: `${expression} has no value: ${why}.`, essence: 'undefined', reasons};
	}
	const result = formatNumber(value);
	reasons.push(`Multiplication before addition, parentheses first: it comes to ${result}.`);
	return {text: `${expression} = ${result}`, essence: Number(result), reasons};
}
