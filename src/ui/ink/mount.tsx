/** Ink on a terminal. The keyboard is never given to it: keys come through our own reader. */
import {PassThrough} from 'node:stream';
import {type Instance, render} from 'ink';
import type {Terminal} from '../../environment.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {emptyFrame, type Frame} from './frame.ts';
import {createInkOutput} from './ink-output.ts';
import {eraseWrapped, fitRow} from './reflow.ts';
import {Screen} from './screen.tsx';
import type {ScreenStore} from './screen-store.ts';

export type MountOptions = {
	/** Whether the terminal wraps its rows anew when it gets narrower. */
	readonly hasReflow: boolean;
};

export type MountedScreen = {
	/** Draws the frame anew, for a terminal that somebody else has written to. */
	redraw(): void;
	/** Takes the frame away and lets the terminal go. */
	unmount(): Promise<void>;
};

/** Listens for the window's size before it returns: whoever draws for a new size listens later. */
export function mountScreen(
	store: ScreenStore,
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
		redraw: () => instance.clear(),
		async unmount() {
			await instance.waitUntilRenderFlush();
			stopResizing();
			instance.clear();
			instance.unmount();
			await instance.waitUntilExit();
		},
	};
}
