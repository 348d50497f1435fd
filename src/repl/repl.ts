/**
 * Runs the interactive mode without a screen: its state, its turns, its tasks. Only this
 * file, `turn/gather-events.ts`, `question/ask.ts` and `list/picker.ts` use timers.
 */
import type {OpenConversation} from '../chat/conversation.ts';
import type {ChatEventBatch} from '../chat/event.ts';
import type {ChatOptions} from '../chat/message.ts';
import {askAfter} from '../chat/one-at-a-time.ts';
import {ChatError} from '../errors.ts';
import type {Action, Effect, Task} from './action.ts';
import {createAsker, isQuestionEffect} from './question/ask.ts';
import type {Question} from './question/question.ts';
import {reduce} from './reduce.ts';
import type {ReplServices} from './services.ts';
import type {ReplState} from './state.ts';
import {createStore, type Store} from './store.ts';
import {createEventGatherer, type EventGatherer} from './turn/gather-events.ts';

export interface Repl extends Store<ReplState, Action> {
	/**
	 * Stops the turn and resolves after its end, and after an editor closes. The end of the turn is
	 * the last action reported.
	 */
	close(): Promise<void>;
}

const keyArmedMs = 2000;

export function createRepl(initial: ReplState, services: Omit<ReplServices, 'ask'>): Repl {
	const store = createStore<ReplState, Action>(initial, (state, action) => {
		// Keys must not start anything now; the end of the turn still counts.
		if (state.isClosing && action.type !== 'events') return undefined;
		return reduce(state, action, {date: services.date(), nextTurnId: services.createId()});
	});
	const {dispatch} = store;
	let running: {readonly controller: AbortController; readonly ended: Promise<void>} | undefined;
	let armedTimer: NodeJS.Timeout | undefined;
	/** Resolves when the terminal is back from a task. */
	let lent = Promise.resolve();
	const asker = createAsker(dispatch, (url) => services.openPage(url));
	const tasks = new Map<string, AbortController>();

	const perform = (effect: Effect) => {
		if (effect.type === 'start-turn') startTurn(effect.conversation, effect.options);
		else if (effect.type === 'stop-turn') stopTurn();
		else if (effect.type === 'task') startTask(effect);
		else if (effect.type === 'stop-task') stopTask(tasks.get(effect.name));
		else if (effect.type === 'arm-key') armKey();
		else if (isQuestionEffect(effect)) asker.perform(effect);
	};

	const armKey = () => {
		clearTimeout(armedTimer);
		armedTimer = setTimeout(() => dispatch({type: 'key-disarmed'}), keyArmedMs);
	};

	const startTurn = (conversation: OpenConversation, options: ChatOptions) => {
		const controller = new AbortController();
		const {signal} = controller;
		const gatherer = createEventGatherer({...services, signal, dispatch});
		const turn = services.openTurn(conversation, options, signal, askAfter(asker, gatherer.flush));
		const ended = pumpEvents(turn, gatherer).finally(() => {
			if (running?.controller === controller) running = undefined;
		});
		running = {controller, ended};
	};

	const stopTurn = () =>
		running?.controller.abort(new ChatError('interrupted', 'interrupted', {signal: 'SIGINT'}));

	const startTask = (task: Task) => {
		const controller = new AbortController();
		const {signal} = controller;
		tasks.set(task.name, controller);
		const offered = Object.assign(Object.create(services), {
			ask: (question: Question) => asker.ask(question, signal),
		});
		const ended = task.run(offered, store.getState(), signal).then(dispatch);
		if (task.hasTerminal) lent = ended;
	};

	const stopTask = (controller: AbortController | undefined) =>
		controller?.abort(new ChatError('interrupted', 'stopped', {signal: 'SIGINT'}));

	store.subscribe((_action, _state, effects) => {
		for (const effect of effects) perform(effect);
	});
	return {
		...store,
		async close() {
			dispatch({type: 'closed'});
			clearTimeout(armedTimer);
			asker.close();
			for (const task of tasks.values()) stopTask(task);
			stopTurn();
			await running?.ended;
			await lent;
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
