/** Mounts Ink on a terminal, without a keyboard: keys come from `key-reader.ts`. */
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
	/** Whether the terminal rewraps its rows when it gets narrower. */
	readonly hasReflow: boolean;
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

/** Listens for resizes before the caller does, so that old rows are erased before new ones. */
export function mountScreen(
	store: ScreenSource,
	terminal: Terminal,
	{hasReflow, printed = 0}: MountOptions,
): MountedScreen {
	let committed = {frame: emptyFrame, columns: terminal.size().columns};
	let drawn = committed;
	const keep = (frame: Frame) => {
		committed = {frame, columns: terminal.size().columns};
	};
	// After the window got narrower, Ink draws the frame of the wider one once more.
	const paint = (row: SafeText) => {
		const {columns} = terminal.size();
		return columns < committed.columns ? fitRow(row, columns) : row;
	};
	// Before `render`, because Ink then listens too and erases as many rows as it drew.
	const stopResizing = terminal.onResize(({columns}) => {
		if (hasReflow) terminal.output.write(eraseWrapped(drawn, columns));
	});
	const instance: Instance = render(
		<Screen store={store} printed={printed} paint={paint} onCommit={keep} />,
		{
			stdout: createInkOutput(terminal.output),
			stdin: new PassThrough(),
			exitOnCtrlC: false,
			patchConsole: false,
			maxFps: 60,
			incrementalRendering: true,
			interactive: true,
			// A variable can turn this mode on, in which Ink skips <Transform>: all rows would be blank.
			isScreenReaderEnabled: false,
			onRender: () => {
				drawn = {...committed, columns: terminal.size().columns};
			},
		},
	);
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
