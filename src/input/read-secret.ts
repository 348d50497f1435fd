/** A secret from the keyboard, not echoed; the terminal is left as it was found. */
import {StringDecoder} from 'node:string_decoder';
import type {InputStream} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {createSecretLineReader} from './secret-line.ts';

/**
 * @param input a terminal
 * @param onReady called when nothing is echoed any more: the time to ask
 * @throws {ChatError} `interrupted` on Ctrl-C
 */
export async function readSecret(
	input: InputStream,
	onReady: () => Promise<void>,
): Promise<string> {
	const line = createSecretLineReader();
	const decoder = new StringDecoder('utf8');
	let typed = '';
	input.setRawMode?.(true);
	try {
		await onReady();
		for await (const piece of input.read()) {
			const {state, text} = line.push(typeof piece === 'string' ? piece : decoder.write(piece));
			if (state === 'cancelled') throw interrupted();
			typed = text;
			if (state === 'done') break;
		}
	} finally {
		input.setRawMode?.(false);
	}
	return typed;
}

function interrupted(): ChatError {
	return new ChatError('interrupted', 'interrupted (SIGINT)', {signal: 'SIGINT'});
}
