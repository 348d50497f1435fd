import type {Keyboard, Terminal} from '../../environment.ts';
import {createKeyReader, type KeyReaderOptions} from '../../terminal/keys/key-reader.ts';

/**
 * Reads keys until the result is called, which leaves the terminal as it was and gives the keyboard
 * back. So does the end of the process.
 */
export function readKeys(
	terminal: Terminal,
	keyboard: Keyboard,
	handlers: KeyReaderOptions,
): () => void {
	const reader = createKeyReader(keyboard.stream, handlers);
	const forgetExit = terminal.onExit(() => reader.stop());
	terminal.output.write(reader.start());
	return () => {
		terminal.output.write(reader.stop());
		forgetExit();
		keyboard.close();
	};
}
