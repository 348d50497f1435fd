/**
 * Renders with Ink, without a keyboard: keys come from `key-reader.ts`. Ink writes a frame in
 * pieces; each one reaches the terminal in a single write. Ink erases a frame starting at its first
 * cell. When this is the window's first cell, tmux moves the erased rows into the scrollback (its
 * option `scroll-on-clear`), leaving the frame there; erasing from the second cell avoids it. Ink
 * moves the cursor down to its frame's end. A window made lower may have dropped these rows, and
 * Ink would start above its frame, inside the scrollback. Line feeds make new rows.
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

/** Wraps the stream. Ink erases with the cursor in the first column, as it is here. */
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
