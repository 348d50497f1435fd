/** A terminal that is an emulator. The end of the test closes it. */
import {PassThrough, Writable} from 'node:stream';
import type {ReadStream} from 'node:tty';
import xterm from '@xterm/headless';
import {onTestFinished} from 'vitest';
import type {Keyboard, Terminal} from '../../src/environment.ts';

export type Emulator = {
	readonly terminal: Terminal;
	/** Its own keyboard, for a session; the terminal itself has none. */
	readonly keyboard: Keyboard;
	/** Returns the rows that are not empty, when everything has been drawn. */
	screen(): Promise<readonly string[]>;
};

export function openEmulator(size = {columns: 60, rows: 12}): Emulator {
	const emulator = new xterm.Terminal({
		...{cols: size.columns, rows: size.rows},
		allowProposedApi: true,
	});
	onTestFinished(() => emulator.dispose());
	const stream = new Writable({
		write(chunk: Buffer, _, done) {
			emulator.write(chunk.toString().replaceAll('\n', '\r\n'), done);
		},
	});
	const output = Object.assign(stream, {...size, isTTY: true});
	return {
		keyboard: {
			stream: new PassThrough() as unknown as ReadStream,
			isConnected: () => true,
			close: () => {},
		},
		terminal: {
			size: () => size,
			onResize: () => () => {},
			output: output as unknown as NodeJS.WriteStream,
			openKeyboard: () => undefined,
			onInterruptKey: () => () => {},
			onExit: () => () => {},
			addUser: () => () => {},
			lend: (borrow) => borrow(),
			suspend: () => {},
		},
		async screen() {
			await new Promise<void>((resolve) => emulator.write('', resolve));
			const rows = Array.from(
				{length: emulator.buffer.active.length},
				(_, y) => emulator.buffer.active.getLine(y)?.translateToString(true) ?? '',
			);
			return rows.filter((row) => row !== '');
		},
	};
}
