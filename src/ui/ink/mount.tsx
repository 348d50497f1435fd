/** Mounts the screen on a terminal. */
import {type Instance, renderToString} from 'ink';
import type {Terminal} from '../../environment.ts';
import type {Size} from '../../repl/geometry.ts';
import type {Reflow} from '../../terminal/capabilities.ts';
import {stripUnsafe} from '../../terminal/safe-text.ts';
import type {Frame} from './frame-input.ts';
import {createInkOutput, renderInk} from './ink-output.ts';
import {LiveRegion} from './live-region.tsx';
import {type DrawnRows, eraseFrame} from './reflow.ts';
import type {ScreenSource} from './row-store.ts';
import {Screen} from './screen.tsx';

export type MountOptions = {
	/** The rows that the terminal rewraps when it gets narrower. */
	readonly reflow: Reflow;
	/** Draws a frame for the new size of the window. */
	readonly onResize: (size: Size) => void;
	/** Called before the frame is drawn again in a terminal that other programs had. */
	readonly onTaken: () => void;
};

export type MountedScreen = {
	/** Clears the window, where other programs may have written, and draws the frame at its top. */
	redraw(): void;
	/** Erases the frame and draws nothing until `take`, which is called as often. */
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

type Drawn = {readonly frame: Frame; readonly size: Size};

/** Returns the rows that Ink has drawn of a frame, without styles. */
function rowsOf({frame, size}: Drawn): DrawnRows {
	const text = renderToString(<LiveRegion frame={frame} />, {columns: size.columns});
	return {rows: text === '' ? [] : stripUnsafe(text).split('\n'), cursor: frame.cursor, size};
}

/** Shares the terminal with its other users. */
export function mountScreen(
	store: ScreenSource,
	terminal: Terminal,
	options: MountOptions,
): MountedScreen {
	let releases = 0;
	let printed = 0;
	let mounted = mount(store, terminal, options, printed);
	let released = Promise.resolve();
	const unmount = async () => {
		printed = await mounted.unmount();
	};
	const release = async () => {
		releases += 1;
		if (releases === 1) released = unmount();
		await released;
	};
	const take = () => {
		releases -= 1;
		if (releases > 0) return;
		options.onResize(terminal.size());
		options.onTaken();
		terminal.output.write(eraseLine);
		mounted = mount(store, terminal, options, printed);
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
	/** Returns the number of items that were printed. */
	unmount(): Promise<number>;
};

/** @param printed the number of items to leave out */
function mount(
	store: ScreenSource,
	terminal: Terminal,
	{reflow, onResize}: MountOptions,
	printed: number,
): MountedFrame {
	let committed = store.getSnapshot().frame;
	let drawn: Drawn = {frame: committed, size: terminal.size()};
	const keep = (frame: Frame) => {
		committed = frame;
	};
	const output = createInkOutput(terminal.output);
	const screen = <Screen store={store} printed={printed} onCommit={keep} />;
	// Before `render`, because Ink then listens too, and would draw the frame of the old window.
	const stopResizing = terminal.onResize((size) => {
		// Ink draws twice; between two frames, the window may get another size.
		output.joinFrames();
		output.stream.write(eraseFrame(rowsOf(drawn), size, reflow));
		instance.clear();
		onResize(size);
		instance.rerender(screen);
	});
	const instance: Instance = renderInk(screen, output, {
		maxFps: 40,
		onRender: () => {
			drawn = {frame: committed, size: terminal.size()};
		},
	});
	return {
		redraw() {
			const {rows} = terminal.size();
			instance.clear();
			terminal.output.write(scrollAway(rows));
		},
		async unmount() {
			await instance.waitUntilRenderFlush();
			stopResizing();
			instance.clear();
			instance.unmount();
			const {length} = store.getSnapshot().items;
			await instance.waitUntilExit();
			return length;
		},
	};
}
