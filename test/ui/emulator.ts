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
	type(text: string): void;
	/** Returns the rows that are not empty, when everything has been drawn. */
	screen(): Promise<readonly string[]>;
};

/** @param hasAlternateScreen without one, as in GNU screen, all is drawn into the scrollback */
export function openEmulator(size = {columns: 60, rows: 12}, hasAlternateScreen = true): Emulator {
	const emulator = new xterm.Terminal({
		...{cols: size.columns, rows: size.rows},
		allowProposedApi: true,
	});
	onTestFinished(() => emulator.dispose());
	for (const final of hasAlternateScreen ? [] : ['h', 'l']) {
		emulator.parser.registerCsiHandler({prefix: '?', final}, ([mode]) => mode === 1049);
	}
	const stream = new Writable({
		write(chunk: Buffer, _, done) {
			emulator.write(chunk.toString().replaceAll('\n', '\r\n'), done);
		},
	});
	const output = Object.assign(stream, {...size, isTTY: true});
	const typed = new PassThrough();
	return {
		keyboard: {stream: typed as unknown as ReadStream, isConnected: () => true, close: () => {}},
		type: (text) => typed.write(text),
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
