/** Runs a single answer on a screen: its turn, if shown, and its questions. */
import {createConversation, type OpenConversation} from '../chat/conversation.ts';
import {askAfter} from '../chat/one-at-a-time.ts';
import type {Questions} from '../chat/tool.ts';
import type {Size} from './geometry.ts';
import {createAsker, isQuestionEffect, type OpenPage} from './question/ask.ts';
import type {AnswerState, ReasoningMode} from './state.ts';
import {createStore, type Store} from './store.ts';
import {createEventGatherer, type EventGatherer} from './turn/gather-events.ts';
import {createLiveTurn} from './turn/live-turn.ts';
import {type AnswerAction, reduceAnswer} from './turn/reduce-answer.ts';

export type AnswerOptions = {
	/** Without one there are only questions. */
	readonly conversation: OpenConversation | undefined;
	readonly reasoningMode: ReasoningMode;
	readonly size: Size;
	readonly now: () => number;
	readonly openPage: OpenPage;
	/** Stops a long text. */
	readonly signal: AbortSignal;
};

export interface SingleAnswer extends Store<AnswerState, AnswerAction> {
	/** Adds turn events. Resolves when the next batch may follow. */
	readonly push: EventGatherer['push'];
	readonly questions: Questions;
	end(): void;
}

export function createAnswer(options: AnswerOptions): SingleAnswer {
	const {conversation, reasoningMode, size, now, openPage, signal} = options;
	const initial: AnswerState = {
		conversation: conversation ?? createConversation(),
		turn: conversation && createLiveTurn(now()),
		question: undefined,
		reasoningMode,
		now: now(),
		...size,
	};
	const store = createStore(initial, reduceAnswer);
	const asker = createAsker(store.dispatch, openPage);
	store.subscribe((_action, _state, effects) => {
		for (const effect of effects) if (isQuestionEffect(effect)) asker.perform(effect);
	});
	const gatherer = createEventGatherer({signal, now, dispatch: store.dispatch});
	return {
		...store,
		push: gatherer.push,
		questions: askAfter(asker, gatherer.flush),
		end() {
			gatherer.end();
			asker.close();
		},
	};
}
