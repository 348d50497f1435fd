/** The interactive mode and a single answer, drawn with Ink. */
import type {Terminal} from '../../environment.ts';
import type {SingleAnswer} from '../../repl/answer.ts';
import type {Repl} from '../../repl/repl.ts';
import {readInput} from '../../schedule-after-input.ts';
import type {ReplView, View} from '../run.ts';
import {createLocator} from './mount/locate.ts';
import {eraseLine, type MountedScreen, type MountOptions, mountScreen} from './mount/mount.tsx';
import {createKeySwitch, type ListenToKeys, readKeys} from './mount/read-keys.ts';
import {createScreenStore, type ScreenOptions, type ScreenStore} from './screen-store.ts';

type Drawn<Shown> = {
	readonly shown: Shown;
	readonly terminal: Terminal;
	readonly options: ScreenOptions & Pick<MountOptions, 'reflow'>;
	readonly now: () => number;
};

export type DrawnAnswer = Drawn<SingleAnswer>;

export function openAnswerView(answer: DrawnAnswer): View {
	const {shown, terminal, now} = answer;
	const store = createScreenStore(shown.getState, answer.options);
	const screen = mount(store, answer);
	return {
		...store,
		async read(keyboard, onEnd) {
			return readKeys(terminal, keyboard, {
				onKeys: (keys) => shown.dispatch({type: 'keys', keys, now: now()}),
				onEnd: () => onEnd(true),
			});
		},
		async close() {
			await store.settled();
			await screen.unmount();
		},
	};
}

function mount(
	store: ScreenStore,
	{shown: {dispatch}, terminal, options}: Drawn<SingleAnswer | Repl>,
	locate?: MountOptions['locate'],
): MountedScreen {
	return mountScreen(store, terminal, {
		...options,
		...(locate && {locate}),
		onResize: (size) => dispatch({type: 'resize', ...size}),
		onTaken: () => dispatch({type: 'terminal-taken'}),
	});
}

export type DrawnRepl = Drawn<Repl> & {
	/** Lets the user choose a saved session; returns its id, or undefined. */
	readonly pickSession: (listen: ListenToKeys, signal: AbortSignal) => Promise<string | undefined>;
	/** Keys wait for it, because one may recall a prompt. */
	readonly loadHistory: () => Promise<void>;
	/** Called when the window gets or loses the focus; undefined if nobody wants to know. */
	readonly onFocus: ((isFocused: boolean) => void) | undefined;
};

export function openReplView(run: DrawnRepl): ReplView {
	const {shown, terminal, now} = run;
	const store = createScreenStore(shown.getState, run.options);
	const keys = createKeySwitch();
	const {locate, onPosition} = createLocator((text) => terminal.output.write(text), now);
	const listen = () =>
		keys.listen((pressed) => shown.dispatch({type: 'keys', keys: pressed, now: now()}));
	let screen: MountedScreen | undefined;
	return {
		...store,
		async read(keyboard, onEnd) {
			const stopReading = readKeys(terminal, keyboard, {
				onPosition,
				onKeys: keys.push,
				onFocus: run.onFocus,
				onEnd: () => onEnd(true),
			});
			await store.settled();
			await readInput();
			if (keys.hasWaiting()) terminal.output.write(eraseLine);
			screen = mount(store, run, locate);
			return stopReading;
		},
		prompt() {
			// Without the history, the keyboard is still there.
			void run.loadHistory().then(listen, listen);
		},
		perform(effect) {
			if (effect.type === 'redraw') screen?.redraw();
			else store.perform(effect);
		},
		/** The picker has the terminal until the user has chosen. */
		async pickSession(signal) {
			keys.hold();
			await screen?.release();
			try {
				return await run.pickSession(keys.listen, signal);
			} finally {
				screen?.take();
				listen();
			}
		},
		async close() {
			await store.settled();
			await screen?.unmount();
		},
	};
}
