/** Runs the interactive screen: a session, its picture, and the keyboard. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Keyboard, Terminal} from '../../environment.ts';
import {ChatError, toChatError} from '../../errors.ts';
import type {Session} from '../../repl/session.ts';
import type {PlainEntry} from '../../repl/state.ts';
import {entriesOfPast} from '../../repl/turn-entries.ts';
import {readInput} from '../../schedule-after-input.ts';
import {createHighlightLoader} from './load-highlight.ts';
import {createLocator} from './locate.ts';
import {eraseLine, type MountOptions, mountScreen} from './mount.tsx';
import {createKeySwitch, type ListenToKeys, readKeys} from './read-keys.ts';
import {createScreenStore, type ScreenOptions} from './screen-store.ts';

export type ReplScreen = {
	readonly session: Session;
	readonly terminal: Terminal;
	readonly keyboard: Keyboard;
	readonly options: ScreenOptions & Pick<MountOptions, 'reflow'>;
	/** The first rows, if they are wanted. */
	readonly header: PlainEntry | undefined;
	/** Notices above the first prompt. */
	readonly greeting: readonly string[];
	/** A prompt to send at once. */
	readonly first: Prompt | undefined;
	/** Lets the user choose a saved session; returns its id, or undefined. */
	readonly pickSession: (listen: ListenToKeys, signal: AbortSignal) => Promise<string | undefined>;
	/** Called when the screen shows what the session reports. */
	readonly onShown: () => void;
	/** Called when the screen is there; the keyboard waits for it, because a key may recall a prompt. */
	readonly loadHistory: () => Promise<void>;
	/** Called when the window gets or loses the focus; undefined if nobody wants to know. */
	readonly onFocus: ((isFocused: boolean) => void) | undefined;
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
	const ending = new AbortController();
	const leave = () => ending.abort();
	const left = new Promise<void>((resolve) => {
		ending.signal.addEventListener('abort', () => resolve(), {once: true});
	});
	let isGone = false;
	const keys = createKeySwitch();
	const {locate, onPosition} = createLocator((text) => terminal.output.write(text), now);
	const stopReading = readKeys(terminal, keyboard, {
		onPosition,
		onKeys: keys.push,
		onFocus: repl.onFocus,
		onEnd: () => {
			isGone = true;
			leave();
		},
	});
	const prepare = createHighlightLoader(store.setHighlight, repl.options);
	if (repl.header !== undefined) store.print(repl.header);
	const {conversation, shown} = session.getState();
	for (const entry of entriesOfPast(conversation, shown)) {
		if (entry.type === 'answer') await prepare([{type: 'text-delta', text: entry.text}]);
		store.print(entry);
	}
	for (const text of repl.greeting) store.print({type: 'notice', text});
	await readInput();
	if (keys.hasWaiting()) terminal.output.write(eraseLine);
	const screen = mountScreen(store, terminal, {
		...repl.options,
		locate,
		onResize: (size) => session.dispatch({type: 'resize', ...size}),
		onTaken: () => session.dispatch({type: 'terminal-taken'}),
	});
	session.onBatch(prepare);
	const listen = () =>
		keys.listen((pressed) => session.dispatch({type: 'keys', keys: pressed, now: now()}));
	/** The picker has the terminal until the user has chosen. */
	const pick = async () => {
		keys.hold();
		await screen.release();
		try {
			const id = await repl.pickSession(keys.listen, ending.signal);
			if (id !== undefined) session.dispatch({type: 'session-picked', id});
		} catch (error) {
			session.dispatch({type: 'session-not-opened', error: toChatError(error)});
		}
		screen.take();
		listen();
	};
	let picked = Promise.resolve();
	session.subscribe((action, state, effects) => {
		store.apply(action, state, effects);
		for (const {type} of effects) {
			if (type === 'exit') leave();
			else if (type === 'redraw') screen.redraw();
			else if (type === 'suspend') terminal.suspend();
			else if (type === 'pick-session') picked = pick();
		}
	});
	// Nobody was listening between the start of the session and here.
	session.dispatch({type: 'resize', ...terminal.size()});
	repl.onShown();
	signal.addEventListener('abort', leave, {once: true});
	if (signal.aborted) leave();
	if (repl.first !== undefined)
		session.dispatch({type: 'prompt-given', prompt: repl.first, now: now()});
	await repl.loadHistory();
	listen();
	try {
		await left;
	} finally {
		await picked;
		signal.removeEventListener('abort', leave);
		await session.close();
		await screen.unmount();
		stopReading();
	}
	// On a normal exit Node tries to restore the terminal, fails and aborts; a signal avoids that.
	if (isGone) throw new ChatError('interrupted', 'the terminal is gone', {signal: 'SIGHUP'});
}
