/** Every wire case through the whole client, from the socket to the collected turn. */
import {afterAll, describe, expect, it} from 'vitest';
import {runTurn} from '../../src/chat/turn.ts';
import {lineHint} from '../../src/hint.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import {createStreamChat} from '../../src/protocol/stream-chat.ts';
import {type CollectedTurn, collectTurn} from '../helpers/collect-turn.ts';
import {openConversation} from '../helpers/conversation.ts';
import {startReplayServer} from '../helpers/replay-server.ts';
import type {RecordedRequest} from '../helpers/request-reader.ts';
import {loadWireCases, type WireCase, type WireExpectation} from '../helpers/wire-cases.ts';

/** Node warns when listeners pile up. */
const warnings: string[] = [];
const noteWarning = (warning: Error) => void warnings.push(warning.message);
process.on('warning', noteWarning);
afterAll(() => void process.off('warning', noteWarning));

/** The maximum time of every case, which only one that hangs exceeds. */
const longestMs = 60_000;

type Run = {
	readonly turn: CollectedTurn;
	readonly requests: readonly RecordedRequest[];
	readonly totalMs: number;
};

async function runCase({basePath = '', isStreaming, replies, limits}: WireCase): Promise<Run> {
	const server = await startReplayServer(replies);
	const startMs = performance.now();
	try {
		const turn = await collectTurn(
			runTurn({
				conversation: openConversation('Hello?'),
				options: {model: 'm-test', isStreaming},
				streamChat: createStreamChat({
					wire: createChatCompletions(new URL(basePath, server.url)),
					limits: {connectMs: 60_000, ...limits},
				}),
				// A client that hangs still gets to say what it has.
				signal: AbortSignal.timeout(longestMs),
			}),
		);
		return {turn, requests: [...server.requests], totalMs: performance.now() - startMs};
	} finally {
		await server.close();
	}
}

/** JSON without white space, and any other text unchanged. */
function normalizeJson(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text));
	} catch {
		return text;
	}
}

/** Describes an outcome in a case's words. */
function outcomeOf(turn: CollectedTurn, {trim}: WireExpectation) {
	const {content, refusal, reasoning, toolCalls, finishReason, error, isComplete} = turn;
	const shown = (text: string) => (trim ? text.trim() : text);
	return {
		content: shown(content),
		refusal: shown(refusal),
		reasoning: shown(reasoning),
		tool_calls: toolCalls.map(({callId, name, arguments: text, isRunnable}) => {
			return {id: callId, name, arguments: normalizeJson(text), executable: isRunnable};
		}),
		finish_reason: finishReason,
		usage: (turn.usage ?? error?.details.usage)?.raw ?? null,
		error: error !== undefined,
		/** Everything the user sees about the failure. */
		errorText: error ? [error.message, lineHint(error.details.hint ?? '')].join('\n') : '',
		isComplete,
		// A failure of any kind cuts an answer that has begun.
		truncated: error !== undefined && (error.kind === 'incomplete' || content !== ''),
	};
}

/** Expects at least these fields of the usage. */
function expectationOf(expected: WireExpectation) {
	const {content, refusal = '', reasoning, tool_calls: calls, trim} = expected;
	const shown = (text: string) => (trim ? text.trim() : text);
	const {finish_reason, usage, error, error_contains: words, truncated} = expected;
	return {
		content: shown(content),
		refusal: shown(refusal),
		reasoning: shown(reasoning),
		tool_calls: calls.map((call) => ({
			...call,
			id: call.id === '*' ? expect.stringMatching(/./) : call.id,
			arguments: normalizeJson(call.arguments),
		})),
		...{finish_reason, usage, error, truncated},
		errorText: expect.stringContaining(words ?? ''),
		isComplete: !error,
	};
}

describe.concurrent('a wire case', () => {
	it.each(
		loadWireCases().map((wireCase) => [`${wireCase.id} ${wireCase.name}`, wireCase] as const),
	)('%s comes out as expected', async (_, wireCase) => {
		const {why, expect: expected} = wireCase;
		const {turn, requests, totalMs} = await runCase(wireCase);
		if (expected.error !== null) {
			expect(outcomeOf(turn, expected), why).toMatchObject(expectationOf(expected));
		}
		const ids = turn.toolCalls.map(({callId}) => callId);
		expect(ids, why).toEqual([...new Set(ids)]);
		expect(turn.error?.kind, why).not.toBe('bug');
		const {raw, promptTokens, completionTokens, totalTokens} = turn.usage ?? {};
		const sent = (field: string) => raw?.[field] ?? undefined;
		expect([promptTokens, completionTokens, totalTokens]).toEqual(
			['prompt_tokens', 'completion_tokens', 'total_tokens'].map(sent),
		);
		const {length} = requests;
		const {attempts = length, attempts_max: most = length, min_delay_ms: leastMs = 0} = expected;
		expect(length, why).toBe(attempts);
		expect(length, why).toBeLessThanOrEqual(most);
		const [first, second] = requests;
		if (first && second) expect(second.atMs - first.atMs, why).toBeGreaterThanOrEqual(leastMs);
		expect(new Set(requests.map(({method}) => method)), why).toEqual(new Set(['POST']));
		expect(totalMs, why).toBeLessThanOrEqual(longestMs);
		expect(Object.keys(Object.prototype), 'fields added to every object').toEqual([]);
	});
});

it('no case leaves a warning of the runtime', () => {
	expect(warnings).toEqual([]);
});
