import {expect, it} from 'vitest';
import {decodeBody, framingOf} from './replay-reply.ts';
import {loadWireCases, type WireCase} from './wire-cases.ts';
import {findDeviations, type WireOutcome} from './wire-outcome.ts';

const cases = loadWireCases();

const call = {callId: 'a', name: 'f', arguments: '{ "x": 1 }', isRunnable: true};

const expected: WireCase = {
	id: 'T001',
	name: 'test',
	group: 'test',
	why: '',
	basePath: undefined,
	isStreaming: true,
	replies: [{status: 200}],
	settings: {maxRetries: 0, idleMs: 1, payloadMs: 1, finishGraceMs: 1},
	expect: {
		content: 'text',
		refusal: '',
		reasoning: 'why',
		isTrimmed: false,
		toolCalls: [call, {...call, callId: '*'}],
		finishReason: 'stop',
		usage: {total_tokens: 2, details: {cached: 1}},
		isError: true,
		errorContains: 'quota',
		isTruncated: true,
		attempts: 2,
		attemptsMax: 2,
		minDelayMs: 100,
		maxTotalMs: 1000,
	},
};

function requestAt(atMs: number, method = 'POST') {
	return {method, path: '/', headers: {}, body: '', atMs};
}

const right: WireOutcome = {
	content: 'text',
	refusal: '',
	reasoning: 'why',
	toolCalls: [
		{...call, arguments: '{"x":1}'},
		{...call, callId: 'b'},
	],
	finishReason: 'stop',
	usage: {total_tokens: 2, prompt_tokens: 1, details: {cached: 1, other: null}},
	errorText: 'no quota left',
	isComplete: false,
	isTruncated: true,
	requests: [requestAt(0), requestAt(100)],
	totalMs: 900,
};

it('accepts the expected outcome', () => {
	expect(findDeviations(expected, right)).toEqual([]);
});

it('requires no wait for a single request', () => {
	const {minDelayMs: _, ...rest} = expected.expect;
	const once = {...expected, expect: {...rest, attempts: 1, minDelayMs: undefined}};
	expect(findDeviations(once, {...right, requests: [requestAt(50)]})).toEqual([]);
});

const wrong: ReadonlyArray<readonly [what: string, change: Partial<WireOutcome>]> = [
	['content', {content: 'text '}],
	['reasoning', {reasoning: ''}],
	['finish reason', {finishReason: null}],
	['usage', {usage: null}],
	['usage', {usage: {total_tokens: 3, details: {cached: 1}}}],
	['usage', {usage: {total_tokens: 2, details: {}}}],
	['tool calls', {toolCalls: []}],
	['tool calls', {toolCalls: [call, call]}],
	['tool calls', {toolCalls: [call, {...call, callId: ''}]}],
	['tool calls', {toolCalls: [call, {...call, callId: 'b'}, {...call, callId: 'c'}]}],
	['tool calls', {toolCalls: [call, {...call, callId: 'b', arguments: '{"x":2}'}]}],
	['tool calls', {toolCalls: [call, {...call, callId: 'b', isRunnable: false}]}],
	['error text', {errorText: 'no money left'}],
	['complete', {isComplete: true}],
	['truncated', {isTruncated: false}],
	['requests', {requests: [requestAt(0), requestAt(100), requestAt(200)]}],
	['first wait, ms', {requests: [requestAt(0), requestAt(99)]}],
	['methods', {requests: [requestAt(0), requestAt(100, 'GET')]}],
	['time, ms', {totalMs: 1001}],
];

it.each(wrong)('reports a wrong %s: %j', (what, change) => {
	const deviations = findDeviations(expected, {...right, ...change});
	expect(deviations[0]).toMatch(new RegExp(`^${what}: expected .*, came `));
});

it('reports a missing error and an unexpected one', () => {
	const {errorText: _, ...rest} = right;
	expect(findDeviations(expected, {...rest, errorText: undefined})[0]).toMatch(/^error: /);
	const fine = {...expected, expect: {...expected.expect, isError: false, errorContains: ''}};
	expect(findDeviations(fine, right)).toHaveLength(2);
});

it('compares only counts and times where either outcome is acceptable', () => {
	const either = {...expected, expect: {...expected.expect, isError: undefined}};
	expect(findDeviations(either, {...right, content: 'other', isComplete: true})).toEqual([]);
	expect(findDeviations(either, {...right, totalMs: 1001})).toHaveLength(1);
});

it('ignores white space around the text if the case allows it', () => {
	const trimmed = {...expected, expect: {...expected.expect, isTrimmed: true}};
	expect(findDeviations(trimmed, {...right, content: '\ntext '})).toEqual([]);
});

it('reads every case, each with its own id', () => {
	expect(cases.length).toBeGreaterThan(130);
	expect(new Set(cases.map(({id}) => id)).size).toBe(cases.length);
});

it('delimits the bodies as documented', () => {
	const framings = Object.fromEntries(
		cases.map(({id, replies}) => [id, replies.map(framingOf).join(' ')]),
	);
	expect(framings).toMatchObject({
		C001: 'chunked',
		C031: 'close',
		C131: 'chunked',
		C134: 'length',
		C136: 'length',
		C163: 'none',
		C181: 'length chunked',
		S202: 'length',
		S207: 'length',
	});
});

it('keeps binary bytes', () => {
	const invalid = cases.find(({id}) => id === 'C020');
	expect(invalid && decodeBody(invalid.replies[0]).includes(0xff)).toBe(true);
});
