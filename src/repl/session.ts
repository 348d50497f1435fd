/**
 * A session under way: holds the state, runs the turns, and tells a screen what has happened. With
 * `follow-turn.ts` the only part of this folder with timers.
 */

import type {Conversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import type {Approval, Approve} from '../chat/tool.ts';
import {ChatError, toChatError} from '../errors.ts';
import {scheduleAfterInput} from '../schedule-after-input.ts';
import type {Action, Effect} from './action.ts';
import {followTurn} from './follow-turn.ts';
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
	/** Keeps the answer under way back until the screen has caught up with it. */
	hold(until: Promise<void>): void;
	/** Puts a question on the screen, one at a time. */
	readonly ask: Approve;
	/**
	 * Stops what runs; resolves when the turn under way has ended. The listeners hear of that, and of
	 * nothing after it.
	 */
	close(): Promise<void>;
}

const exitArmedMs = 2000;
/** How long a question stands without a key before keys count. */
const approvalArmedMs = 600;

export function createSession(initial: ReplState, services: SessionServices): Session {
	let state = initial;
	let running: {readonly controller: AbortController; readonly ended: Promise<void>} | undefined;
	let exitTimer: NodeJS.Timeout | undefined;
	let answer: ((approval: Approval) => void) | undefined;
	let cancelArming = () => {};
	let held: Promise<void> | undefined;
	const listeners = new Set<SessionListener>();

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
				cancelArming();
				cancelArming = scheduleAfterInput(
					() => dispatch({type: 'approval-armed'}),
					approvalArmedMs,
				);
				break;
			case 'answer-approval':
				answer?.(effect.approval);
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
		const turn = services.openTurn(conversation, options, controller.signal, ask);
		const {signal} = controller;
		const ended = followTurn(turn, {...services, signal, dispatch, held: () => held}).finally(
			() => {
				if (running?.controller === controller) running = undefined;
			},
		);
		running = {controller, ended};
	};

	const ask: Approve = (request, signal) =>
		new Promise((resolve, reject) => {
			const settle = () => {
				answer = undefined;
				cancelArming();
				signal.removeEventListener('abort', withdraw);
			};
			const withdraw = () => {
				settle();
				dispatch({type: 'approval-withdrawn'});
				reject(signal.reason);
			};
			if (signal.aborted) return reject(signal.reason);
			signal.addEventListener('abort', withdraw, {once: true});
			answer = (approval) => {
				settle();
				resolve(approval);
			};
			return dispatch({type: 'approval-asked', request});
		});

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
		hold(until) {
			held = until;
		},
		ask,
		async close() {
			dispatch({type: 'closed'});
			clearTimeout(exitTimer);
			cancelArming();
			running?.controller.abort(new ChatError('interrupted', 'interrupted', {signal: 'SIGINT'}));
			await running?.ended;
			listeners.clear();
		},
	};
}
