import type {Keyboard, Terminal} from '../../../environment.ts';
import type {KeyInput} from '../../../terminal/keys/key-input.ts';
import {createKeyReader, type KeyReaderOptions} from '../../../terminal/keys/key-reader.ts';

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
	const take = () => {
		terminal.output.write(reader.start());
	};
	const release = () => {
		terminal.output.write(reader.stop());
	};
	const removeUser = terminal.addUser({release, take});
	take();
	return () => {
		removeUser();
		release();
		forgetExit();
		keyboard.close();
	};
}

/** Receives each read's keys. */
type ReceiveKeys = (keys: readonly KeyInput[]) => void;

/** Passes keys on until the returned function is called. */
export type ListenToKeys = (receive: ReceiveKeys) => () => void;

/** Passes keys to one receiver at a time, and keeps them while there is none. */
export function createKeySwitch(): {
	readonly push: ReceiveKeys;
	readonly listen: ListenToKeys;
	/** Ends the passing on. */
	readonly hold: () => void;
	readonly hasWaiting: () => boolean;
} {
	let waiting: readonly KeyInput[] = [];
	const keep: ReceiveKeys = (keys) => {
		waiting = [...waiting, ...keys];
	};
	let receiver = keep;
	const hold = () => {
		receiver = keep;
	};
	return {
		push: (keys) => receiver(keys),
		listen(receive) {
			receiver = receive;
			const early = waiting;
			waiting = [];
			if (early.length > 0) receive(early);
			return hold;
		},
		hold,
		hasWaiting: () => waiting.length > 0,
	};
}
