/** Mounts the screen on a terminal. */
import type {Instance} from 'ink';
import type {Terminal} from '../../../environment.ts';
import type {Size} from '../../../repl/geometry.ts';
import type {Reflow} from '../../../terminal/capabilities.ts';
import type {Frame} from '../live/frame-input.ts';
import {rowsOfFrame} from '../live/live-region.tsx';
import {Screen} from '../screen.tsx';
import type {ScreenSource} from '../screen-store.ts';
import {createInkOutput, renderInk} from './ink-output.ts';
import {type CursorReport, clearFrame} from './reflow.ts';

export type MountOptions = {
	/** Rows rewrapped by a narrowing terminal. */
	readonly reflow: Reflow;
	/** Draws a frame for the new window size. */
	readonly onResize: (size: Size) => void;
	/** Asks the terminal for its cursor; missing where nothing reads the answer. */
	readonly locate?: () => Promise<CursorReport>;
	/** Called before redrawing the frame after other programs had the terminal. */
	readonly onTaken: () => void;
};

export type MountedScreen = {
	/** Clears the window, where other programs may have written, and draws the frame at its top. */
	redraw(): void;
	/** Erases the frame until the matching `take`. Calls nest. */
	release(): Promise<void>;
	/** Prints what was added meanwhile, and draws the frame. */
	take(): void;
	/** Erases the frame and ends. */
	unmount(): Promise<void>;
};

/** Erases what was typed before raw mode, which the terminal has shown. */
export const eraseLine = '\r\u001b[K';

/** Scrolls the window into the scrollback; some terminals would lose erased rows. */
function scrollAway(rows: number): string {
	return `\u001b[0m\u001b[${rows}B${'\n'.repeat(rows)}\u001b[${rows}A\r`;
}

/**
 * The pause after a resize, drawing nothing: more often follow, and the program hears about them
 * after the terminal has wrapped, cut or scrolled the frame.
 */
const foldedMs = 300;

/** Shares the terminal with its other users. */
export function mountScreen(
	store: ScreenSource,
	terminal: Terminal,
	options: MountOptions,
): MountedScreen {
	let releases = 0;
	let mounted = mount(store, terminal, options);
	let released = Promise.resolve();
	const release = async () => {
		releases += 1;
		if (releases === 1) released = mounted.unmount();
		await released;
	};
	const take = () => {
		releases -= 1;
		if (releases > 0) return;
		options.onResize(terminal.size());
		options.onTaken();
		terminal.output.write(eraseLine);
		mounted = mount(store, terminal, options);
	};
	const removeUser = terminal.addUser({release, take});
	return {
		redraw() {
			if (releases === 0) mounted.redraw();
		},
		release,
		take,
		async unmount() {
			removeUser();
			await release();
		},
	};
}

type MountedFrame = {
	redraw(): void;
	unmount(): Promise<void>;
};

function mount(
	store: ScreenSource,
	terminal: Terminal,
	{reflow, onResize, locate}: MountOptions,
): MountedFrame {
	const first = store.firstWaiting();
	let committed = store.getSnapshot().frame;
	let drawn = {frame: committed, size: terminal.size()};
	const keep = (frame: Frame) => {
		committed = frame;
	};
	const output = createInkOutput(terminal.output);
	const screen = (isFolded: boolean) => (
		<Screen store={store} first={first} isFolded={isFolded} onCommit={keep} />
	);
	let unfolding: NodeJS.Timeout | undefined;
	/** Erases the frame drawn before a resize; undefined afterwards. */
	let erase: ((place: CursorReport | undefined) => void) | undefined;
	let erased = Promise.resolve();
	const startErasing = () => {
		const {frame, size} = drawn;
		output.hold();
		erased = new Promise((resolve) => {
			const eraseOnce = (place: CursorReport | undefined) => {
				if (erase !== eraseOnce) return;
				erase = undefined;
				const before = {rows, cursor: frame.cursor, size};
				output.release(clearFrame(before, place, terminal.size(), reflow));
				resolve();
			};
			erase = eraseOnce;
			void locate?.().then(eraseOnce);
		});
		// After the question: the window may get yet another size meanwhile.
		const rows = rowsOfFrame(frame, size.columns);
	};
	// Registered before `render`, because Ink then listens too, and would draw the old window's
	// frame.
	const stopResizing = terminal.onResize((size) => {
		// Erasing comes at once: the window may get yet another size.
		if (erase === undefined) startErasing();
		instance.clear();
		instance.rerender(screen(true));
		onResize(size);
		clearTimeout(unfolding);
		unfolding = setTimeout(() => {
			erase?.(undefined);
			instance.rerender(screen(false));
		}, foldedMs);
	});
	const instance: Instance = renderInk(screen(false), output.stream, {
		maxFps: 40,
		onRender: () => {
			drawn = {frame: committed, size: terminal.size()};
		},
	});
	return {
		redraw() {
			const {rows} = terminal.size();
			instance.clear();
			output.stream.write(scrollAway(rows));
		},
		async unmount() {
			// A shell would take the terminal's answer for typing.
			if (locate === undefined) erase?.(undefined);
			else await erased;
			await instance.waitUntilRenderFlush();
			stopResizing();
			erase?.(undefined);
			clearTimeout(unfolding);
			instance.clear();
			instance.unmount();
			await instance.waitUntilExit();
		},
	};
}
