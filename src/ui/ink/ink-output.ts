/**
 * The terminal as Ink writes to it.
 *
 * Ink erases a frame from its first cell on. If that is the first cell of the window, tmux puts what
 * it is told to erase into the scrollback instead (its option `scroll-on-clear`), and the frame
 * stands there for good. From the second cell on it is erased like anywhere else.
 */
const eraseBelow = '\u001b[J';
const eraseBelowByTwo = '\u001b[K\u001b[2G\u001b[J\u001b[1G';

/** The same stream but for that. What is erased begins in the first column, as with Ink it does. */
export function createInkOutput(output: NodeJS.WriteStream): NodeJS.WriteStream {
	const write = (data: string | Uint8Array, ...rest: never[]) =>
		output.write(
			typeof data === 'string' ? data.replaceAll(eraseBelow, eraseBelowByTwo) : data,
			...rest,
		);
	return new Proxy(output, {
		get(stream, key) {
			if (key === 'write') return write;
			const value: unknown = Reflect.get(stream, key, stream);
			return typeof value === 'function' ? value.bind(stream) : value;
		},
	});
}
