/**
 * A session under way: holds the state, runs the turns, and reports to a screen what has happened.
 * With `gather-events.ts` and `ask.ts` the only part of this folder with timers.
 */

import type {Conversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {Approve} from '../chat/tool.ts';
import {ChatError, toChatError} from '../errors.ts';
import type {Action, Effect} from './action.ts';
import {createAsker} from './ask.ts';
import {createEventGatherer, type EventGatherer, type PrepareBatch} from './gather-events.ts';
import {reduce} from './reduce.ts';
import type {Attachment, ReplState} from './state.ts';

export type SessionServices = {
	/** The events of one turn, as `runTurn` yields them; `ask` puts a question on the screen. */
	openTurn(
		conversation: Conversation,
		options: ChatOptions,
		signal: AbortSignal,
		ask: Approve,
	): AsyncIterable<ChatEventBatch>;
	/** @throws {ChatError} when it cannot be read */
	load(
		kind: 'file' | 'image',
		source: string,
	): Promise<{readonly attachment: Attachment; readonly notices: readonly string[]}>;
	/** Milliseconds on a clock that never goes back. */
	now(): number;
};

/** What has just happened: the action, the state after it, and what the screen is asked to do. */
export type SessionListener = (
	action: Action,
	state: ReplState,
	effects: readonly Effect[],
) => void;

export interface Session {
	getState(): ReplState;
	/** Ends with the returned function. */
	subscribe(listener: SessionListener): () => void;
	dispatch(action: Action): void;
	/** Calls back before each batch of an answer is shown, which waits for the result. */
	onBatch(prepare: PrepareBatch): void;
	/**
	 * Stops what runs; resolves when the turn under way has ended. The listeners hear of that, and of
	 * nothing after it.
	 */
	close(): Promise<void>;
}

const exitArmedMs = 2000;

export function createSession(initial: ReplState, services: SessionServices): Session {
	let state = initial;
	let running: {readonly controller: AbortController; readonly ended: Promise<void>} | undefined;
	let exitTimer: NodeJS.Timeout | undefined;
	let prepare: PrepareBatch = () => undefined;
	const listeners = new Set<SessionListener>();
	const asker = createAsker((action) => dispatch(action));

	const dispatch = (action: Action) => {
		// Only the end of the turn matters now; a key must not set anything going.
		if (state.isClosing && action.type !== 'events') return;
		const next = reduce(state, action);
		state = next.state;
		for (const effect of next.effects) perform(effect);
		for (const listener of listeners) listener(action, state, next.effects);
	};

	const perform = (effect: Effect) => {
		switch (effect.type) {
			case 'start-turn':
				// A queued prompt, after a turn that ended just before it could be stopped.
				if (!state.isClosing) startTurn(effect.conversation, effect.options);
				break;
			case 'stop-turn':
				running?.controller.abort(new ChatError('interrupted', 'interrupted', {signal: 'SIGINT'}));
				break;
			case 'attach':
				void load(effect.kind, effect.source);
				break;
			case 'arm-approval':
			case 'answer-approval':
				asker.perform(effect);
				break;
			case 'arm-exit':
				clearTimeout(exitTimer);
				exitTimer = setTimeout(() => dispatch({type: 'exit-disarmed'}), exitArmedMs);
				break;
			case 'print':
			case 'redraw':
			case 'exit':
				break;
			default:
				effect satisfies never;
		}
	};

	const startTurn = (conversation: Conversation, options: ChatOptions) => {
		const controller = new AbortController();
		const {signal} = controller;
		const turn = services.openTurn(conversation, options, signal, asker.ask);
		const gatherer = createEventGatherer({...services, signal, dispatch, prepare});
		const ended = pumpEvents(turn, gatherer).finally(() => {
			if (running?.controller === controller) running = undefined;
		});
		running = {controller, ended};
	};

	const load = async (kind: 'file' | 'image', source: string) => {
		try {
			dispatch({type: 'attached', ...(await services.load(kind, source))});
		} catch (error) {
			dispatch({type: 'attach-failed', error: toChatError(error)});
		}
	};

	return {
		getState: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		dispatch,
		onBatch(callback) {
			prepare = callback;
		},
		async close() {
			dispatch({type: 'closed'});
			clearTimeout(exitTimer);
			asker.close();
			running?.controller.abort(new ChatError('interrupted', 'interrupted', {signal: 'SIGINT'}));
			await running?.ended;
			listeners.clear();
		},
	};
}

async function pumpEvents(
	turn: AsyncIterable<ChatEventBatch>,
	gatherer: EventGatherer,
): Promise<void> {
	try {
		for await (const batch of turn) {
			if (!(await gatherer.push(batch))) return;
		}
	} finally {
		gatherer.end();
	}
}
