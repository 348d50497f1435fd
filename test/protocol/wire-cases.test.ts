/**
 * Every wire case through the whole client, from the socket to the collected turn: once in the
 * segments of its file, and cut at other borders. `WIRE_SEED` chooses other cuts.
 */
import {afterAll, describe, expect, it} from 'vitest';
import {addPrompt, emptyConversation} from '../../src/chat/conversation.ts';
import {runTurn} from '../../src/chat/turn.ts';
import {createStreamChat} from '../../src/protocol/stream-chat.ts';
import {type CollectedTurn, collectTurn} from '../helpers/collect-turn.ts';
import {type ReplayOptions, startReplayServer} from '../helpers/replay-server.ts';
import {loadWireCases, type WireCase} from '../helpers/wire-cases.ts';
import {findDeviations, type WireOutcome} from '../helpers/wire-outcome.ts';

const cases = loadWireCases();

/** Node warns when listeners pile up. */
const warnings: string[] = [];
const noteWarning = (warning: Error) => void warnings.push(warning.message);
process.on('warning', noteWarning);
afterAll(() => void process.off('warning', noteWarning));

/** Its one event of 300 KiB in pieces of a few bytes would take longer than all others together. */
const largeCase = 'C019';

const firstSeed = Number(process.env['WIRE_SEED'] ?? 1);

/** A case and a seed give the same cuts, whatever other cases there are. */
function seedsOf({id}: WireCase): readonly number[] {
	const base = firstSeed * 100_000 + Number(id.slice(1)) * 10;
	return [base, base + 1, base + 2];
}

type Run = {readonly turn: CollectedTurn; readonly outcome: WireOutcome};

async function runCase(wireCase: WireCase, options?: ReplayOptions): Promise<Run> {
	const server = await startReplayServer(wireCase.replies, options);
	const startMs = performance.now();
	try {
		const turn = await collectTurn(
			runTurn({
				conversation: addPrompt(emptyConversation, {
					role: 'user',
					parts: [{type: 'text', text: 'Hello?'}],
				}),
				options: {model: 'm-test', isStreaming: wireCase.isStreaming},
				streamChat: createStreamChat({
					url: server.url,
					limits: {connectMs: 2000, ...wireCase.settings},
				}),
				// A client that hangs still gets to say what it has.
				signal: AbortSignal.timeout(wireCase.expect.maxTotalMs),
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
		errorText: error && [error.message, error.details.hint ?? ''].join('\n'),
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
		},
	);

	const recutCases = cases.filter(({id}) => id !== largeCase);
	it.each(recutCases.map((wireCase) => [`${wireCase.id} ${wireCase.name}`, wireCase] as const))(
		'%s comes out the same when it is cut anew',
		async (_, wireCase) => {
			const runs = seedsOf(wireCase).map(async (seed) => {
				const {turn, outcome} = await runCase(wireCase, {recut: {seed}});
				const deviations = findDeviations(wireCase, outcome);
				return [...deviations, ...(turn.error?.kind === 'bug' ? ['a bug'] : [])].map(
					(deviation) => `seed ${seed}: ${deviation}`,
				);
			});
			expect((await Promise.all(runs)).flat(), wireCase.why).toEqual([]);
		},
	);
});

describe('a request for a wire case', () => {
	it('asks for what the case says, under the given address', async () => {
		for (const id of ['C001', 'S207']) {
			const wireCase = cases.find((other) => other.id === id);
			if (wireCase === undefined) throw new Error(`There is no ${id}.`);
			const {outcome} = await runCase(wireCase);
			expect(outcome.requests).toMatchObject([{method: 'POST', path: '/v1/chat/completions'}]);
			expect(JSON.parse(outcome.requests[0]?.body ?? '')).toMatchObject({
				model: 'm-test',
				stream: wireCase.isStreaming,
				messages: [{role: 'user', content: 'Hello?'}],
			});
		}
	});
});

describe('usage', () => {
	it('has the counts that the service sent under their plain names, and no others', async () => {
		const withUsage = cases.filter(({expect: {usage}}) => usage !== null);
		expect(withUsage.length).toBeGreaterThan(5);
		for (const wireCase of withUsage) {
			const {turn} = await runCase(wireCase);
			const {raw, promptTokens, completionTokens, totalTokens} = turn.usage ?? {};
			const sent = (field: string) => raw?.[field] ?? undefined;
			expect([promptTokens, completionTokens, totalTokens], wireCase.id).toEqual(
				['prompt_tokens', 'completion_tokens', 'total_tokens'].map(sent),
			);
		}
	});
});

it('no case left a warning of the runtime behind', () => {
	expect(warnings).toEqual([]);
});
