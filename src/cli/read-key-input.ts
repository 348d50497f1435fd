/** The key for `chat auth set`: typed at the terminal, or piped in. */
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {readSecret} from '../input/read-secret.ts';
import {readStdin} from '../input/read-stdin.ts';
import {printNotice, printPrompt} from '../output/print.ts';

/** No key is longer. */
const maxBytes = 65_536;

/**
 * @param origin the service that the key is for
 * @throws {ChatError} `interrupted` on Ctrl-C; `usage` when there is nothing to read from
 */
export async function readKeyInput(origin: string, environment: Environment): Promise<string> {
	const {stdin} = environment;
	if (stdin.kind === 'terminal') return await askForKey(origin, environment);
	if (stdin.kind === 'data') return await readPipe(environment);
	throw new ChatError('usage', 'there is no terminal to ask for the key, and no key is piped in', {
		hint: 'Run it in a terminal, or: chat auth set < key.txt',
	});
}

async function askForKey(origin: string, environment: Environment): Promise<string> {
	const prompt = `API key for ${origin} (not shown as you type): `;
	try {
		return await readSecret(environment.stdin, () => printPrompt(prompt, environment));
	} finally {
		await printPrompt('\n', environment);
	}
}

async function readPipe(environment: Environment): Promise<string> {
	const controller = new AbortController();
	const stopListening = environment.onInterrupt((signal) =>
		controller.abort(new ChatError('interrupted', `interrupted (${signal})`, {signal})),
	);
	const message = 'waiting for the key on stdin';
	const onWaiting = () => printNotice({code: 'waiting-for-stdin', message}, environment);
	try {
		const {signal} = controller;
		const bytes = await readStdin(environment.stdin, {signal, onWaiting, maxBytes});
		return Buffer.from(bytes).toString('utf8');
	} finally {
		stopListening();
	}
}
