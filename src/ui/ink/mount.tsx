/** Ink on a terminal. The keyboard is never given to it: keys come through our own reader. */
import {PassThrough} from 'node:stream';
import {type Instance, render} from 'ink';
import type {Terminal} from '../../environment.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {emptyFrame, type Frame} from './frame-input.ts';
import {createInkOutput} from './ink-output.ts';
import {eraseWrapped, fitRow} from './reflow.ts';
import type {ScreenSource} from './row-store.ts';
import {Screen} from './screen.tsx';

export type MountOptions = {
	/** Whether the terminal wraps its rows anew when it gets narrower. */
	readonly hasReflow: boolean;
};

export type MountedScreen = {
	/** Clears the window, which others may have written to, and draws the frame at its top. */
	redraw(): void;
	/** Takes the frame away and lets the terminal go. */
	unmount(): Promise<void>;
};

/** Moves what is in the window into the scrollback; erased, it would be lost in some terminals. */
function scrollAway(rows: number): string {
	return `\u001b[0m\u001b[${rows}B${'\n'.repeat(rows)}\u001b[${rows}A\r`;
}

/** Listens for the window's size before it returns: whoever draws for a new size listens later. */
export function mountScreen(
	store: ScreenSource,
	terminal: Terminal,
	{hasReflow}: MountOptions,
): MountedScreen {
	let committed = {frame: emptyFrame, columns: terminal.size().columns};
	let drawn = committed;
	const keep = (frame: Frame) => {
		committed = {frame, columns: terminal.size().columns};
	};
	// In a window that got narrower Ink draws once more what was meant for the wider one.
	const paint = (row: SafeText) => {
		const {columns} = terminal.size();
		return columns < committed.columns ? fitRow(row, columns) : row;
	};
	// Ink listens too, from `render` on, and erases what it takes for the frame.
	const stopResizing = terminal.onResize(({columns}) => {
		if (hasReflow) terminal.output.write(eraseWrapped(drawn, columns));
	});
	const instance: Instance = render(<Screen store={store} paint={paint} onCommit={keep} />, {
		stdout: createInkOutput(terminal.output),
		stdin: new PassThrough(),
		exitOnCtrlC: false,
		patchConsole: false,
		maxFps: 60,
		incrementalRendering: true,
		interactive: true,
		// In that mode, which a variable of the user turns on, Ink runs no <Transform>: all would be blank.
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
			await instance.waitUntilExit();
		},
	};
}
