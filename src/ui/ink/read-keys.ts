import type {Keyboard, Terminal} from '../../environment.ts';
import {createKeyReader, type KeyReaderOptions} from '../../terminal/keys/key-reader.ts';

/**
 * Reads keys until the returned function is called or the process ends; either restores the terminal
 * and closes the keyboard.
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
