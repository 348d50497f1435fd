/**
 * Renders with Ink, without a keyboard: keys come from `key-reader.ts`. Each frame is written at once,
 * although Ink writes it in pieces.
 *
 * Ink erases a frame from its first cell on. If that is the first cell of the window, tmux moves the
 * erased rows into the scrollback (its option `scroll-on-clear`), where the frame would stay. Erasing
 * from the second cell on avoids that.
 *
 * Ink goes down from the cursor to the end of its frame. A window that got lower may have dropped these
 * rows, and Ink would start above its frame, in the rows of the scrollback. Line feeds make new ones.
 */
import {PassThrough} from 'node:stream';
import {type Instance, type RenderOptions, render} from 'ink';
import type {ReactNode} from 'react';

const eraseBelow = '\u001b[J';
const eraseBelowByTwo = '\u001b[K\u001b[2G\u001b[J\u001b[1G';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what moves a cursor.
const cursorDown = /\u001b\[(\d+)B/;

/** A synchronized update. Ink writes each end on its own. */
const frameStart = '\u001b[?2026h';
const frameEnd = '\u001b[?2026l';

type InkOutput = {
	/** The cursor must be in the first column when Ink erases, as it is. */
	readonly stream: NodeJS.WriteStream;
	/** Joins all that is written until the end of this event to one frame. */
	joinFrames(): void;
};

export function renderInk(
	node: ReactNode,
	{stream}: InkOutput,
	options: Pick<RenderOptions, 'maxFps' | 'onRender' | 'alternateScreen'>,
): Instance {
	return render(node, {
		stdout: stream,
		stdin: new PassThrough(),
		exitOnCtrlC: false,
		patchConsole: false,
		incrementalRendering: true,
		interactive: true,
		...options,
	});
}

/** Wraps the stream. */
export function createInkOutput(output: NodeJS.WriteStream): InkOutput {
	let frame: string | undefined;
	let isJoining = false;
	const end = () => {
		const whole = frame + frameEnd;
		frame = undefined;
		return output.write(whole);
	};
	const write = (data: string, ...rest: never[]): boolean => {
		if (data === frameStart) frame ??= frameStart;
		if (data === frameEnd && !isJoining) return end();
		if (data === frameStart || data === frameEnd) return true;
		const text = data
			.replaceAll(eraseBelow, eraseBelowByTwo)
			.replace(cursorDown, (_, rows) => '\n'.repeat(Number(rows)));
		if (frame === undefined) return output.write(text, ...rest);
		frame += text;
		return true;
	};
	const stream = new Proxy(output, {
		get(target, key) {
			if (key === 'write') return write;
			const value: unknown = Reflect.get(target, key, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
	return {
		stream,
		joinFrames() {
			if (isJoining) return;
			isJoining = true;
			write(frameStart);
			queueMicrotask(() => {
				isJoining = false;
				end();
			});
		},
	};
}
