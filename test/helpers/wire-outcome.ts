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
	const checks = expect.error === null ? checkLimits : checkAll;
	return checks(expect, outcome).flatMap(([what, isRight, expected, actual]) =>
		isRight ? [] : [`${what}: expected ${show(expected)}, came ${show(actual)}`],
	);
}

type Check = readonly [what: string, isRight: boolean, expected: unknown, actual: unknown];

function checkAll(expected: WireExpectation, outcome: WireOutcome): readonly Check[] {
	const {errorText, toolCalls, usage, finishReason, isComplete, isTruncated} = outcome;
	const {error, error_contains: words} = expected;
	const trim = (text = '') => (expected.trim ? text.trim() : text);
	const texts = (['content', 'refusal', 'reasoning'] as const).map((name) =>
		compare(name, trim(expected[name]), trim(outcome[name])),
	);
	return [
		...texts,
		compare('finish reason', expected.finish_reason, finishReason),
		['usage', isUsage(expected.usage, usage), expected.usage, usage],
		['calls', isSameCalls(expected.tool_calls, toolCalls), expected.tool_calls, toolCalls],
		['error', (errorText !== undefined) === error, error, errorText],
		['error text', (errorText ?? '').includes(words ?? ''), words, errorText],
		compare('complete', error === false, isComplete),
		compare('truncated', expected.truncated, isTruncated),
		...checkLimits(expected, outcome),
	];
}

/** Checks that hold for every reply. */
function checkLimits(
	expected: WireExpectation,
	{requests, totalMs}: WireOutcome,
): readonly Check[] {
	const {length} = requests;
	const {attempts = length, attempts_max: most = length, min_delay_ms: leastMs = 0} = expected;
	const [first, second] = requests;
	const waitMs = first && second ? second.atMs - first.atMs : 0;
	const methods = [...new Set(requests.map(({method}) => method))].join();
	return [
		compare('requests', attempts, length),
		['requests at most', length <= most, most, length],
		['first wait, ms', waitMs >= leastMs, leastMs, waitMs],
		['time, ms', totalMs <= longestCaseMs, longestCaseMs, totalMs],
		compare('methods', 'POST', methods),
		compare('fields added to every object', '', Object.keys(Object.prototype).join()),
	];
}

function compare(what: string, expected: unknown, actual: unknown): Check {
	return [what, expected === actual, expected, actual];
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
