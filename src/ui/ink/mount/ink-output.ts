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

/** Leaves the alternate screen. */
export const leaveScreen = '\u001b[?1049l';

/** Erases the window before the alternate screen is left: a terminal without one would keep the rows. */
const leaveAlternateScreen = `\u001b[H${eraseBelowByTwo}${leaveScreen}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what moves a cursor.
const cursorDown = /\u001b\[(\d+)B/;

/** A synchronized update. Ink writes each end on its own. */
const frameStart = '\u001b[?2026h';
const frameEnd = '\u001b[?2026l';

export function renderInk(
	node: ReactNode,
	stdout: NodeJS.WriteStream,
	options: Pick<RenderOptions, 'maxFps' | 'onRender' | 'alternateScreen'>,
): Instance {
	return render(node, {
		stdout,
		stdin: new PassThrough(),
		exitOnCtrlC: false,
		patchConsole: false,
		incrementalRendering: true,
		interactive: true,
		...options,
	});
}

export type InkOutput = {
	/** The stream for Ink. */
	readonly stream: NodeJS.WriteStream;
	/** Keeps what is written from now on until `release`. */
	hold(): void;
	/** Writes the text, then what was kept. */
	release(text: string): void;
};

/** Wraps the stream. The cursor must be in the first column when Ink erases, as it is. */
export function createInkOutput(output: NodeJS.WriteStream): InkOutput {
	let frame: string | undefined;
	let held: Array<() => void> | undefined;
	const send = (text: string, ...rest: never[]): boolean => {
		if (held === undefined) return output.write(text, ...rest);
		held.push(() => output.write(text, ...rest));
		return true;
	};
	const write = (data: string, ...rest: never[]): boolean => {
		if (data === frameStart) frame = '';
		const text = data
			.replaceAll(eraseBelow, eraseBelowByTwo)
			.replaceAll(leaveScreen, leaveAlternateScreen)
			.replace(cursorDown, (_, rows) => '\n'.repeat(Number(rows)));
		if (frame === undefined) return send(text, ...rest);
		frame += text;
		if (data !== frameEnd) return true;
		const whole = frame;
		frame = undefined;
		return send(whole);
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
		hold() {
			held ??= [];
		},
		release(text) {
			const writes = held ?? [];
			held = undefined;
			output.write(text);
			for (const perform of writes) perform();
		},
	};
}
