/**
 * One answer on a terminal, drawn as in the interactive screen, without a prompt. Reads no keys:
 * what is typed meanwhile is for the shell.
 */
import {emptyConversation} from '../../chat/conversation.ts';
import type {ChatEvent, ChatEventBatch} from '../../chat/event.ts';
import type {Terminal} from '../../environment.ts';
import {createPrompt} from '../../repl/prompt.ts';
import {createSession} from '../../repl/session.ts';
import {createReplState, type ReasoningMode} from '../../repl/state.ts';
import {type MountOptions, mountScreen} from './mount.tsx';
import {createScreenStore, type ScreenOptions} from './screen-store.ts';

export type AnswerScreen = {
	readonly events: AsyncIterable<ChatEventBatch>;
	readonly model: string;
	readonly reasoningMode: ReasoningMode;
	readonly terminal: Terminal;
	readonly options: Omit<ScreenOptions, 'hasPrompt'> & MountOptions;
	readonly now: () => number;
};

/** Resolves when the answer, or what came of it, stands in the scrollback. */
export async function showAnswer(answer: AnswerScreen): Promise<void> {
	const {events, model, reasoningMode, terminal, now} = answer;
	const session = createSession(
		createReplState({
			options: {model, isStreaming: true},
			family: '',
			reasoningMode,
			conversation: emptyConversation,
			...terminal.size(),
		}),
		{
			openTurn: () => events,
			load: () => Promise.reject(new Error('a single answer loads nothing')),
			now,
		},
	);
	const store = createScreenStore(session.getState(), {...answer.options, hasPrompt: false});
	const over = new Promise<void>((resolve) => {
		session.subscribe((action, state, effects) => {
			store.apply(action, state, effects);
			if (action.type === 'events' && action.events.some(isLast)) resolve();
		});
	});
	session.dispatch({type: 'ask', prompt: createPrompt(''), now: now()});
	const screen = mountScreen(store, terminal, answer.options);
	const stopResizing = terminal.onResize((size) => session.dispatch({type: 'resize', ...size}));
	await over;
	stopResizing();
	await screen.unmount();
	await session.close();
}

function isLast({type}: ChatEvent): boolean {
	return type === 'turn-end' || type === 'error';
}
