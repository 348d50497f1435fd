/** Runs the interactive screen: a session, its picture, and the keyboard. */
import type {Prompt} from '../../chat/prompt.ts';
import type {Keyboard, Terminal} from '../../environment.ts';
import {ChatError, toChatError} from '../../errors.ts';
import type {Repl} from '../../repl/repl.ts';
import type {PlainEntry} from '../../repl/state.ts';
import {entriesOfPast} from '../../repl/turn/turn-entries.ts';
import {readInput} from '../../schedule-after-input.ts';
import {createHighlightLoader} from './load-highlight.ts';
import {createLocator} from './locate.ts';
import {eraseLine, type MountOptions, mountScreen} from './mount.tsx';
import {createKeySwitch, type ListenToKeys, readKeys} from './read-keys.ts';
import {createScreenStore, type ScreenOptions} from './screen-store.ts';

export type ReplScreen = {
	readonly repl: Repl;
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
export async function runReplScreen(run: ReplScreen): Promise<void> {
	const {repl, terminal, keyboard, now, signal} = run;
	const store = createScreenStore(repl.getState(), run.options);
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
		onFocus: run.onFocus,
		onEnd: () => {
			isGone = true;
			leave();
		},
	});
	const prepare = createHighlightLoader(store.setHighlight, run.options);
	if (run.header !== undefined) store.print(run.header);
	const {conversation, shown} = repl.getState();
	for (const entry of entriesOfPast(conversation, shown)) {
		if (entry.type === 'answer') await prepare([{type: 'text-delta', text: entry.text}]);
		store.print(entry);
	}
	for (const text of run.greeting) store.print({type: 'notice', text});
	await readInput();
	if (keys.hasWaiting()) terminal.output.write(eraseLine);
	const screen = mountScreen(store, terminal, {
		...run.options,
		locate,
		onResize: (size) => repl.dispatch({type: 'resize', ...size}),
		onTaken: () => repl.dispatch({type: 'terminal-taken'}),
	});
	repl.onBatch(prepare);
	const listen = () =>
		keys.listen((pressed) => repl.dispatch({type: 'keys', keys: pressed, now: now()}));
	/** The picker has the terminal until the user has chosen. */
	const pick = async () => {
		keys.hold();
		await screen.release();
		try {
			const id = await run.pickSession(keys.listen, ending.signal);
			if (id !== undefined) repl.dispatch({type: 'session-picked', id});
		} catch (error) {
			repl.dispatch({type: 'failed', error: toChatError(error)});
		}
		screen.take();
		listen();
	};
	let picked = Promise.resolve();
	repl.subscribe((action, state, effects) => {
		store.apply(action, state, effects);
		for (const {type} of effects) {
			if (type === 'exit') leave();
			else if (type === 'redraw') screen.redraw();
			else if (type === 'suspend') terminal.suspend();
			else if (type === 'pick-session') picked = pick();
		}
	});
	// Nobody was listening between the start of the session and here.
	repl.dispatch({type: 'resize', ...terminal.size()});
	run.onShown();
	signal.addEventListener('abort', leave, {once: true});
	if (signal.aborted) leave();
	if (run.first !== undefined) repl.dispatch({type: 'prompt-given', prompt: run.first, now: now()});
	await run.loadHistory();
	listen();
	try {
		await left;
	} finally {
		await picked;
		signal.removeEventListener('abort', leave);
		await repl.close();
		await screen.unmount();
		stopReading();
	}
	// On a normal exit Node tries to restore the terminal, fails and aborts; a signal avoids that.
	if (isGone) throw new ChatError('interrupted', 'the terminal is gone', {signal: 'SIGHUP'});
}
