/**
 * Compares the outcome of a wire case with what its file expects. Reports every deviation, not
 * only the first.
 */
import type {ToolCall} from '../../src/chat/message.ts';
import type {RecordedRequest} from './request-reader.ts';
import {longestCaseMs, type WireCall, type WireCase, type WireExpectation} from './wire-cases.ts';

type AnyObject = Readonly<Record<string, unknown>>;

/** The outcome of a case, whether seen in the events or in the output of the program. */
export type WireOutcome = {
	readonly content: string;
	readonly refusal: string;
	readonly reasoning: string;
	readonly toolCalls: readonly ToolCall[];
	readonly finishReason: string | null;
	/** Unchanged from the service. */
	readonly usage: AnyObject | null;
	/** Everything the user sees about the failure; undefined if there was none. */
	readonly errorText: string | undefined;
	readonly isComplete: boolean;
	/** Whether the failure cut the answer off, even before its first word. */
	readonly isTruncated: boolean;
	readonly requests: readonly RecordedRequest[];
	readonly totalMs: number;
};

/** Lists each deviation of an outcome from its case, as a sentence. */
export function findDeviations(wireCase: WireCase, outcome: WireOutcome): readonly string[] {
	const {expect} = wireCase;
	const checks = expect.error === null ? limitChecks : [...resultChecks, ...limitChecks];
	return checks.flatMap((check) => check(expect, outcome) ?? []);
}

/** Returns the deviations. */
type Check = (expected: WireExpectation, outcome: WireOutcome) => string | undefined;

const resultChecks: readonly Check[] = [
	(expected, {content}) => compareText('content', expected, expected.content, content),
	(expected, {refusal}) => compareText('refusal', expected, expected.refusal ?? '', refusal),
	(expected, {reasoning}) => compareText('reasoning', expected, expected.reasoning, reasoning),
	(expected, {finishReason}) => compare('finish reason', expected.finish_reason, finishReason),
	(expected, {usage}) => report('usage', isUsage(expected.usage, usage), expected.usage, usage),
	(expected, {toolCalls}) =>
		report(
			'tool calls',
			isSameCalls(expected.tool_calls, toolCalls),
			expected.tool_calls,
			toolCalls,
		),
	(expected, {errorText}) =>
		report('error', (errorText !== undefined) === expected.error, expected.error, errorText),
	({error_contains: words}, {errorText = ''}) =>
		report('error text', errorText.includes(words ?? ''), words, errorText),
	({error}, {isComplete}) => compare('complete', error === false, isComplete),
	(expected, {isTruncated}) => compare('truncated', expected.truncated, isTruncated),
];

/** Checks that hold for every reply. */
const limitChecks: readonly Check[] = [
	({attempts}, {requests: {length}}) =>
		report('requests', attempts === undefined || length === attempts, attempts, length),
	({attempts_max: most = Number.POSITIVE_INFINITY}, {requests: {length}}) =>
		report('requests at most', length <= most, most, length),
	({min_delay_ms: leastMs = 0}, {requests: [first, second]}) => {
		const waitMs = first && second ? second.atMs - first.atMs : 0;
		return report('first wait, ms', waitMs >= leastMs, leastMs, waitMs);
	},
	(_, {totalMs}) => report('time, ms', totalMs <= longestCaseMs, longestCaseMs, totalMs),
	(_, {requests}) => {
		const methods = requests.map(({method}) => method);
		const isPost = methods.length > 0 && methods.every((method) => method === 'POST');
		return report('methods', isPost, 'POST', methods);
	},
	() => compare('fields added to every object', '', Object.keys(Object.prototype).join()),
];

function compareText(
	what: string,
	{trim = false}: WireExpectation,
	expected: string,
	actual: string,
): string | undefined {
	return trim ? compare(what, expected.trim(), actual.trim()) : compare(what, expected, actual);
}

function compare(what: string, expected: unknown, actual: unknown): string | undefined {
	return report(what, expected === actual, expected, actual);
}

function report(
	what: string,
	isAsExpected: boolean,
	expected: unknown,
	actual: unknown,
): string | undefined {
	return isAsExpected ? undefined : `${what}: expected ${show(expected)}, came ${show(actual)}`;
}

function show(value: unknown): string {
	const text = JSON.stringify(value) ?? 'nothing';
	return text.length <= 400 ? text : `${text.slice(0, 400)}… (${text.length} characters)`;
}

function isSameCalls(expected: readonly WireCall[], actual: readonly ToolCall[]): boolean {
	const ids = new Set(actual.map(({callId}) => callId));
	return (
		ids.size === actual.length &&
		actual.length === expected.length &&
		expected.every((call, index) => isSameCall(call, actual[index]))
	);
}

function isSameCall(expected: WireCall, actual: ToolCall | undefined): boolean {
	return (
		actual !== undefined &&
		(expected.id === '*' ? actual.callId !== '' : actual.callId === expected.id) &&
		actual.name === expected.name &&
		normalizeJson(expected.arguments) === normalizeJson(actual.arguments) &&
		actual.isRunnable === expected.executable
	);
}

/** Returns JSON without white space, and any other text unchanged. */
function normalizeJson(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text));
	} catch {
		return text;
	}
}

function isUsage(expected: AnyObject | null, actual: AnyObject | null): boolean {
	if (expected === null || actual === null) return expected === actual;
	return isSubset(expected, actual);
}

/** Returns whether `actual` contains every field of `expected`, also in nested objects. */
function isSubset(expected: AnyObject, actual: AnyObject): boolean {
	return Object.entries(expected).every(([key, value]) => {
		const other = actual[key];
		return isObject(value) && isObject(other) ? isSubset(value, other) : value === other;
	});
}

function isObject(value: unknown): value is AnyObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
