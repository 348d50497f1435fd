/** Runs the interactive screen: a session, its picture, and the keyboard. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Keyboard, Terminal} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import type {Session} from '../../repl/session.ts';
import {entriesOfPast} from '../../repl/turn-entries.ts';
import {readInput} from '../../schedule-after-input.ts';
import type {KeyInput} from '../../terminal/keys/key-input.ts';
import {createHighlightLoader} from './load-highlight.ts';
import {type MountOptions, mountScreen} from './mount.tsx';
import {readKeys} from './read-keys.ts';
import {createScreenStore, type ScreenOptions} from './screen-store.ts';

const eraseLine = '\r\u001b[K';

export type ReplScreen = {
	readonly session: Session;
	readonly terminal: Terminal;
	readonly keyboard: Keyboard;
	readonly options: ScreenOptions & MountOptions;
	/** Notices above the first prompt. */
	readonly greeting: readonly string[];
	/** A prompt to send at once. */
	readonly first: Prompt | undefined;
	/** Called when the screen is there; the keyboard waits for it, because a key may recall a prompt. */
	readonly loadHistory: () => Promise<void>;
	readonly now: () => number;
	/** Ends the screen from outside. */
	readonly signal: AbortSignal;
};

/**
 * Runs until the user exits, the terminal is gone or the signal aborts, then restores the terminal.
 *
 * @throws {ChatError} `interrupted` if the terminal is gone
 */
export async function runReplScreen(repl: ReplScreen): Promise<void> {
	const {session, terminal, keyboard, now, signal} = repl;
	const store = createScreenStore(session.getState(), repl.options);
	let leave = () => {};
	const left = new Promise<void>((resolve) => {
		leave = resolve;
	});
	let isGone = false;
	const press = (keys: readonly KeyInput[]) => session.dispatch({type: 'keys', keys, now: now()});
	/** Keys typed before the screen was mounted. */
	let early: readonly KeyInput[] = [];
	let onKeys = (keys: readonly KeyInput[]) => {
		early = [...early, ...keys];
	};
	const stopReading = readKeys(terminal, keyboard, {
		onKeys: (keys) => onKeys(keys),
		onEnd: () => {
			isGone = true;
			leave();
		},
	});
	const prepare = createHighlightLoader(store.setHighlight, repl.options);
	for (const entry of entriesOfPast(session.getState().conversation)) {
		if (entry.type === 'answer') await prepare([{type: 'text-delta', text: entry.text}]);
		store.print(entry);
	}
	for (const text of repl.greeting) store.print({type: 'notice', text});
	await readInput();
	// Erase what the terminal echoed before raw mode.
	if (early.length > 0) terminal.output.write(eraseLine);
	const screen = mountScreen(store, terminal, repl.options);
	const stopResizing = terminal.onResize((size) => session.dispatch({type: 'resize', ...size}));
	session.onBatch(prepare);
	session.subscribe((action, state, effects) => {
		store.apply(action, state, effects);
		for (const {type} of effects) {
			if (type === 'exit') leave();
			else if (type === 'redraw') screen.redraw();
		}
	});
	signal.addEventListener('abort', leave, {once: true});
	if (signal.aborted) leave();
	if (repl.first !== undefined)
		session.dispatch({type: 'prompt-given', prompt: repl.first, now: now()});
	await repl.loadHistory();
	onKeys = press;
	if (early.length > 0) press(early);
	try {
		await left;
	} finally {
		stopResizing();
		signal.removeEventListener('abort', leave);
		await session.close();
		await screen.unmount();
		stopReading();
	}
	// On a normal exit Node tries to restore the terminal, fails and aborts; a signal avoids that.
	if (isGone) throw new ChatError('interrupted', 'the terminal is gone', {signal: 'SIGHUP'});
}
