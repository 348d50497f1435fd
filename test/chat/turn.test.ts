/** Below a turn a failure is an exception, above it a failure is the last event. */
import {describe, expect, it} from 'vitest';
import type {ChatEventBatch} from '../../src/chat/event.ts';
import type {StreamChat} from '../../src/chat/stream-chat.ts';
import {runTurn} from '../../src/chat/turn.ts';
import {ChatError} from '../../src/errors.ts';
import {collectTurn} from '../helpers/collect-turn.ts';
import {openConversation} from '../helpers/conversation.ts';
import {stepEnd, stepStart, textDelta} from '../helpers/events.ts';

const [start, text, end] = [stepStart, textDelta('Hi'), stepEnd()] as const;

const conversation = openConversation('Hello?');
const options = {model: 'm', isStreaming: true};

/** A service that yields these batches, then throws the failure if there is one. */
function service(batches: readonly ChatEventBatch[], failure?: unknown): StreamChat {
	return async function* streamChat() {
		yield* batches;
		if (failure !== undefined) throw failure;
	};
}

const run = (streamChat: StreamChat, signal = new AbortController().signal) =>
	runTurn({conversation, options, streamChat, signal});

describe('a turn', () => {
	it('passes the batches of its step on unchanged, and ends', async () => {
		const batches = [[start, text], [end]];
		const seen: ChatEventBatch[] = [];
		for await (const batch of run(service(batches))) seen.push(batch);
		expect(seen).toEqual([...batches, [{type: 'turn-end'}]]);
		expect(seen[0]).toBe(batches[0]);
	});

	it('ends in the error of its service, after the events before it', async () => {
		const failure = new ChatError('incomplete', 'cut');
		const turn = await collectTurn(run(service([[start, text]], failure)));
		expect(turn).toMatchObject({content: 'Hi', isComplete: false});
		expect(turn.error).toBe(failure);
	});

	it('ends in a bug for any other error', async () => {
		for (const thrown of [new TypeError('oops'), 'oops', {}]) {
			const {error} = await collectTurn(run(service([], thrown)));
			expect(error?.kind).toBe('bug');
			expect(error?.details.cause).toBe(thrown);
		}
	});

	it('ends in the reason of its signal, whatever else fails', async () => {
		const stop = new ChatError('interrupted', 'stop', {signal: 'SIGTERM'});
		const failure = new ChatError('unavailable', 'the connection broke');
		const turn = await collectTurn(run(service([[start, text]], failure), AbortSignal.abort(stop)));
		expect(turn.error).toBe(stop);
	});

	it('that is left early closes its stream', async () => {
		let isLeft = false;
		const stream = run(async function* streamChat() {
			try {
				yield [start];
				yield [text];
			} finally {
				isLeft = true;
			}
		});
		await stream.next();
		await stream.return();
		expect(isLeft).toBe(true);
	});
});
