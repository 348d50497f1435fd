/** Compactions of any conversation: what they leave, and that they can be undone. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Compaction} from '../../src/chat/compaction.ts';
import {
	applyChange,
	type Conversation,
	messagesOf,
	type Turn,
} from '../../src/chat/conversation.ts';
import {planOmission, planResults, planSummary} from '../../src/context/plan-compaction.ts';
import {fuzzProperty} from '../helpers/fuzz.ts';
import {anyConversation} from '../sessions/any-conversation.ts';

function compact(
	conversation: Conversation,
	kind: Compaction['kind'],
	{parent, from, to}: Pick<Compaction, 'parent' | 'from' | 'to'>,
	id: string = kind,
): Conversation {
	const text = kind === 'summary' ? 'It was short.' : '';
	const compaction = {id, parent, from, to, kind, text};
	return applyChange(conversation, {type: 'compacted', compaction});
}

fuzzProperty(
	'any conversation sends the same messages after its compactions were undone',
	100,
	fc.property(anyConversation, fc.nat(20), (given, tokens) => {
		const before = {...given, compactions: undefined};
		let compacted: Conversation = before;
		const plans: ReadonlyArray<
			readonly [Compaction['kind'], Pick<Compaction, 'parent' | 'from' | 'to'> | undefined]
		> = [
			['summary', planSummary(before)],
			['omission', planOmission(before, tokens)],
			['results', planResults(before)],
		];
		for (const [kind, plan] of plans) {
			if (plan !== undefined) compacted = compact(compacted, kind, plan);
		}
		const plan = planSummary(before);
		if (plan !== undefined) {
			// Only the first prompt that stays has changed: the summary stands before it.
			const kept = messagesOf(compact(before, 'summary', plan)).slice(1);
			expect(kept.length).toBeGreaterThan(0);
			expect(messagesOf(before).slice(-kept.length)).toEqual(kept);
			expect(kept.length).toBeLessThan(messagesOf(before).length - 1);
		}
		for (const {id} of compacted.compactions ?? []) {
			compacted = applyChange(compacted, {type: 'compaction-undone', id});
		}
		expect(messagesOf(compacted)).toEqual(messagesOf(before));
		expect(compacted.turns).toBe(before.turns);
	}),
);

function turnOf(id: string, words: number): Turn {
	const text = 'word '.repeat(words).trim();
	return {
		...{id, prompt: {text, attachments: []}, model: 'm', status: 'complete'},
		messages: [
			{role: 'assistant', parts: [{type: 'text', text: 'a'}], status: 'complete', model: 'm'},
		],
		times: {startedAt: 0, reasoningMs: 0, totalMs: 0},
	};
}

const conversationOf = (...words: readonly number[]): Conversation => ({
	...{system: '', otherTurns: []},
	turns: words.map((count, index) => turnOf(`${index + 1}`, count)),
});

describe('a summary covers', () => {
	test.each<readonly [words: readonly number[], first: number, last: number]>([
		[[100, 100], 1, 1],
		[[5, 5, 5, 5, 5, 5, 5, 5], 1, 6],
		[[100, 100, 5000], 1, 2],
		[[90_000, 9000, 9000, 1000], 1, 1],
	])('of turns with %j words, turns %i to %i', (words, first, last) => {
		expect(planSummary(conversationOf(...words))).toMatchObject({first, last});
	});

	test('nothing if there is one turn, or if all others are compacted', () => {
		expect(planSummary(conversationOf(100))).toBeUndefined();
		const two = conversationOf(100, 100);
		const plan = planSummary(two);
		expect(plan && planSummary(compact(two, 'summary', plan))).toBeUndefined();
	});
});

describe('an omission covers', () => {
	test.each([
		[1, 1, 1],
		[320, 1, 3],
		[400, undefined, undefined],
	])('to free %i tokens, turns %s to %s', (tokens, first, last) => {
		const plan = planOmission(conversationOf(100, 100, 100), tokens);
		expect([plan?.first, plan?.last]).toEqual([first, last]);
	});
});
