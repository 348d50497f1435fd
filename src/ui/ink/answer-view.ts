/**
 * Draws one answer on a terminal, as in a session but without a prompt. Reads keys only while a
 * question is open: anything typed at other times is for the shell.
 */
import {createConversation, type OpenConversation} from '../../chat/conversation.ts';
import {declined} from '../../chat/elicitation.ts';
import type {ChatEventBatch} from '../../chat/event.ts';
import type {Questions} from '../../chat/tool.ts';
import type {Terminal} from '../../environment.ts';
import type {InterruptSignal} from '../../errors.ts';
import type {Effect} from '../../repl/action.ts';
import {answerWidth} from '../../repl/geometry.ts';
import {createAsker, isQuestionEffect, type OpenPage} from '../../repl/question/ask.ts';
import {type Block, blockOf} from '../../repl/rhythm.ts';
import type {AnswerState, ReasoningMode, TranscriptEntry} from '../../repl/state.ts';
import {createEventGatherer} from '../../repl/turn/gather-events.ts';
import {createLiveTurn} from '../../repl/turn/live-turn.ts';
import {type AnswerAction, reduceAnswer} from '../../repl/turn/reduce-answer.ts';
import {createStyler} from '../../terminal/style.ts';
import {composeFrame} from './frame.ts';
import {createHighlightLoader} from './load-highlight.ts';
import {type MountOptions, mountScreen} from './mount.tsx';
import {readKeys} from './read-keys.ts';
import {renderEntry} from './render-entry.ts';
import {createRowStore} from './row-store.ts';
import type {ScreenOptions} from './screen-store.ts';
import {createTurnView, isOfDialog, printsAbove, type TurnView} from './turn-view.ts';

export type AnswerViewOptions = {
	/** Without one the view only asks. */
	readonly conversation: OpenConversation | undefined;
	readonly reasoningMode: ReasoningMode;
	readonly terminal: Terminal;
	readonly options: ScreenOptions & Pick<MountOptions, 'reflow'>;
	readonly now: () => number;
	/** Called while a question is open: Ctrl-C was pressed, or the terminal is gone. */
	readonly onInterrupt: (signal: InterruptSignal) => void;
	readonly openPage: OpenPage;
	/** Stops the drawing of a long answer. */
	readonly signal: AbortSignal;
};

export interface OpenAnswerView {
	/** Resolves when the view can take more. */
	write(batch: ChatEventBatch): Promise<void>;
	/** Asks with the keyboard of the terminal; without one nobody can be asked. */
	readonly questions: Questions;
	/** Leaves the answer, complete or not, in the scrollback. */
	end(): Promise<void>;
}

export function openAnswerView(answer: AnswerViewOptions): OpenAnswerView {
	const {conversation, reasoningMode, terminal, options, now, onInterrupt, openPage, signal} =
		answer;
	const {redact, serviceUrl} = options;
	const style = createStyler(options);
	let state: AnswerState = {
		conversation: conversation ?? createConversation(),
		turn: conversation && createLiveTurn(now()),
		question: undefined,
		reasoningMode,
		now: now(),
		...terminal.size(),
	};
	let view: TurnView | undefined = createTurnView({
		...options,
		width: answerWidth(state),
		highlight: undefined,
	});
	const compose = (lastBlock: Block | undefined) =>
		composeFrame({
			state,
			view,
			style,
			redact,
			serviceUrl,
			reasoningKey: undefined,
			lastBlock,
		});
	const store = createRowStore(compose(undefined));

	const dispatch = (action: AnswerAction) => {
		const next = reduceAnswer(state, action);
		state = next.state;
		view?.setWidth(answerWidth(state));
		for (const effect of next.effects.filter(printsAbove)) perform(effect);
		if (action.type === 'events') store.commit('answer', view?.push(action.events) ?? []);
		if (state.turn === undefined) view = undefined;
		for (const effect of next.effects) if (!printsAbove(effect)) perform(effect);
		store.draw(compose(store.lastBlock()));
	};
	const perform = (effect: Effect) => {
		if (effect.type === 'print') print(effect.entry);
		else if (effect.type === 'stop-turn') onInterrupt('SIGINT');
		else if (effect.type === 'suspend') terminal.suspend();
		else if (isQuestionEffect(effect)) asker.perform(effect);
	};
	const print = (entry: TranscriptEntry) => {
		if (isOfDialog(entry)) store.commit('answer', view?.end() ?? []);
		const width = answerWidth(state);
		store.commit(
			blockOf(entry),
			renderEntry(entry, {...options, style, highlight: undefined, width}),
		);
	};
	const asker = createAsker(dispatch, openPage);
	const prepare = createHighlightLoader((highlight) => view?.setHighlight(highlight), options);
	const gatherer = createEventGatherer({signal, now, dispatch, prepare});
	const screen = mountScreen(store, terminal, {
		...options,
		onResize: (size) => dispatch({type: 'resize', ...size}),
		onTaken: () => dispatch({type: 'terminal-taken'}),
	});
	const withKeyboard = async <Answer>(ask: () => Promise<Answer>, unattended: Answer) => {
		const keyboard = terminal.openKeyboard();
		if (keyboard === undefined) return unattended;
		const stopReading = readKeys(terminal, keyboard, {
			onKeys: (keys) => dispatch({type: 'keys', keys, now: now()}),
			onEnd: () => onInterrupt('SIGHUP'),
		});
		try {
			return await ask();
		} finally {
			stopReading();
		}
	};
	const end = async () => {
		gatherer.end();
		asker.close();
		await screen.unmount();
	};
	return {
		async write(batch) {
			if (view === undefined) return;
			try {
				await gatherer.push(batch);
			} catch (error) {
				// Nothing else would stop the clock.
				await end();
				throw error;
			}
		},
		questions: {
			approve: (request, stop) =>
				withKeyboard(() => asker.approve(request, stop), {type: 'unattended'}),
			elicit: (request, stop) => withKeyboard(() => asker.elicit(request, stop), declined),
		},
		end,
	};
}
