/** Mounts Ink on a terminal, without a keyboard: keys come from `key-reader.ts`. */
import {PassThrough} from 'node:stream';
import {type Instance, render, renderToString} from 'ink';
import type {Terminal} from '../../environment.ts';
import type {Size} from '../../repl/geometry.ts';
import {stripUnsafe} from '../../terminal/safe-text.ts';
import type {Frame} from './frame-input.ts';
import {createInkOutput} from './ink-output.ts';
import {LiveRegion} from './live-region.tsx';
import {type DrawnRows, eraseFrame} from './reflow.ts';
import type {ScreenSource} from './row-store.ts';
import {Screen} from './screen.tsx';

export type MountOptions = {
	/** Whether the terminal rewraps its rows when it gets narrower. */
	readonly hasReflow: boolean;
	/** Draws a frame for the new size of the window. */
	readonly onResize: (size: Size) => void;
	/** The items that an earlier screen has printed. */
	readonly printed?: number;
};

export type MountedScreen = {
	/** Clears the window, where other programs may have written, and draws the frame at its top. */
	redraw(): void;
	/** Erases the frame, releases the terminal, and returns how many items were printed. */
	unmount(): Promise<number>;
};

/** Scrolls the window into the scrollback; some terminals would lose erased rows. */
function scrollAway(rows: number): string {
	return `\u001b[0m\u001b[${rows}B${'\n'.repeat(rows)}\u001b[${rows}A\r`;
}

type Drawn = {readonly frame: Frame; readonly columns: number};

/** Returns the rows that Ink has drawn of a frame, without styles. */
function rowsOf({frame, columns}: Drawn): DrawnRows {
	const text = renderToString(<LiveRegion frame={frame} />, {columns});
	return {rows: text === '' ? [] : stripUnsafe(text).split('\n'), cursor: frame.cursor};
}

export function mountScreen(
	store: ScreenSource,
	terminal: Terminal,
	{hasReflow, onResize, printed = 0}: MountOptions,
): MountedScreen {
	let committed = {frame: store.getSnapshot().frame, columns: terminal.size().columns};
	let drawn = committed;
	const keep = (frame: Frame) => {
		committed = {frame, columns: terminal.size().columns};
	};
	const screen = <Screen store={store} printed={printed} onCommit={keep} />;
	// Before `render`, because Ink then listens too, and would draw the frame of the old window.
	const stopResizing = terminal.onResize((size) => {
		const columns = hasReflow ? size.columns : drawn.columns;
		terminal.output.write(eraseFrame(rowsOf(drawn), columns));
		instance.clear();
		onResize(size);
		instance.rerender(screen);
	});
	const instance: Instance = render(screen, {
		stdout: createInkOutput(terminal.output),
		stdin: new PassThrough(),
		exitOnCtrlC: false,
		patchConsole: false,
		maxFps: 60,
		incrementalRendering: true,
		interactive: true,
		// A variable can turn this mode on, which has no layout and no cursor.
		isScreenReaderEnabled: false,
		onRender: () => {
			drawn = {...committed, columns: terminal.size().columns};
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
