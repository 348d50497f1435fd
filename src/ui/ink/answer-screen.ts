/**
 * One answer on a terminal, drawn as in the interactive screen, without a prompt. Reads keys only
 * while it asks whether a call may run: what is typed at any other time is for the shell.
 */
import {emptyConversation} from '../../chat/conversation.ts';
import type {ChatEvent, ChatEventBatch} from '../../chat/event.ts';
import type {Approve} from '../../chat/tool.ts';
import type {Keyboard, Terminal} from '../../environment.ts';
import type {InterruptSignal} from '../../errors.ts';
import {createPrompt} from '../../repl/prompt.ts';
import {createSession, type Session} from '../../repl/session.ts';
import {createReplState, type ReasoningMode} from '../../repl/state.ts';
import {type MountOptions, mountScreen} from './mount.tsx';
import {readKeys} from './read-keys.ts';
import {createScreenFeed} from './screen-feed.ts';
import {createScreenStore, type ScreenOptions} from './screen-store.ts';

export type AnswerScreen = {
	readonly events: AsyncIterable<ChatEventBatch>;
	readonly model: string;
	readonly reasoningMode: ReasoningMode;
	readonly terminal: Terminal;
	readonly options: Omit<ScreenOptions, 'hasPrompt'> & MountOptions;
	readonly now: () => number;
	/** While a question is open: Ctrl-C was pressed, or the terminal went away. */
	readonly onInterrupt: (signal: InterruptSignal) => void;
	/** Stops the drawing of a long answer. */
	readonly signal: AbortSignal;
};

export type ShownAnswer = {
	/** Asks with the keyboard of the terminal; without one nobody can be asked. */
	readonly ask: Approve;
	/** Resolves when the answer, or what came of it, stands in the scrollback. */
	readonly over: Promise<void>;
};

export function showAnswer(answer: AnswerScreen): ShownAnswer {
	const {events, model, reasoningMode, terminal, now} = answer;
	const session = createSession(
		createReplState({
			options: {model, isStreaming: true},
			family: '',
			reasoningMode,
			conversation: emptyConversation,
			hasPrompt: false,
			...terminal.size(),
		}),
		{
			openTurn: () => events,
			load: () => Promise.reject(new Error('a single answer loads nothing')),
			now,
		},
	);
	const ask: Approve = async (request, signal) => {
		const keyboard = terminal.openKeyboard();
		if (keyboard === undefined) return {type: 'unasked'};
		return await withKeyboard(answer, session, keyboard, () => session.ask(request, signal));
	};
	return {ask, over: draw(answer, session)};
}

async function draw(answer: AnswerScreen, session: Session): Promise<void> {
	const {terminal, options, now, onInterrupt, signal} = answer;
	const store = createScreenStore(session.getState(), {...options, hasPrompt: false});
	const feed = createScreenFeed(store, session, options);
	const over = new Promise<void>((resolve) => {
		session.subscribe((action, state, effects) => {
			feed.push(action, state, effects);
			if (effects.some(({type}) => type === 'stop-turn')) onInterrupt('SIGINT');
			if (action.type === 'events' && action.events.some(isLast)) resolve();
		});
	});
	session.dispatch({type: 'ask', prompt: createPrompt(''), now: now()});
	const screen = mountScreen(store, terminal, options);
	const stopResizing = terminal.onResize((size) => session.dispatch({type: 'resize', ...size}));
	const stop = () => void session.close();
	signal.addEventListener('abort', stop, {once: true});
	if (signal.aborted) stop();
	await over;
	signal.removeEventListener('abort', stop);
	stopResizing();
	await feed.settle();
	await screen.unmount();
	await session.close();
}

/** Takes the keyboard for as long as the question is open. */
async function withKeyboard<Value>(
	{terminal, now, onInterrupt}: AnswerScreen,
	session: Session,
	keyboard: Keyboard,
	ask: () => Promise<Value>,
): Promise<Value> {
	const stopReading = readKeys(terminal, keyboard, {
		onKeys: (keys) => session.dispatch({type: 'keys', keys, now: now()}),
		onEnd: () => onInterrupt('SIGHUP'),
	});
	try {
		return await ask();
	} finally {
		stopReading();
	}
}

function isLast({type}: ChatEvent): boolean {
	return type === 'turn-end' || type === 'error';
}
