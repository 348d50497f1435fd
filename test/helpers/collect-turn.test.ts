import {expect, it} from 'vitest';
import type {ChatEvent, ChatEventBatch} from '../../src/chat/event.ts';
import {ChatError} from '../../src/errors.ts';
import {collectTurn} from './collect-turn.ts';

async function* yieldBatches(...batches: ChatEventBatch[]): AsyncGenerator<ChatEventBatch> {
	yield* batches;
}

const start: ChatEvent = {
	type: 'step-start',
	model: 'm',
	requestedModel: 'm',
	id: '',
	created: undefined,
	attempts: 2,
};
const announced: ChatEventBatch = [
	{type: 'tool-call-start', callId: 'a', name: 'f'},
	{type: 'tool-call-delta', callId: 'a', text: '{"x"'},
	{type: 'tool-call-delta', callId: 'a', text: ':1}'},
];
const whole = {callId: 'a', name: 'f', arguments: '{"x":1}', isRunnable: true};
const usage = {totalTokens: 3, raw: {total_tokens: 3}};

it('collects a turn of two steps', async () => {
	const turn = await collectTurn(
		yieldBatches(
			[start, {type: 'reasoning-delta', text: 'hm'}, {type: 'text-delta', text: 'a'}, ...announced],
			[
				{type: 'tool-call', call: whole},
				{type: 'step-end', finishReason: {kind: 'tool-calls', raw: 'tool_calls'}, usage: undefined},
				{type: 'notice', notice: {code: 'retry', message: 'again'}},
			],
			[
				start,
				{type: 'text-delta', text: 'b'},
				{type: 'step-end', finishReason: {kind: 'stop', raw: 'stop'}, usage},
			],
			[{type: 'turn-end'}],
		),
	);
	expect(turn).toMatchObject({
		content: 'ab',
		reasoning: 'hm',
		toolCalls: [whole],
		finishReason: 'stop',
		usage,
		attempts: 4,
		error: undefined,
		notices: [{code: 'retry'}],
		isComplete: true,
	});
	expect(turn.events).toHaveLength(13);
});

it('keeps the partial calls of a step that was cut off, none of them runnable', async () => {
	const error = new ChatError('incomplete', 'cut');
	const turn = await collectTurn(yieldBatches([start, ...announced], [{type: 'error', error}]));
	expect(turn.toolCalls).toEqual([{...whole, isRunnable: false}]);
	expect(turn).toMatchObject({error, isComplete: false, finishReason: null, usage: undefined});
});

it('takes the finish reason of a step that failed from its error', async () => {
	const error = new ChatError('unavailable', 'gave up', {
		finishReason: {kind: 'failed', raw: 'abort'},
	});
	const end: ChatEvent = {
		type: 'step-end',
		finishReason: {kind: 'tool-calls', raw: 'tool_calls'},
		usage: undefined,
	};
	const turn = await collectTurn(yieldBatches([start, end], [start, {type: 'error', error}]));
	expect(turn.finishReason).toBe('abort');
});

it('rejects a sequence that is not a turn', async () => {
	await expect(collectTurn(yieldBatches([start], [{type: 'turn-end'}]))).rejects.toThrow('event 1');
	await expect(collectTurn(yieldBatches([], [{type: 'turn-end'}]))).rejects.toThrow('batch 0');
});
