/**
 * The terminal as Ink writes to it: a frame, which Ink hands over in pieces, leaves in one write.
 *
 * Ink erases a frame from its first cell on. If that is the first cell of the window, tmux puts what
 * it is told to erase into the scrollback instead (its option `scroll-on-clear`), and the frame
 * stands there for good. From the second cell on it is erased like anywhere else.
 */
const eraseBelow = '\u001b[J';
const eraseBelowByTwo = '\u001b[K\u001b[2G\u001b[J\u001b[1G';

/** A synchronized update; Ink writes both ends of one without anything else in between. */
const frameStart = '\u001b[?2026h';
const frameEnd = '\u001b[?2026l';

/** The same stream but for that. What is erased begins in the first column, as with Ink it does. */
export function createInkOutput(output: NodeJS.WriteStream): NodeJS.WriteStream {
	let frame: string | undefined;
	const write = (data: string, ...rest: never[]): boolean => {
		if (data === frameStart) frame = '';
		const text = data.replaceAll(eraseBelow, eraseBelowByTwo);
		if (frame === undefined) return output.write(text, ...rest);
		frame += text;
		if (data !== frameEnd) return true;
		const whole = frame;
		frame = undefined;
		return output.write(whole);
	};
	return new Proxy(output, {
		get(stream, key) {
			if (key === 'write') return write;
			const value: unknown = Reflect.get(stream, key, stream);
			return typeof value === 'function' ? value.bind(stream) : value;
		},
	});
}
