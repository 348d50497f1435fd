/** Every wire case through the whole client, from the socket to the collected turn. */
import {afterAll, describe, expect, it} from 'vitest';
import {runTurn} from '../../src/chat/turn.ts';
import {lineHint} from '../../src/hint.ts';
import {createChatCompletions} from '../../src/protocol/chat-completions/chat-completions.ts';
import {createStreamChat} from '../../src/protocol/stream-chat.ts';
import {type CollectedTurn, collectTurn} from '../helpers/collect-turn.ts';
import {openConversation} from '../helpers/conversation.ts';
import {startReplayServer} from '../helpers/replay-server.ts';
import {baseUrlOf, loadWireCases, longestCaseMs, type WireCase} from '../helpers/wire-cases.ts';
import {findDeviations, type WireOutcome} from '../helpers/wire-outcome.ts';

const cases = loadWireCases();

/** Node warns when listeners pile up. */
const warnings: string[] = [];
const noteWarning = (warning: Error) => void warnings.push(warning.message);
process.on('warning', noteWarning);
afterAll(() => void process.off('warning', noteWarning));

type Run = {readonly turn: CollectedTurn; readonly outcome: WireOutcome};

async function runCase(wireCase: WireCase): Promise<Run> {
	const server = await startReplayServer(wireCase.replies);
	const startMs = performance.now();
	try {
		const turn = await collectTurn(
			runTurn({
				conversation: openConversation('Hello?'),
				options: {model: 'm-test', isStreaming: wireCase.isStreaming},
				streamChat: createStreamChat({
					wire: createChatCompletions(baseUrlOf(wireCase, server.url)),
					limits: {connectMs: 60_000, ...wireCase.settings},
				}),
				// A client that hangs still gets to say what it has.
				signal: AbortSignal.timeout(longestCaseMs),
			}),
		);
		const totalMs = performance.now() - startMs;
		return {turn, outcome: {...toOutcome(turn), requests: [...server.requests], totalMs}};
	} finally {
		await server.close();
	}
}

function toOutcome(turn: CollectedTurn): Omit<WireOutcome, 'requests' | 'totalMs'> {
	const {content, refusal, reasoning, toolCalls, finishReason, error, isComplete} = turn;
	return {
		content,
		refusal,
		reasoning,
		toolCalls,
		finishReason,
		usage: (turn.usage ?? error?.details.usage)?.raw ?? null,
		errorText: error && [error.message, lineHint(error.details.hint ?? '')].join('\n'),
		isComplete,
		// A failure of any kind cuts an answer that has begun.
		isTruncated: error !== undefined && (error.kind === 'incomplete' || content !== ''),
	};
}

describe.concurrent('a wire case', () => {
	it.each(cases.map((wireCase) => [`${wireCase.id} ${wireCase.name}`, wireCase] as const))(
		'%s comes out as expected',
		async (_, wireCase) => {
			const {turn, outcome} = await runCase(wireCase);
			expect(findDeviations(wireCase, outcome), wireCase.why).toEqual([]);
			expect(turn.error?.kind, wireCase.why).not.toBe('bug');
			const {raw, promptTokens, completionTokens, totalTokens} = turn.usage ?? {};
			const sent = (field: string) => raw?.[field] ?? undefined;
			expect([promptTokens, completionTokens, totalTokens]).toEqual(
				['prompt_tokens', 'completion_tokens', 'total_tokens'].map(sent),
			);
		},
	);
});

it('no case leaves a warning of the runtime', () => {
	expect(warnings).toEqual([]);
});
